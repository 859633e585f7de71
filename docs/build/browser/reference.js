// The reference: Redoc around the contract, whose assumptions are marked in its descriptions.
// The colours that the reader chose for the site.
const isDark = document.documentElement.classList.contains('dark')
localStorage.setItem('redoc.colorMode', isDark ? 'dark' : 'light')

// Redoc has a search of its own, which the same keys would open too.
addEventListener(
  'keydown',
  (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    document.querySelector('.DocSearch-Button').click()
  },
  true,
)

const load = (name) => import(new URL(name, import.meta.url).href)
const { hydrate } = await load('redoc.js')
const { moveDates } = await load('example-dates.js')

const contract = await (await fetch('reference.json')).json()
for (const operation of Object.values(contract.paths).flatMap(Object.values))
  if (operation.requestBody) operation.requestBody = moveDates(operation.requestBody, Date.now())

const options = {
  // Without this, the page of every reader would report to a vendor.
  disableTelemetry: true,
  schemasExpansionLevel: 'all',
  scrollYOffset: 64,
  jsonSamplesExpandLevel: 4,
  maxDisplayedEnumValues: 30,
  downloadUrls: [
    { title: 'openapi.json', url: 'openapi.json' },
    { title: 'guide.json (short paths)', url: 'guide.json' },
  ],
  // A sample in a language that is not named here is not shown.
  codeSamples: { languages: ['curl', 'TypeScript', 'Python', 'Payload'].map((lang) => ({ lang })) },
}
hydrate(contract, options, document.querySelector('#redoc'))

// The console: sends requests of one operation to the sandbox behind this page, with examples that succeed there.
import { openSandbox } from './sandbox.js'

const contract = await (await fetch('openapi.json')).json()
const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, node]) => (node.operationId ? [{ path, method, node }] : [])),
)
const wanted = new URLSearchParams(location.search).get('operation')
const operation = operations.find(({ node }) => node.operationId === wanted) ?? operations[0]

document.querySelector('#main').innerHTML = `<h1>Try it</h1>
<p id="state" role="status">Signing in to the sandbox…</p>
<p><label>Operation <select id="operation"></select></label></p>`
const menu = document.querySelector('#operation')
for (const { node } of operations) {
  menu.add(
    new Option(`${node.summary} (${node.operationId})`, node.operationId, false, node === operation.node),
  )
}
menu.addEventListener('change', () => location.assign(`?operation=${menu.value}`))

const state = document.querySelector('#state')
try {
  const behaviour = await (await fetch('behaviour.json')).json()
  const { token, prepare } = await openSandbox(contract, operations, behaviour)
  await prepare(operation)
  state.innerHTML =
    'You are signed in to the <a href="sandbox.html">sandbox</a>, whose page shows each request. The example succeeds; reload the page before you send it again.'
  open(token)
} catch (error) {
  state.textContent = `No sandbox behind this page (${error.message}). Run "npx -y pnpm@12 dev" and open this page there.`
  open('')
}

function open(token) {
  const { path, method, node } = operation
  const { [path]: item } = contract.paths
  const paths = { [path]: { ...(item.parameters && { parameters: item.parameters }), [method]: node } }
  const content = {
    ...contract,
    paths,
    webhooks: {},
    tags: contract.tags.filter(({ name }) => node.tags.includes(name)),
  }
  Scalar.createApiReference('#console', {
    content,
    servers: [{ url: location.origin }],
    authentication: {
      securitySchemes: { bearer: { token }, basic: { username: 'partner', password: 'secret' } },
    },
    telemetry: false,
    withDefaultFonts: false,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    hideModels: true,
    hideSearch: true,
    showSidebar: false,
    hideDarkModeToggle: true,
    forceDarkModeState: document.documentElement.classList.contains('dark') ? 'dark' : 'light',
    documentDownloadType: 'none',
    defaultOpenAllTags: true,
  })
}

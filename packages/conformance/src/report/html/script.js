// Filters findings, copies commands and opens link targets. Without scripts, all findings are shown and there is no form.
// It creates no HTML.
const form = document.querySelector('form')
if (form) {
  const findings = [...document.querySelectorAll('li.finding')]
  const textOf = (it) => it.textContent.toLowerCase()
  const texts = new Map(
    findings.map((it) => [it, textOf(it) + textOf(it.closest('article').querySelector('summary'))]),
  )
  const chosen = (name) => form.elements[name].value
  const matches = (it) =>
    ['kind', 'rule', 'operation'].every(
      (name) => chosen(name) === '' || it.dataset[name] === chosen(name),
    ) && texts.get(it).includes(chosen('text').trim().toLowerCase())
  const filter = () => {
    for (const it of findings) it.hidden = !matches(it)
    for (const it of document.querySelectorAll('article'))
      it.hidden = !it.querySelector('li.finding:not([hidden])')
    const shown = findings.filter((it) => !it.hidden).length
    form.querySelector('output').textContent = `${shown} of ${findings.length} shown`
  }
  form.addEventListener('input', filter)
  form.addEventListener('submit', (event) => event.preventDefault())
  form.hidden = false
  filter()
}
for (const button of document.querySelectorAll('.command button')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const pre = button.nextElementSibling
    try {
      await navigator.clipboard.writeText(pre.textContent)
    } catch {
      // Without clipboard access, the user can copy the selection.
      getSelection().selectAllChildren(pre)
      document.execCommand('copy')
    }
    button.textContent = 'Copied'
  })
}
const open = () => {
  const target = document.getElementById(location.hash.slice(1))
  for (let it = target?.closest('details'); it; it = it.parentElement.closest('details'))
    it.open = true
  target?.scrollIntoView()
}
addEventListener('hashchange', open)
open()

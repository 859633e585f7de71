/**
 * Filters findings, copies commands and opens link targets. Without scripts, all findings are shown and there is no
 * form. It creates no HTML.
 */
export const SCRIPT = `
const form = document.querySelector('form')
if (form) {
  const articles = [...document.querySelectorAll('article')]
  const findings = [...document.querySelectorAll('li.finding')]
  const textOf = (it) => it.textContent.toLowerCase()
  const texts = new Map(findings.map((it) => [it, textOf(it) + textOf(it.closest('details').querySelector('summary'))]))
  const chosen = (name) => form.elements[name].value
  const matches = (it) =>
    ['kind', 'rule', 'operation'].every((name) => chosen(name) === '' || it.dataset[name] === chosen(name)) &&
    texts.get(it).includes(chosen('text').trim().toLowerCase())
  const filter = () => {
    for (const it of findings) it.hidden = !matches(it)
    for (const it of articles) it.hidden = !it.querySelector('li.finding:not([hidden])')
    const shown = findings.filter((it) => !it.hidden).length
    form.querySelector('output').textContent = shown + ' of ' + findings.length + ' shown'
  }
  form.addEventListener('input', filter)
  form.addEventListener('submit', (event) => event.preventDefault())
  form.hidden = false
  filter()
}
const copy = async (pre) => {
  try {
    await navigator.clipboard.writeText(pre.textContent)
  } catch {
    // Without clipboard access, the user can copy the selection.
    getSelection().selectAllChildren(pre)
    document.execCommand('copy')
  }
}
for (const button of document.querySelectorAll('.command button')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    await copy(button.nextElementSibling)
    button.textContent = 'Copied'
  })
}
const open = () => {
  const target = document.getElementById(location.hash.slice(1))
  for (let it = target && target.closest('details'); it; it = it.parentElement.closest('details')) it.open = true
  if (target) target.scrollIntoView()
}
addEventListener('hashchange', open)
open()
`

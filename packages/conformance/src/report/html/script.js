// Filters findings, copies commands and opens link targets. Without scripts, all findings are shown
// and there is no form. It creates no HTML.
const form = document.querySelector('form')
if (form) {
  const findings = [...document.querySelectorAll('li.finding')]
  // A finding is found by its own text and by that of its group.
  const texts = new Map()
  for (const finding of findings) {
    const summary = finding.closest('article').querySelector('summary')
    texts.set(finding, (finding.textContent + summary.textContent).toLowerCase())
  }

  const chosen = (name) => form.elements[name].value
  const isChosen = (finding, name) => {
    const value = chosen(name)
    return value === '' || finding.dataset[name] === value
  }
  const hasText = (finding) => texts.get(finding).includes(chosen('text').trim().toLowerCase())
  const matches = (finding) =>
    ['kind', 'rule', 'operation'].every((name) => isChosen(finding, name)) && hasText(finding)

  const filter = () => {
    for (const finding of findings) finding.hidden = !matches(finding)
    for (const group of document.querySelectorAll('article'))
      group.hidden = !group.querySelector('li.finding:not([hidden])')
    for (const chapter of document.querySelectorAll('.chapter'))
      chapter.hidden = !chapter.querySelector('article:not([hidden])')
    const shown = findings.filter((finding) => !finding.hidden)
    form.querySelector('output').textContent = `${shown.length} of ${findings.length} shown`
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
  // The details that it is in, from the innermost.
  let details = target?.closest('details')
  while (details) {
    details.open = true
    details = details.parentElement.closest('details')
  }
  target?.scrollIntoView()
}
addEventListener('hashchange', open)
open()

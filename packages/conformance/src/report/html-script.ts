/**
 * Filters the findings. Without it all of them are shown, and there is no form. What the page shows it has already,
 * so that nothing is ever made into HTML here.
 */
export const SCRIPT = `
const form = document.querySelector('form')
if (form) {
  const articles = [...document.querySelectorAll('article')]
  const texts = new Map(articles.map((it) => [it, it.textContent.toLowerCase()]))
  const chosen = (name) => form.elements[name].value
  const matches = (it) =>
    ['kind', 'law', 'operation'].every((name) => chosen(name) === '' || it.dataset[name] === chosen(name)) &&
    texts.get(it).includes(chosen('text').trim().toLowerCase())
  const filter = () => {
    for (const it of articles) it.hidden = !matches(it)
    const shown = articles.filter((it) => !it.hidden).length
    form.querySelector('output').textContent = shown + ' of ' + articles.length + ' shown'
  }
  form.addEventListener('input', filter)
  form.addEventListener('submit', (event) => event.preventDefault())
  form.hidden = false
  filter()
}
`

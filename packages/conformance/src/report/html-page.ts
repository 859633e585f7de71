/** Light and dark by the reader's preference, one column on narrow screens. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#1c1f2a, #ededf2);
  --soft: light-dark(#565c70, #b4b7c6);
  --line: light-dark(#dfe2ea, #3b3c45);
  --paper: light-dark(#ffffff, #1c1d23);
  --tint: light-dark(#f5f6fa, #2a2b33);
  --link: light-dark(#2b4ecb, #93aaff);
  --good: light-dark(#14683a, #7fdca4);
  --bad: light-dark(#b3261e, #ff9d95);
  --bad-tint: light-dark(#fdeceb, #431d1b);
  --warn: light-dark(#8a4b00, #ffc274);
  --warn-tint: light-dark(#fff0d9, #3b2a10);
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  margin: 0 auto; max-width: 72rem; padding: 1.5rem 1.25rem 4rem;
  color: var(--ink); background: var(--paper); font: 16px/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
h1 { margin: 0 0 .5rem; font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.25rem; }
h3 { margin: 1.75rem 0 .5rem; font-size: 1rem; }
p { margin: .4rem 0; }
a { color: var(--link); }
code, pre, .sides div:first-child { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace; }
pre { margin: .4rem 0; padding: .6rem .75rem; white-space: pre-wrap; }
pre, .figures div, .sides div, li.finding:target { background: var(--tint); border-radius: 6px; }
.soft, dt, th, label { color: var(--soft); }
dt, th, label { font-size: .875rem; }
.outcome-failed { color: var(--bad); }
.outcome-interrupted { color: var(--warn); }
.outcome-passed { color: var(--good); }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 1rem 0 0; }
dl { display: grid; gap: .5rem .75rem; margin: .5rem 0; }
dl div { padding: .4rem .7rem; }
dd { margin: 0; }
.figures { grid-template-columns: repeat(auto-fit, minmax(6.8rem, 1fr)); }
.figures dd { font-size: 1.4rem; font-weight: 650; }
.sides { grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); }
.sides div:first-child { grid-column: 1 / -1; }
form { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin-bottom: 1rem; }
label { display: grid; gap: .2rem; }
label.search { flex: 1 1 14rem; }
input, select {
  width: 100%; min-height: 2.5rem; padding: .3rem .6rem; font: inherit; font-size: 1rem;
  color: var(--ink); background: var(--paper); border: 1px solid var(--soft); border-radius: 6px;
}
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
article {
  margin: 0 0 .5rem; padding: .4rem .75rem; border: 1px solid var(--line); border-left: 4px solid var(--warn);
  border-radius: 6px; content-visibility: auto; contain-intrinsic-size: auto 3rem;
}
article.failing { border-left-color: var(--bad); }
.tag {
  display: inline-block; margin-right: .4rem; padding: 0 .5rem; white-space: nowrap; border-radius: 1rem;
  font-size: .8125rem; font-weight: 600; color: var(--warn); background: var(--warn-tint);
}
.failing .tag, .tag.bad { color: var(--bad); background: var(--bad-tint); }
.tag.critical { color: var(--paper); background: var(--bad); }
.tag.good { color: var(--good); background: var(--tint); }
.tag.plain { color: var(--soft); background: var(--tint); }
summary { cursor: pointer; color: var(--link); padding: .25rem 0; }
article summary strong { color: var(--ink); }
ul.findings { margin: .5rem 0 0; padding: 0; list-style: none; }
li.finding { padding: .5rem 0; border-top: 1px solid var(--line); scroll-margin-top: 1rem; }
.command { position: relative; }
.command pre { padding-right: 5rem; }
button {
  position: absolute; top: .3rem; right: .3rem; min-height: 2rem; padding: .1rem .7rem; font: inherit; font-size: .875rem;
  color: var(--link); background: var(--paper); border: 1px solid var(--line); border-radius: 6px; cursor: pointer;
}
.scroll { overflow-x: auto; }
.scroll + .scroll { margin-top: 1.5rem; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .45rem .75rem .45rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
td.bar { width: 30%; }
td:first-child { min-width: 18rem; }
td.result { min-width: 10rem; }
.number { text-align: right; white-space: nowrap; }
.number, .figures dd { font-variant-numeric: tabular-nums; }
meter { width: 8rem; height: .7rem; }
@media (max-width: 40rem) {
  body { padding: 1rem .75rem 3rem; }
  .figures { grid-template-columns: repeat(3, 1fr); gap: .4rem; }
  .figures div { padding: .3rem .4rem; }
  .figures dt { font-size: .75rem; }
  .figures dd { font-size: 1.1rem; }
  form { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .4rem; }
  label.search, output { grid-column: 1 / -1; }
  thead { position: absolute; left: -99rem; }
  tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  tr td, tr td.number { display: block; padding: .1rem 0; border: 0; text-align: left; }
  tr td { width: auto !important; min-width: 0 !important; }
  td[data-label]:not(:first-child)::before { content: attr(data-label) ': '; color: var(--soft); font-size: .875rem; }
}
`

/**
 * Filters findings, copies commands and opens link targets. Without scripts, all findings are shown and there is no
 * form. It creates no HTML.
 */
export const SCRIPT = `
const form = document.querySelector('form')
if (form) {
  const findings = [...document.querySelectorAll('li.finding')]
  const textOf = (it) => it.textContent.toLowerCase()
  const texts = new Map(findings.map((it) => [it, textOf(it) + textOf(it.closest('article').querySelector('summary'))]))
  const chosen = (name) => form.elements[name].value
  const matches = (it) =>
    ['kind', 'rule', 'operation'].every((name) => chosen(name) === '' || it.dataset[name] === chosen(name)) &&
    texts.get(it).includes(chosen('text').trim().toLowerCase())
  const filter = () => {
    for (const it of findings) it.hidden = !matches(it)
    for (const it of document.querySelectorAll('article')) it.hidden = !it.querySelector('li.finding:not([hidden])')
    const shown = findings.filter((it) => !it.hidden).length
    form.querySelector('output').textContent = shown + ' of ' + findings.length + ' shown'
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
  for (let it = target?.closest('details'); it; it = it.parentElement.closest('details')) it.open = true
  target?.scrollIntoView()
}
addEventListener('hashchange', open)
open()
`

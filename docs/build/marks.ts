/** What a mark says before its question, by its basis: from the most certain to the least. */
const BASES: Readonly<Record<string, string>> = {
  fact: 'Fact',
  standard: 'Follows a standard, not confirmed',
  assumed: 'Our assumption',
  open: 'No assumption',
}
const ORDER = Object.keys(BASES)

/**
 * A link whose title begins with a basis marks a statement. Its text may name what is assumed:
 * `assumed: values`.
 */
const LINK = /\[(fact|standard|assumed|open)(?:: ([^\]]*))?\]\(([^\s)]+) "\w+: ([^"]*)"\)/
const RUN = new RegExp(`((?<=[\\w.,:;)\`”*])[ \\n])?${LINK.source}(?:\\s${LINK.source})*`, 'g')

/**
 * The marks of a text as HTML: those that stand together become one mark, which shows their
 * questions.
 */
export function drawMarks(markdown: string): string {
  return markdown.replaceAll(RUN, (run) => drawn([...run.matchAll(new RegExp(LINK, 'g'))]))
}

/** A text without its marks, for the search. */
export function withoutMarks(markdown: string): string {
  return markdown.replaceAll(RUN, '')
}

/** Text as HTML. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function drawn(links: readonly RegExpMatchArray[]): string {
  const all = links.map(([, basis = '', aspect, href = '', text = '']) => ({
    basis,
    href: href.replace('.md', '.html'),
    name: `${BASES[basis]}${aspect ? ` (${aspect})` : ''}:`,
    text: escaped(text),
  }))
  // The colour is that of the least certain.
  const basis = all
    .map((it) => it.basis)
    .reduce((a, b) => (ORDER.indexOf(a) > ORDER.indexOf(b) ? a : b))
  const label = all.map(({ name, text }) => `${name} ${text}`).join(' ')
  const notes = all
    .map((it) => `<a class="${it.basis}" href="${it.href}"><b>${it.name}</b> ${it.text}</a>`)
    .join('')
  const sign = basis === 'fact' ? '§' : '?'
  return `<span class="mark ${basis}"><button type="button" aria-label="${label}">${sign}</button><span class="notes">${notes}</span></span>`
}

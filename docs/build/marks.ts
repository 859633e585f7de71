/** What a mark says before its question, by its basis: from the most certain to the least. */
const BASES: Readonly<Record<string, string>> = {
  fact: 'Fact',
  observed: 'Observed, not stated',
  standard: 'Follows a standard, not confirmed',
  assumed: 'Our assumption',
  open: 'No assumption',
}
const ORDER = Object.keys(BASES)

/**
 * A link whose title begins with a basis marks a statement. Its text may name what is assumed:
 * `assumed: values`.
 */
const LINK = /\[(fact|observed|standard|assumed|open)(?:: ([^\]]*))?\]\(([^\s)]+) "\w+: ([^"]*)"\)/
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
  const notes = links.map(noteOf)
  const basis = leastCertain(notes.map((note) => note.basis))
  const label = notes.map(({ name, text }) => `${name} ${text}`).join(' ')
  const anchors = notes.map(
    (note) => `<a class="${note.basis}" href="${note.href}"><b>${note.name}</b> ${note.text}</a>`,
  )
  const sign = basis === 'fact' ? '§' : '?'
  return `<span class="mark ${basis}"><button type="button" aria-label="${label}">${sign}</button><span class="notes">${anchors.join('')}</span></span>`
}

function noteOf([, basis = '', aspect, href = '', text = '']: RegExpMatchArray) {
  const name = aspect ? `${BASES[basis]} (${aspect}):` : `${BASES[basis]}:`
  return {
    basis,
    href: href.replace('.md', '.html'),
    name,
    text: escaped(text),
  }
}

/** The basis that gives a mark its colour. */
function leastCertain(bases: readonly string[]): string {
  return ORDER.findLast((basis) => bases.includes(basis)) ?? ''
}

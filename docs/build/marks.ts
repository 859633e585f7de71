/** What marks and the legend of a page say of each basis, from the most certain to the least. */
const BASES: Readonly<Record<string, string>> = {
  fact: 'fact',
  observed: 'observed, not stated',
  standard: 'follows a standard, not confirmed',
  assumed: 'our assumption',
  open: 'no assumption',
}
const ORDER = Object.keys(BASES)

/**
 * A link whose title begins with a basis marks a statement. Its text may name what is assumed:
 * `assumed: values`.
 */
const LINK = /\[(fact|observed|standard|assumed|open)(?:: ([^\]]*))?\]\(([^\s)]+) "\w+: ([^"]*)"\)/
/** Such links with only a space or a line break between them, and the space before the first. */
const LINKS_IN_A_ROW = new RegExp(
  `((?<=[\\w.,:;)\`”*])[ \\n])?${LINK.source}(?:\\s${LINK.source})*`,
  'g',
)

/** What the contract assumes, by the id of the open question. */
export type Assumptions = Readonly<Record<string, string>>

/** The assumption of each open question, by its id, cut to what the note of a mark can show. */
export function shortAssumptions(
  questions: Readonly<Record<string, { readonly assumption: string }>>,
): Assumptions {
  const entries = Object.entries(questions)
  return Object.fromEntries(entries.map(([id, { assumption }]) => [id, shorten(assumption)]))
}

const MAX_LENGTH = 200

/**
 * The beginning of a text that fits into a note: always its first sentence, then whole sentences up
 * to the limit. Ends with `…` if something is left out.
 */
function shorten(text: string): string {
  const [first = '', ...others] = text.match(SENTENCES) ?? [text]
  let beginning = first
  for (const sentence of others) {
    if (beginning.length + sentence.length > MAX_LENGTH) return `${beginning.trim()} …`
    beginning += sentence
  }
  return beginning.trim()
}

/** Each up to its full stop, with one space behind it. */
const SENTENCES = /.+?\.(?=\s|$)\s?/gs

/**
 * Draws the marks of a page as HTML. In the Markdown, a mark is a link such as
 * `[assumed](/open-questions.md#paging "assumed: …")` behind a statement. Several in a row become one
 * mark, which shows all of their questions and what is assumed.
 */
export function drawMarks(markdown: string, assumptions: Assumptions): string {
  return markdown.replaceAll(LINKS_IN_A_ROW, (linksInARow) => {
    const links = [...linksInARow.matchAll(new RegExp(LINK, 'g'))]
    return drawMark(links.map((link) => readNote(link, assumptions)))
  })
}

/** The address of the page about marks, below the top of the site. */
const ABOUT_MARKS = 'guides/what-is-not-known.md'

/**
 * A page with a line below its title that explains the marks which it has. A mark is the sign
 * behind a statement that says whether it is a fact, observed, or assumed. A page without marks
 * stays as it is.
 *
 * @param path The page, below the top of the site. The page about marks needs no legend.
 */
export function withLegend(markdown: string, path: string): string {
  if (path === ABOUT_MARKS) return markdown

  const links = [...markdown.matchAll(new RegExp(LINK, 'g'))]
  const bases = new Set(links.map(([, basis = '']) => basis))
  if (bases.size === 0) return markdown

  const meanings = ORDER.filter((basis) => bases.has(basis)).map(explainSign)
  // A guide explains in words of its own, which the document does not state.
  const isOfContract = path.startsWith('operations/')
  if (isOfContract) meanings.push('<span>no mark: stated by the source document</span>')

  const root = '../'.repeat(path.split('/').length - 1)
  const link = `[Marks](${root}${ABOUT_MARKS}#how-to-read-a-mark)`
  return markdown.replace(
    TITLE,
    (title) => `${title}\n\n${link}: ${meanings.join(' · ')} {.legend}`,
  )
}

function explainSign(basis: string): string {
  return `<span><span class="sign ${basis}">${signOf(basis)}</span> ${BASES[basis]}</span>`
}

const TITLE = /^# .*$/m

/** A text without its marks, for the search. */
export function withoutMarks(markdown: string): string {
  return markdown.replaceAll(LINKS_IN_A_ROW, '')
}

/** Text as HTML in which Markdown finds nothing of its own, such as the asterisks of a masked CPF. */
function escapeMarkdown(text: string): string {
  return escaped(text).replaceAll(/[*_`[\]{}]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** Text as HTML. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** What a mark says of one question. */
interface Note {
  readonly basis: string
  readonly href: string
  readonly name: string
  readonly question: string
  /** Empty for a fact. */
  readonly assumption: string
}

/**
 * One mark as HTML: a button, and the notes that it opens, one for each question. Its sign and colour
 * are those of the least certain of them: "assumed" if one is observed and one assumed.
 */
function drawMark(notes: readonly Note[]): string {
  const basis = leastCertain(notes.map((note) => note.basis))
  const label = notes.map(({ name, question }) => `${name} ${question}`)
  const anchors = notes.map(writeAnchor)
  return `<span class="mark ${basis}"><button type="button" aria-label="${label.join(' ')}">${signOf(basis)}</button><span class="notes">${anchors.join('')}</span></span>`
}

function signOf(basis: string): string {
  return basis === 'fact' ? '§' : '?'
}

function writeAnchor({ basis, href, name, question, assumption }: Note): string {
  const answer = assumption ? ` <i>${assumption}</i>` : ''
  return `<a class="${basis}" href="${href}"><b>${name}</b> ${question}${answer}</a>`
}

/**
 * What a mark says of one question, read from one link of the Markdown.
 *
 * @param link The match of a link such as `[assumed: values](/open-questions.md#ids "assumed: …")`.
 * @param assumptions The texts of all assumptions, by the id of their question.
 */
function readNote(link: RegExpMatchArray, assumptions: Assumptions): Note {
  const [, basis = '', aspect, href = '', question = ''] = link
  const [, id = ''] = href.split('#')
  const name = capitalize(BASES[basis] ?? basis)
  return {
    basis,
    href: href.replace('.md', '.html'),
    name: aspect ? `${name} (${aspect}):` : `${name}:`,
    question: escaped(question),
    assumption: escapeMarkdown(assumptions[id] ?? ''),
  }
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The basis that gives a mark its colour. */
function leastCertain(bases: readonly string[]): string {
  return ORDER.findLast((basis) => bases.includes(basis)) ?? ''
}

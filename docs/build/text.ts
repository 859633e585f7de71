import { readFile } from 'node:fs/promises'
import { EFFECTS } from '@partner-payments/spec/build'
import {
  aspectOf,
  type Contract,
  eventPath,
  isOfWholeNode,
  type PlacedMark,
  type Questions,
  requireComponent,
} from './contract.ts'
import { findSample, type SampleSources } from './samples.ts'

/** What the texts of a page may refer to; `root` leads from the page to the top of the site. */
export interface Sources {
  readonly contract: Contract
  /** The address of the page of each operation, by its id. */
  readonly operationPages: ReadonlyMap<string, string>
  readonly questions: Questions
  readonly root: string
}

/** What stands for each directive, such as `{{event:name}}`, by the word before the colon. */
const DIRECTIVES: Readonly<
  Record<string, (id: string, sources: Sources, more?: string) => string>
> = {
  /**
   * A link that marks an assumption, such as `[assumed: form](/open-questions.md#ids "assumed: …")`:
   * the basis of the question, and what is assumed. `drawMarks` makes a mark of it.
   */
  assumption(id, { questions }, aspect = '') {
    const entry = questions[id]
    if (!entry) throw new Error(`the register of open questions has no "${id}"`)
    const title = `${entry.basis}: ${entry.question}`.replaceAll('"', "'").replaceAll('|', '/')
    const text = aspect ? `${entry.basis}: ${aspect}` : entry.basis
    return `[${text}](/open-questions.md#${id} "${title}")`
  },
  effect(name) {
    const [, meaning] = Object.entries(EFFECTS).find(([effect]) => effect === name) ?? []
    if (!meaning) throw new Error(`there is no effect "${name}"`)
    return meaning
  },
  operation(id, { operationPages }) {
    const page = operationPages.get(id)
    if (!page) throw new Error(`the contract has no operation "${id}"`)
    return `[\`${id}\`](${page})`
  },
  error: (code) => `[\`${code}\`](/behaviour/errors.md#${code})`,
  /** A link to the page of an event, such as `transfer.settled`. */
  event(name, { contract }) {
    if (!(name in contract.webhooks))
      throw new Error(
        `the contract has no event "${name}". Its events are ${Object.keys(contract.webhooks).join(', ')}: edit the sentence`,
      )
    return `[\`${name}\`](${eventPath(name)})`
  },
}

/**
 * Replaces the directives in a text by links: `{{assumption:id}}`, `{{operation:id}}`,
 * `{{error:code}}`, `{{event:name}}` and `{{effect:name}}`. Links that begin with `/` then lead to
 * the top of the site.
 *
 * @throws {Error} if there is no such directive, or if what it names does not exist
 */
export function expand(text: string, sources: Sources): string {
  const expanded = text.replaceAll(DIRECTIVE, (_, name, id, more) => {
    const directive = DIRECTIVES[name]
    if (!directive) throw new Error(`there is no directive "${name}"`)
    return directive(id, sources, more)
  })
  return expanded.replaceAll('](/', `](${sources.root}`)
}

/** Throws an Error that names the line of the first directive that cannot be expanded. */
export function requireDirectives(text: string, sources: Sources): void {
  for (const { 0: directive, index } of text.matchAll(DIRECTIVE)) {
    try {
      expand(directive, sources)
    } catch (cause) {
      const line = text.slice(0, index).split('\n').length
      const message = cause instanceof Error ? cause.message : cause
      throw new Error(`line ${line}: ${message}`, { cause })
    }
  }
}

/** `{{name:id more}}`. */
const DIRECTIVE = /\{\{([a-z]+):([\w.-]+)(?: ([^}]+))?\}\}/g

/**
 * The directives that mark assumptions, one for each question, such as `{{assumption:ids form}}`:
 * `ids` is the question, and `form` the part of the node that is assumed. A node that is assumed as a
 * whole has no such part: `{{assumption:ids}}`.
 */
export function assumptions(marks: readonly PlacedMark[]): string {
  const directives: string[] = []
  for (const [id, marksOfQuestion] of Map.groupBy(marks, ({ question }) => question)) {
    const isWhole = marksOfQuestion.some(isOfWholeNode)
    const aspects = new Set(marksOfQuestion.map(aspectOf))
    directives.push(
      isWhole ? `{{assumption:${id}}}` : `{{assumption:${id} ${[...aspects].join(', ')}}}`,
    )
  }
  return directives.join(' ')
}

/** A mark that says where the source document states a fact. */
export function factMark(section: string): string {
  return `[fact](/guides/what-is-not-known.md "fact: The source document states it in “${section}”.")`
}

/** A comment that names a sample, with the code block below it if there is one. */
const SAMPLE =
  /^<!-- (include|example|curl|typescript): (\S+)(?: (\S+))? -->$(?:\n\n```.*\n(?:(?!```).*\n)*```$)?/gm

/**
 * Writes a code block below each `<!-- include: file -->`, `<!-- example: name -->`, `<!-- curl:
 * operation example -->` and `<!-- typescript: operation -->`, in place of the block that is there.
 * The guides have these blocks in the repository too, for those who read them there; a test compares
 * them with the result.
 */
export async function withSamples(
  text: string,
  page: URL,
  sources: SampleSources,
): Promise<string> {
  const blocks = new Map<string, string>()
  for (const [commentAndBlock, kind = '', name = '', example] of text.matchAll(SAMPLE)) {
    const block = await createBlock({ kind, name, example }, page, sources)
    blocks.set(readComment(commentAndBlock), block)
  }
  return text.replaceAll(SAMPLE, (commentAndBlock) => {
    const comment = readComment(commentAndBlock)
    return `${comment}\n\n${blocks.get(comment)}`
  })
}

/** The first line of what `SAMPLE` matches. */
function readComment(commentAndBlock: string): string {
  const [comment = ''] = commentAndBlock.split('\n')
  return comment
}

/** The code block that belongs below a comment such as `<!-- include: file -->`. */
async function createBlock(
  { kind, name, example }: { kind: string; name: string; example: string | undefined },
  page: URL,
  sources: SampleSources,
): Promise<string> {
  if (kind === 'include') return fileBlock(new URL(name, page))
  if (kind === 'example')
    return jsonBlock(requireComponent(sources.contract, `#/components/examples/${name}`).value)
  const source = findSample(sources, kind, name, example)
  return codeBlock(source, kind === 'curl' ? 'sh' : 'ts')
}

/** Writes the code blocks as `withSamples` does, for the site: without the comments that name them. */
export async function include(text: string, page: URL, sources: SampleSources): Promise<string> {
  return (await withSamples(text, page, sources)).replaceAll(
    /^<!-- (include|example|curl|typescript): .* -->\n\n/gm,
    '',
  )
}

async function fileBlock(file: URL): Promise<string> {
  const source = await readFile(file, 'utf8')
  const extension = file.pathname.split('.').at(-1)
  return codeBlock(source, extension === 'mjs' ? 'js' : extension)
}

export function jsonBlock(value: unknown): string {
  return codeBlock(JSON.stringify(value, null, 2), 'json')
}

/** A code block; the label names it in a group of several. */
export function codeBlock(source: string, lang = '', label = ''): string {
  const info = label ? `${lang} [${label}]` : lang
  return `\`\`\`${info}\n${source.trimEnd()}\n\`\`\``
}

/** The parts of a page that say something, as paragraphs. */
export function paragraphs(...texts: readonly unknown[]): string {
  return texts.flat(2).filter(Boolean).join('\n\n')
}

/** A heading with a table of Markdown, or nothing where there are no rows. */
export function table(
  title: string,
  head: readonly string[],
  rows: readonly (readonly unknown[])[],
): string {
  if (rows.length === 0) return ''
  const rule = head.map(() => '---')
  const lines = [head, rule, ...rows].map(tableLine)
  return paragraphs(title, lines.join('\n'))
}

function tableLine(cells: readonly unknown[]): string {
  const texts = cells.map((cell) => String(cell).replaceAll('|', '\\|'))
  return `| ${texts.join(' | ')} |`
}

/** Text of the contract in one line of Markdown. */
export function prose(text: unknown): string {
  return withCode(String(text ?? '').replaceAll(/\s+/g, ' '))
}

/** Markdown without tags and templates, and with names of fields, values and operations as code. */
export function withCode(text: string): string {
  // What `split` captures has the odd places: code and the targets of links, which stay as they are.
  const parts = text.split(/(`[^`]*`|\]\([^)]*\))/)
  return parts.map((part, index) => (index % 2 === 1 ? part : markNames(part))).join('')
}

/** `snake_case` and `camelCase`. */
const NAME = /(?<![\w/.-])(?:[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+|[a-z]+(?:[A-Z][a-z]+)+)(?![\w/])/g

/** Puts names into backticks, and escapes what Vue would read as a tag or a template. */
function markNames(text: string): string {
  const escaped = text.replaceAll('<', '&lt;').replaceAll('{', '&#123;')
  return escaped.replaceAll(NAME, '`$&`')
}

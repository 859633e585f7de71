import { readFile } from 'node:fs/promises'
import { EFFECTS } from '@partner-payments/spec/build'
import {
  aspectOf,
  type Contract,
  eventPath,
  type Mark,
  operationsOf,
  type Questions,
  resolve,
} from './contract.ts'
import { sampleOf } from './samples.ts'

/** What the texts of a page may refer to; `root` leads from the page to the top of the site. */
export interface Sources {
  readonly contract: Contract
  readonly questions: Questions
  readonly root: string
}

const DIRECTIVES: Readonly<
  Record<string, (id: string, sources: Sources, more?: string) => string>
> = {
  /** A link that marks an assumption. `drawMarks` makes a mark of it. */
  assumption(id, { questions }, aspect = '') {
    const entry = questions[id]
    if (!entry) throw new Error(`the register of open questions has no "${id}"`)
    const title = `${entry.basis}: ${entry.question}`.replaceAll('"', "'").replaceAll('|', '/')
    return `[${entry.basis}${aspect && `: ${aspect}`}](/open-questions.md#${id} "${title}")`
  },
  effect(name) {
    const meaning = Object.entries(EFFECTS).find(([effect]) => effect === name)
    if (!meaning) throw new Error(`there is no effect "${name}"`)
    return meaning[1]
  },
  operation(id, { contract }) {
    const isKnown = operationsOf(contract).some(({ node }) => node.operationId === id)
    if (!isKnown) throw new Error(`the contract has no operation "${id}"`)
    return `[\`${id}\`](/operations/${id}.md)`
  },
  error: (code) => `[\`${code}\`](/behaviour/errors.md#${code})`,
  event(name, { contract }) {
    if (!(name in contract.webhooks)) throw new Error(`the contract has no event "${name}"`)
    return `[\`${name}\`](${eventPath(name)})`
  },
}

/**
 * Expands `{{assumption:id}}`, `{{operation:id}}`, `{{error:code}}`, `{{event:name}}` and
 * `{{effect:name}}`, and leads links that begin at the top of the site there.
 */
export function expand(text: string, sources: Sources): string {
  return text
    .replaceAll(/\{\{([a-z]+):([\w.-]+)(?: ([^}]+))?\}\}/g, (_, name, id, more) => {
      const directive = DIRECTIVES[name]
      if (!directive) throw new Error(`there is no directive "${name}"`)
      return directive(id, sources, more)
    })
    .replaceAll('](/', `](${sources.root}`)
}

/**
 * Directives that mark assumptions: one for each question, with what is assumed unless it is the
 * whole.
 */
export function assumptions(marks: readonly Mark[]): string {
  const byQuestion = Map.groupBy(marks, ({ question }) => question)
  const directives = [...byQuestion].map(([id, all]) => {
    const aspects = new Set(all.map(aspectOf))
    return `{{assumption:${id}${aspects.has(undefined) ? '' : ` ${[...aspects].join(', ')}`}}}`
  })
  return directives.join(' ')
}

/** A mark that says where the source document states a fact. */
export function factMark(section: string): string {
  return `[fact](/guides/what-is-not-known.md "fact: The source document states it in “${section}”.")`
}

const SAMPLE =
  /^<!-- (include|example|curl|typescript): (\S+)(?: (\S+))? -->$(?:\n\n```.*\n(?:(?!```).*\n)*```$)?/gm

/**
 * Writes a code block below each `<!-- include: file -->`, `<!-- example: name -->`, `<!-- curl:
 * operation example -->` and `<!-- typescript: operation -->`, in place of the block that is there.
 * A test compares the result with the guides, so that they show what the tests run on any host of
 * code too.
 */
export async function withSamples(text: string, page: URL, contract: Contract): Promise<string> {
  const blocks = [...text.matchAll(SAMPLE)].map(async ([, kind, name = '', example]) => {
    if (kind === 'include') return fileBlock(new URL(name, page))
    if (kind === 'example')
      return jsonBlock(resolve(contract, `#/components/examples/${name}`).value)
    return codeBlock(sampleOf(contract, kind ?? '', name, example), kind === 'curl' ? 'sh' : 'ts')
  })
  const filled = await Promise.all(blocks)
  return text.replaceAll(SAMPLE, (whole) => `${whole.split('\n')[0]}\n\n${filled.shift()}`)
}

/** The same for the site, without the comments. */
export async function include(text: string, page: URL, contract: Contract): Promise<string> {
  return (await withSamples(text, page, contract)).replaceAll(
    /^<!-- (include|example|curl|typescript): .* -->\n\n/gm,
    '',
  )
}

async function fileBlock(file: URL): Promise<string> {
  return codeBlock(
    await readFile(file, 'utf8'),
    file.pathname.split('.').at(-1)?.replace('mjs', 'js'),
  )
}

export function jsonBlock(value: unknown): string {
  return codeBlock(JSON.stringify(value, null, 2), 'json')
}

export function codeBlock(source: string, lang = '', label = ''): string {
  return `\`\`\`${lang}${label && ` [${label}]`}\n${source.trimEnd()}\n\`\`\``
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
  const line = (cells: readonly unknown[]) =>
    `| ${cells.map((it) => String(it).replaceAll('|', '\\|')).join(' | ')} |`
  if (rows.length === 0) return ''
  return paragraphs(title, [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n'))
}

/** Text of the contract in one line of Markdown. */
export function prose(text: unknown): string {
  return withCode(String(text ?? '').replaceAll(/\s+/g, ' '))
}

/** Markdown without tags and templates, and with names of fields, values and operations as code. */
export function withCode(text: string): string {
  return text
    .split(/(`[^`]*`|\]\([^)]*\))/)
    .map((part, index) => (index % 2 ? part : asCode(part)))
    .join('')
}

function asCode(text: string): string {
  return text
    .replaceAll('<', '&lt;')
    .replaceAll('{', '&#123;')
    .replaceAll(
      /(?<![\w/.-])(?:[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+|[a-z]+(?:[A-Z][a-z]+)+)(?![\w/])/g,
      '`$&`',
    )
}

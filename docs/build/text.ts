import { readFile } from 'node:fs/promises'
import { EFFECTS } from '@partner-payments/spec/build'
import { type Contract, operationsOf, referenceLink, resolve } from './contract.ts'
import type { Questions } from './marks.ts'

/** What the texts of a page may refer to; `root` leads from the page to the top of the site. */
export interface Sources {
  readonly contract: Contract
  readonly questions: Questions
  readonly root: string
}

/** A link that marks an assumption. The style sheet makes it a small mark, or a badge where a reader asks for it. */
export function assumption(id: string, { questions, root }: Pick<Sources, 'questions' | 'root'>): string {
  const entry = questions[id]
  if (!entry) throw new Error(`the register of open questions has no "${id}"`)
  const title = `${entry.basis}: ${entry.question}`.replaceAll('"', "'").replaceAll('|', '/')
  return `[${entry.basis}](${root}open-questions.md#${id} "${title}")`
}

/** Expands `{{assumption:id}}`, `{{operation:id}}` and `{{effect:name}}`. Throws where there is no such thing. */
export function expand(text: string, sources: Sources): string {
  return text.replaceAll(/\{\{([a-z]+):([\w-]+)\}\}/g, (_, name, id) => {
    const directive = DIRECTIVES[name]
    if (!directive) throw new Error(`there is no directive "${name}"`)
    return directive(id, sources)
  })
}

const DIRECTIVES: Record<string, (id: string, sources: Sources) => string> = {
  assumption,
  effect(name) {
    const meaning = Object.entries(EFFECTS).find(([effect]) => effect === name)
    if (!meaning) throw new Error(`there is no effect "${name}"`)
    return meaning[1]
  },
  operation(id, { contract, root }) {
    const isKnown = operationsOf(contract).some(({ node }) => node.operationId === id)
    if (!isKnown) throw new Error(`the contract has no operation "${id}"`)
    return `[\`${id}\`](${root}operations/${id}.md)`
  },
}

/** Replaces `<!-- include: file -->` and `<!-- example: name -->` by code blocks, so that a page shows what the tests run. */
export async function include(text: string, page: URL, contract: Contract): Promise<string> {
  const parts = text.split(/^<!-- (include|example): (\S+) -->$/m)
  const filled = parts.map((part, index) => {
    if (index % 3 === 0) return part
    if (index % 3 === 1) return ''
    return parts[index - 1] === 'include' ? fileBlock(new URL(part, page)) : exampleBlock(part, contract)
  })
  return (await Promise.all(filled)).join('')
}

async function fileBlock(file: URL): Promise<string> {
  return codeBlock(await readFile(file, 'utf8'), file.pathname.split('.').at(-1)?.replace('mjs', 'js'))
}

function exampleBlock(name: string, contract: Contract): string {
  return jsonBlock(resolve(contract, `#/components/examples/${name}`).value)
}

export function jsonBlock(value: unknown): string {
  return codeBlock(JSON.stringify(value, null, 2), 'json')
}

export function codeBlock(source: string, lang = '', label = ''): string {
  return `\`\`\`${lang}${label && ` [${label}]`}\n${source.trimEnd()}\n\`\`\``
}

/** A table of Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((it) => it.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Text of the contract in one line of Markdown: no tags, no template, and names of fields and values as code. */
export function prose(text: unknown): string {
  return String(text ?? '')
    .replaceAll(/\s+/g, ' ')
    .split(/(`[^`]*`|\]\([^)]*\))/)
    .map((part, index) => (index % 2 ? part : asCode(part)))
    .join('')
}

function asCode(text: string): string {
  return text
    .replaceAll('<', '&lt;')
    .replaceAll('{', '&#123;')
    .replaceAll(/(?<![\w/.-])[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+(?![\w/])/g, '`$&`')
}

/** The link in the reference to an operation or an event. It is no page of VitePress, which must not take over the click. */
export function toReference(
  operation: Parameters<typeof referenceLink>[0],
  text: string,
  root: string,
): string {
  return `[${text}](${root}${referenceLink(operation)}){target="_self"}`
}

import { readdir, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parse } from 'yaml'
import type { Contract } from './contract.ts'
import { directives } from './directives.ts'
import { type Markdown, markdown } from './markdown.ts'
import type { Questions } from './marks.ts'

/** The phases of the checker, in their order, with what is done in each. */
export const PHASES = {
  responses: 'Check every response, whatever the request was.',
  'valid requests': 'Send what the contract shows and allows, and expect that it is accepted.',
  'invalid requests': 'Change one keyword of an accepted request, and expect a refusal.',
  records: 'Follow a record from its creation to its end.',
  authorization: 'Try who may do what, and who may not.',
  http: 'Change methods, media types, bodies and paths.',
  random: 'Send random requests that fit the schemas.',
  deliveries: 'Cause events, and check what arrives at a receiver.',
  lists: 'Compare pages and filters of lists.',
  later: 'Move the clock of a sandbox on.',
} as const

/** The page of a rule: `html` is its text, `former` the ids of rules that were merged into it. */
export type RulePage = {
  id: string
  phase: keyof typeof PHASES
  summary: string
  html: string
  former: readonly string[]
}

const FOLDER = new URL('../rules/', import.meta.url)
/** The checker is no dependency of the docs; this file of it has none itself. */
const ALIASES = new URL('../../packages/conformance/src/engine/aliases.ts', import.meta.url)

/** Every rule of docs/rules, by phase and then by id. Throws an Error that names the rule at fault. */
export async function readRules(contract: Contract, questions: Questions): Promise<RulePage[]> {
  const render = await markdown(directives(contract, questions))
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.md'))
  const aliases: Readonly<Record<string, string>> = (await import(ALIASES.href)).ALIASES
  const formerOf = (id: string) => Object.keys(aliases).filter((former) => aliases[former] === id)
  const rules = await Promise.all(names.map((name) => readRule(name, render, formerOf)))
  return rules.sort((a, b) => rank(a) - rank(b) || a.id.localeCompare(b.id))
}

async function readRule(
  file: string,
  render: Markdown,
  formerOf: (id: string) => string[],
): Promise<RulePage> {
  try {
    const text = await readFile(new URL(file, FOLDER), 'utf8')
    const [, front = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? []
    const { phase, summary } = parse(front) ?? {}
    if (!isPhase(phase) || typeof summary !== 'string')
      throw new Error('expected front matter with phase (one of the checker) and summary')
    const id = basename(file, '.md')
    return { id, phase, summary, html: render(body), former: formerOf(id).sort() }
  } catch (cause) {
    throw new Error(`docs/rules/${file}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

function isPhase(phase: unknown): phase is RulePage['phase'] {
  return typeof phase === 'string' && Object.hasOwn(PHASES, phase)
}

function rank({ phase }: RulePage): number {
  return Object.keys(PHASES).indexOf(phase)
}

import { readdir, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parse } from 'yaml'
import type { Contract } from './contract.ts'
import { directives } from './directives.ts'
import { type Markdown, markdown } from './markdown.ts'
import type { Questions } from './marks.ts'

/** The phases of the checker, in their order, with what is done in each. */
export const PHASES = {
  responses: 'Asked of whatever the service answers, whatever it was asked for.',
  'valid requests': 'What the contract shows and allows is accepted.',
  'invalid requests': 'One keyword of an accepted request is broken; nothing else is.',
  records: 'What becomes of a record, from its creation to its end.',
  lists: 'Lists, filters and amounts.',
  authorization: 'Who may do what, and who may not.',
  http: 'Methods, media types and bodies.',
  deliveries: 'Events on their way to a receiver.',
  random: 'What nobody thought of.',
  later: 'What only shows when the clock has moved on.',
} as const

/** The page of a rule: `html` is its text. */
export type RulePage = { id: string; phase: keyof typeof PHASES; summary: string; html: string }

const FOLDER = new URL('../rules/', import.meta.url)

/** Every rule of docs/rules, by phase and then by id. Throws an Error that names the rule at fault. */
export async function readRules(contract: Contract, questions: Questions): Promise<RulePage[]> {
  const render = await markdown(directives(contract, questions))
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.md'))
  const rules = await Promise.all(names.map((name) => readRule(name, render)))
  return rules.sort((a, b) => rank(a) - rank(b) || a.id.localeCompare(b.id))
}

async function readRule(file: string, render: Markdown): Promise<RulePage> {
  try {
    const text = await readFile(new URL(file, FOLDER), 'utf8')
    const [, front = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? []
    const { phase, summary } = parse(front) ?? {}
    if (!isPhase(phase) || typeof summary !== 'string')
      throw new Error('expected front matter with phase (one of the checker) and summary')
    return { id: basename(file, '.md'), phase, summary, html: render(body) }
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

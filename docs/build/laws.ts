import { readdir, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parse } from 'yaml'
import type { Contract } from './contract.ts'
import { directives } from './directives.ts'
import { type Markdown, markdown } from './markdown.ts'
import type { Questions } from './marks.ts'

/** The phases of the checker, in their order, with what is done in each. */
export const PHASES = {
  'every answer': 'Asked of whatever the service answers, whatever it was asked for.',
  'examples and boundaries': 'What the contract shows and allows is accepted.',
  twins: 'One keyword of an accepted request is broken; nothing else is.',
  lifecycles: 'What becomes of a record, from its creation to its end.',
  data: 'Lists, filters and amounts.',
  authorization: 'Who may do what, and who may not.',
  http: 'Methods, media types and bodies.',
  deliveries: 'Events on their way to a receiver.',
  random: 'What nobody thought of.',
  time: 'What only shows when the clock has moved on.',
} as const

/** The page of a law: `html` is its text. */
export type LawPage = { id: string; phase: keyof typeof PHASES; summary: string; html: string }

const FOLDER = new URL('../laws/', import.meta.url)

/** Every law of docs/laws, by phase and then by id. Throws an Error that names the law at fault. */
export async function readLaws(contract: Contract, questions: Questions): Promise<LawPage[]> {
  const render = await markdown(directives(contract, questions))
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.md'))
  const laws = await Promise.all(names.map((name) => readLaw(name, render)))
  return laws.sort((a, b) => rank(a) - rank(b) || a.id.localeCompare(b.id))
}

async function readLaw(file: string, render: Markdown): Promise<LawPage> {
  try {
    const text = await readFile(new URL(file, FOLDER), 'utf8')
    const [, front = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? []
    const { phase, summary } = parse(front) ?? {}
    if (!isPhase(phase) || typeof summary !== 'string')
      throw new Error('expected front matter with phase (one of the checker) and summary')
    return { id: basename(file, '.md'), phase, summary, html: render(body) }
  } catch (cause) {
    throw new Error(`docs/laws/${file}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

function isPhase(phase: unknown): phase is LawPage['phase'] {
  return typeof phase === 'string' && Object.hasOwn(PHASES, phase)
}

function rank({ phase }: LawPage): number {
  return Object.keys(PHASES).indexOf(phase)
}

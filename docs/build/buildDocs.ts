import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { behaviourPages } from './behaviour/pages.ts'
import type { BehaviourInput } from './behaviour/source.ts'
import { type Contract, operationsOf } from './contract.ts'
import { decorate } from './decorate.ts'
import { directives } from './directives.ts'
import { guidePage } from './guidePage.ts'
import { readGuides } from './guides.ts'
import { landingPage } from './landingPage.ts'
import type { Questions } from './marks.ts'
import { placesOf } from './places.ts'
import { questionsPage } from './questionsPage.ts'
import { referencePage } from './reference.ts'
import { rulePage, rulesPage } from './rulePages.ts'
import { readRules } from './rules.ts'
import { readSamples } from './samples.ts'
import { withShortPaths } from './shortPaths.ts'

/** What the site is built from, and the folder it is built to. `guide` is the contract of the short paths. */
export type DocsInput = BehaviourInput & {
  contract: Contract
  guide: Contract
  questions: Questions
  out: string
}

/**
 * Builds the whole site into `out`: the landing page, the guides, the resources and their errors, the open questions, the
 * rules of the checker, the reference, and both documents of the contract to download. It is built beside `out` and
 * swapped in at the end, so that the last good build stays if this one fails.
 *
 * @throws an Error that names the guide, rule, sample or question at fault
 */
export async function buildDocs({ out, ...input }: DocsInput): Promise<void> {
  const pages = await renderPages(input)
  const next = `${out}.next-${process.pid}`
  // What a process of the same number left when it was stopped.
  for (const old of [next, lastOf(next)]) await rm(old, { recursive: true, force: true })
  for (const [name, text] of pages) await writePage(join(next, name), text)
  await swap(next, out)
}

async function renderPages(input: Omit<DocsInput, 'out'>): Promise<Map<string, string>> {
  const { contract, guide, questions } = input
  const whole = withShortPaths(contract, guide)
  const guides = await readGuides(whole, questions)
  const rules = await readRules(whole, questions)
  const samples = await readSamples(operationsOf(whole))
  const base = await readStyle('base')
  const style = base + (await readStyle('pages'))
  return new Map([
    ['index.html', landingPage({ contract, questions, guides, style })],
    ['open-questions.html', questionsPage({ ...input, places: placesOf(whole), style })],
    ...guides.map((page): [string, string] => [
      `guides/${page.name}.html`,
      guidePage({ guide: page, guides, style }),
    ]),
    ...(await behaviourPages({ ...input, directives: directives(contract, questions), style })),
    ['rules/index.html', rulesPage({ rules, style })],
    ...rules.flatMap((rule) =>
      // Links to the pages of merged rules go on working.
      [rule.id, ...rule.former].map((id): [string, string] => [
        `rules/${id}.html`,
        rulePage({ rule, rules, style }),
      ]),
    ),
    ['reference.html', await referencePage(decorate(whole, { ...input, samples }), base)],
    ['openapi.json', json(contract)],
    ['guide.json', json(guide)],
  ])
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function readStyle(name: string): Promise<string> {
  return readFile(new URL(`style/${name}.css`, import.meta.url), 'utf8')
}

async function writePage(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

async function swap(next: string, out: string): Promise<void> {
  const last = lastOf(next)
  await rename(out, last).catch(() => {})
  await rename(next, out)
  await rm(last, { recursive: true, force: true })
}

function lastOf(next: string): string {
  return `${next}.last`
}

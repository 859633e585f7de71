import { existsSync, readdirSync, readFileSync } from 'node:fs'
import guide from '@partner-payments/spec/guide.json' with { type: 'json' }
import register from '@partner-payments/spec/open-questions.json' with { type: 'json' }
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { ALIASES } from '../src/engine/aliases.ts'
import { PHASES, questionOfRule } from '../src/engine/rule.ts'
import { rules } from '../src/rules.ts'

const here = (path: string) => new URL(path, import.meta.url)
const SOURCES = here('../src/rules/')
const TESTS = here('rules/')
const PAGES = here('../../../docs/rules/')

const ids = rules.map(({ id }) => id)

/** The names of a folder's files that end so, without their ends. */
function namesIn(folder: URL, end: string): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(end))
  return files.map((name) => name.slice(0, -end.length)).filter((name) => name !== 'index')
}

/** What a page says of itself, and its prose. */
function pageOf(id: string): { phase?: unknown; summary?: unknown; text: string } {
  const [, front = '', text = ''] =
    /^---\n(.*?)\n---\n(.*)$/s.exec(readFileSync(new URL(`${id}.md`, PAGES), 'utf8')) ?? []
  return { ...parse(front), text }
}

test('no two rules have one id', () => {
  expect(ids).toEqual([...new Set(ids)])
})

test('rules are listed in the order of their phases', () => {
  const phases = rules.map(({ phase }) => PHASES.indexOf(phase))
  expect(phases).toEqual(phases.toSorted((a, b) => a - b))
})

/** General rules, which read the behaviour of the contract, have files and tests by family. */
const FAMILIES = ['invariants', 'refusals', 'refusals-later']
const single = ids.filter((id) => !FAMILIES.includes(id))

test('every rule has a file of its name, and every file is a rule of the list', () => {
  expect(namesIn(SOURCES, '.ts').sort()).toEqual(single.toSorted())
})

test('every rule has a test of its name, and every test is of a rule', () => {
  expect(namesIn(TESTS, '.test.ts').sort()).toEqual(single.toSorted())
})

test('a former id leads to a rule that exists, and is used by none', () => {
  for (const [former, id] of Object.entries(ALIASES)) {
    expect(ids).toContain(id)
    expect(ids).not.toContain(former)
  }
})

test('every rule has a page of its name, and every page is of a rule', () => {
  expect(namesIn(PAGES, '.md').sort()).toEqual(ids.toSorted())
})

test.each(single)('the test of %s runs it, sees it hold, and sees it broken', (id) => {
  const text = readFileSync(new URL(`${id}.test.ts`, TESTS), 'utf8')
  expect(text).toContain(`runOf('${id}'`)
  expect(text).toContain('toEqual(HELD)')
  expect(text).toMatch(new RegExp(`'(failure|deviation) ${id} `))
})

test.each(rules)('the page of $id says of it what the rule says', (rule) => {
  const { id, phase, title } = rule
  const question = questionOfRule(rule)
  const page = existsSync(new URL(`${id}.md`, PAGES)) ? pageOf(id) : { text: '' }
  expect({ phase: page.phase, summary: page.summary }).toEqual({ phase, summary: title })
  expect(page.text.trim().split('\n').length).toBeGreaterThanOrEqual(5)
  expect(page.text).toContain(question === undefined ? '' : `{{answer:${question}}}`)
})

test('a rule that holds a service to an answer of ours names a question that the contract answers', () => {
  const asked = rules.flatMap((rule) => questionOfRule(rule) ?? [])
  const text = JSON.stringify([contract, guide])
  expect(asked.filter((id) => !Object.hasOwn(register, id) || !text.includes(`"${id}"`))).toEqual([])
})

test('what a rule needs is in the contract', () => {
  const needed = rules.flatMap(({ needs }) => needs ?? [])
  const text = JSON.stringify(contract)
  expect(needed.filter((id) => !text.includes(`"operationId":"${id}"`))).toEqual([])
})

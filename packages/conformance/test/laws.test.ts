import { existsSync, readdirSync, readFileSync } from 'node:fs'
import guide from '@partner-payments/spec/guide.json' with { type: 'json' }
import register from '@partner-payments/spec/open-questions.json' with { type: 'json' }
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { PHASES } from '../src/engine/rule.ts'
import { ALIASES } from '../src/rules/aliases.ts'
import { laws } from '../src/rules/index.ts'

const here = (path: string) => new URL(path, import.meta.url)
const SOURCES = here('../src/laws/')
const TESTS = here('laws/')
const PAGES = here('../../../docs/laws/')

const ids = laws.map(({ id }) => id)

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

test('no two laws have one id', () => {
  expect(ids).toEqual([...new Set(ids)])
})

test('laws are listed in the order of their phases', () => {
  const phases = laws.map(({ phase }) => PHASES.indexOf(phase))
  expect(phases).toEqual(phases.toSorted((a, b) => a - b))
})

/** General rules, which read the behaviour of the contract, have files and tests by family. */
const FAMILIES = ['invariants', 'refusals', 'refusals-later']
const single = ids.filter((id) => !FAMILIES.includes(id))

test('every law has a file of its name, and every file is a law of the list', () => {
  expect(namesIn(SOURCES, '.ts').sort()).toEqual(single.toSorted())
})

test('every law has a test of its name, and every test is of a law', () => {
  expect(namesIn(TESTS, '.test.ts').sort()).toEqual(single.toSorted())
})

test('a former id leads to a rule that exists, and is used by none', () => {
  for (const [former, id] of Object.entries(ALIASES)) {
    expect(ids).toContain(id)
    expect(ids).not.toContain(former)
  }
})

test('every law has a page of its name, and every page is of a law', () => {
  expect(namesIn(PAGES, '.md').sort()).toEqual(ids.toSorted())
})

test.each(single)('the test of %s runs it, sees it hold, and sees it broken', (id) => {
  const text = readFileSync(new URL(`${id}.test.ts`, TESTS), 'utf8')
  expect(text).toContain(`runOf('${id}'`)
  expect(text).toContain('toEqual(HELD)')
  expect(text).toMatch(new RegExp(`'(failure|discovery) ${id} `))
})

test.each(laws)('the page of $id says of it what the law says', ({ id, phase, title, question }) => {
  const page = existsSync(new URL(`${id}.md`, PAGES)) ? pageOf(id) : { text: '' }
  expect({ phase: page.phase, summary: page.summary }).toEqual({ phase, summary: title })
  expect(page.text.trim().split('\n').length).toBeGreaterThanOrEqual(5)
  expect(page.text).toContain(question === undefined ? '' : `{{answer:${question}}}`)
})

test('a law that holds a service to an answer of ours names a question that the contract answers', () => {
  const asked = laws.flatMap(({ question }) => question ?? [])
  const text = JSON.stringify([contract, guide])
  expect(asked.filter((id) => !Object.hasOwn(register, id) || !text.includes(`"${id}"`))).toEqual([])
})

test('what a law needs is in the contract', () => {
  const needed = laws.flatMap(({ needs }) => needs ?? [])
  const text = JSON.stringify(contract)
  expect(needed.filter((id) => !text.includes(`"operationId":"${id}"`))).toEqual([])
})

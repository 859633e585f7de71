import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import behaviour from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { PHASES } from '../src/engine/rule.ts'
import { rules } from '../src/rules.ts'

const here = (path: string) => new URL(path, import.meta.url)
const PAGES = here('../../../docs/rules/')

const ids = rules.map(({ id }) => id)

/** The names of the files with an extension, without it. */
function namesIn(folder: URL, end: string): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(end))
  return files.map((name) => name.slice(0, -end.length)).filter((name) => name !== 'index')
}

/** The metadata and the text of a page. */
function pageOf(id: string): { phase?: unknown; summary?: unknown; text: string } {
  const [, front = '', text = ''] =
    /^---\n(.*?)\n---\n(.*)$/s.exec(readFileSync(new URL(`${id}.md`, PAGES), 'utf8')) ?? []
  return { ...parse(front), text }
}

test('rule ids are unique', () => {
  expect(ids).toEqual([...new Set(ids)])
})

test('rules are listed in the order of their phases', () => {
  const phases = rules.map(({ phase }) => PHASES.indexOf(phase))
  expect(phases).toEqual(phases.toSorted((a, b) => a - b))
})

test('every rule has a page, and every page has a rule', () => {
  expect(namesIn(PAGES, '.md').sort()).toEqual(ids.toSorted())
})

test.each(rules)('the page of $id matches the rule', (rule) => {
  const { id, phase, title } = rule
  const page = existsSync(new URL(`${id}.md`, PAGES)) ? pageOf(id) : { text: '' }
  expect({ phase: page.phase, summary: page.summary }).toEqual({ phase, summary: title })
  expect(page.text.trim().split('\n').length).toBeGreaterThanOrEqual(5)
})

test('the contract contains what the rules need', () => {
  const needed = rules.flatMap(({ needs = [] }) =>
    typeof needs === 'function' ? needs(behaviour as Behaviour) : needs,
  )
  const text = JSON.stringify(contract)
  expect(needed.filter((id) => !text.includes(`"operationId":"${id}"`))).toEqual([])
})

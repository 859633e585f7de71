import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { behaviour, contract, guide, questions } from './site.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const PAGES = globSync(
  ['README.md', 'docs/{guides,home,rules}/*.md', '{spec,packages/*,examples/*}/README.md'],
  { cwd: ROOT },
)

/** Names with an underscore that other programs give. */
const OF_OTHERS: ReadonlySet<string> = new Set([
  // The control API of the sandbox.
  'advance_seconds',
  'ahead_seconds',
  'event_id',
  'fail_deliveries',
  'lose_response',
  'reject_transfer',
  'sign_in',
  'slow_body',
  // Errors of the client, and rows of its shared store of tokens.
  'cannot_know',
  'expires_at',
  'locked_until',
  'outcome_unknown',
  // Variables of the Postman collection.
  'client_key',
  'client_secret',
  'key_to_pay',
  'own_key',
  // Tools of `mcp`.
  'read_contract',
  'read_page',
  'read_sandbox',
  'search_pages',
  // Programs in the pages, and tools that they use.
  'depends_on',
  'has_details',
  'in_days',
  'is_genuine',
  'is_refused',
  'partner_payments',
  'sarif_file',
  'service_healthy',
  'workflow_dispatch',
  // What a service shows that differs from the contract.
  'api_key',
  'legacy_id',
  'req_abc',
  'saldo_insuficiente',
])

const known = new Set([...OF_OTHERS, ...namesIn([contract, guide, behaviour, questions])])

it.each(PAGES)('%s names only fields, parameters and values that exist', (page) => {
  const unknown = namesOf(page).filter(({ name }) => !known.has(name))
  expect(unknown.map(({ name, line }) => `${page}:${line} ${name}`)).toEqual([])
})

it('lists no name of others that no page has', () => {
  const used = new Set(PAGES.flatMap(namesOf).map(({ name }) => name))
  expect([...OF_OTHERS].filter((name) => !used.has(name))).toEqual([])
})

/** Keys, and strings that are one word. */
function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return /^\w+$/.test(value) ? [value] : []
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, child]) => [name, ...namesIn(child)])
}

/** The names with an underscore in the code of a page, in its lines. */
function namesOf(page: string): { readonly name: string; readonly line: number }[] {
  const lines = readFileSync(join(ROOT, page), 'utf8').split('\n')
  let isInBlock = false
  return lines.flatMap((text, i) => {
    if (text.startsWith('```')) isInBlock = !isInBlock
    const code = isInBlock ? [text] : (text.match(/`[^`]+`/g) ?? [])
    const names = code.flatMap((part) => part.match(NAME) ?? [])
    return names.map((name) => ({ name, line: i + 1 }))
  })
}

/** No part of a path, of a variable of a shell, or of a call. */
const NAME = /(?<![\w/.$-])[a-z]+(?:_[a-z]+)+(?![\w(])/g

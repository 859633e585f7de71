import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import behaviour from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import guide from '@partner-payments/spec/guide.json' with { type: 'json' }
import questions from '@partner-payments/spec/open-questions.json' with { type: 'json' }
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const PAGES = globSync(
  ['README.md', 'docs/{guides,home,rules}/*.md', '{spec,packages/*,examples/*}/README.md'],
  { cwd: ROOT },
)
/** Programs that read or write JSON by name. The tables of the sandbox have names of their own. */
const SOURCES = globSync(
  [
    '{packages/{cli,client,conformance,mock,webhooks}/src,docs/{build,receivers},examples/web}/**/*.{ts,tsx}',
    'docs/.vitepress/theme/**/*.ts',
  ],
  { cwd: ROOT, exclude: ['**/{generated,node_modules,dist,test}/**'] },
)
const FILES = [...PAGES, ...SOURCES].map((file) => file.replaceAll('\\', '/'))

/** Names with an underscore that other programs give. */
const OF_OTHERS: ReadonlySet<string> = new Set([
  // Names of version 0.1.0, which the guide to upgrading names.
  'lose_answer',
  'member_missing',
  // The control API of the sandbox.
  'advance_seconds',
  'ahead_seconds',
  'event_id',
  'fail_deliveries',
  'issued_token',
  'lose_response',
  'reject_transfer',
  'sign_in',
  'slow_body',
  // What services with pages of another form often have in a list.
  'has_more',
  // Errors of the client.
  'cannot_know',
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
  'is_refused',
  'partner_payments',
  'sarif_file',
  'service_healthy',
  // Node and SQLite, and a kind of names.
  'heap_size_limit',
  'journal_mode',
  'node_modules',
  'snake_case',
  'used_heap_size',
  // What the example stores.
  'payments_by_target',
  'transfer_id',
  // What the checker sends, and how it writes forms.
  'rec_h',
  'x_deep',
  'x_huge',
  'x_unknown',
  // What a service shows that differs from the contract.
  'api_key',
  'legacy_id',
  'req_abc',
  'saldo_insuficiente',
])

const known = new Set([...OF_OTHERS, ...namesIn([contract, guide, behaviour, questions])])

it('finds no name of a field, parameter or value that does not exist', () => {
  const unknown = FILES.flatMap(namesOf).filter(({ name }) => !known.has(name))
  expect(unknown.map(({ file, line, name }) => `${file}:${line} ${name}`)).toEqual([])
})

it('lists no name of others that no file has', () => {
  const used = new Set(FILES.flatMap(namesOf).map(({ name }) => name))
  expect([...OF_OTHERS].filter((name) => !used.has(name))).toEqual([])
})

/** Keys, and strings that are one word. */
function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return /^\w+$/.test(value) ? [value] : []
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, child]) => [name, ...namesIn(child)])
}

interface Named {
  readonly file: string
  readonly line: number
  readonly name: string
}

/** The names with an underscore in a program, or in the code of a page. */
function namesOf(file: string): Named[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const code = file.endsWith('.md') ? codeOf(text) : text.split('\n')
  return code.flatMap((part, i) => {
    const names = part.match(NAME) ?? []
    return names.map((name) => ({ file, line: i + 1, name }))
  })
}

/** The lines of a page, without what is not code. */
function codeOf(page: string): string[] {
  let isInBlock = false
  return page.split('\n').map((line) => {
    if (line.startsWith('```')) isInBlock = !isInBlock
    return isInBlock ? line : (line.match(/`[^`]+`/g) ?? []).join(' ')
  })
}

/** No part of a path, of a variable of a shell, or of a call. */
const NAME = /(?<![\w.$-])[a-z]+(?:_[a-z]+)+(?![\w(])/g

import { expect, test } from 'vitest'
import { differences, walk } from './journey.ts'
import { responding } from './kit.ts'
import { checked } from './run.ts'
import { variations } from './variations.ts'

test('a variation differs from the sandbox, and violates no fact', async () => {
  const unmodified = await walk({})
  const varied = await walk(serviceOf('record-nested'))
  expect(unmodified.broken).toEqual([])
  expect(varied.broken).toEqual([])
  expect(differences(unmodified, await walk({}))).toEqual([])
  expect(differences(unmodified, varied)).not.toEqual([])
})

test('a service that violates a fact is not a variation', async () => {
  const { broken } = await walk(responding(/^listUsers$/, ({ users: _, ...body }) => body))
  expect(broken[0]).toMatch(/^GET \/partner\/user: body .*expected a value, got nothing/)
})

test.each([
  ['cursor-forgiving', 'list-pages', 'paging'],
  ['last-page-empty', 'list-pages', 'paging'],
  ['large-400', 'body-format', 'body-size'],
  ['static-status', 'copies', 'code-status-values'],
  ['check-of-ended', 'refusals', 'code-status-values'],
  ['keys-404', 'refusals', 'key-forms'],
  ['dates-brazilian', 'refusals', 'timestamp-formats'],
  ['payer-required', 'boundary-accepted', 'immediate-fields'],
  ['foreign-403', 'foreign-record-hidden', 'record-owners'],
  ['absent-zero-time', 'invariants', 'absent-values'],
  ['payer-is-partner', 'invariants', 'transfer-parties'],
  ['filter-unknown', 'break-refused', 'paging'],
  ['transfer-type-any', 'break-refused', 'transfer-types'],
  ['cnpj-digits', 'refusals', 'key-forms'],
  ['amount-cap', 'boundary-accepted', 'bounds'],
  ['guide-200', 'aliases-served', 'guide-paths'],
  ['code-words', 'copies', 'code-kinds'],
  ['code-expiration-seconds', 'response-schema', 'code-expiration'],
  ['record-wrapped', 'response-schema', 'qr-record'],
])('%s deviates from its assumption only, and does not fail', async (id, rule, question) => {
  const variation = variationOf(id)
  const result = await checked(variation, [rule])
  if (typeof result === 'string') throw new Error(result)
  const { findings, verdicts } = result
  const contradicted = verdicts.filter(({ verdict }) => verdict === 'contradicted')
  const allowed = [...variation.touches, ...(variation.near ?? [])]
  expect(findings.filter(({ kind }) => kind === 'failure')).toEqual([])
  expect(contradicted.map((it) => it.question)).toContain(question)
  expect(contradicted.filter((it) => !allowed.includes(it.question))).toEqual([])
})

test('every variation has its own id', () => {
  const ids = variations.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

function serviceOf(id: string) {
  return variationOf(id).service
}

function variationOf(id: string) {
  const found = variations.find((it) => it.id === id)
  if (!found) throw new Error(`there is no variation "${id}"`)
  return found
}

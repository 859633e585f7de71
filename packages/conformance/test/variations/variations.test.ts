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
  ['large-400', 'body-format', 'rate-limits'],
  ['static-status', 'copies', 'code-status-values'],
  ['check-of-ended', 'refusals', 'code-status-values'],
])('%s is a deviation from its assumption, and no failure', async (id, rule, question) => {
  const result = await checked(variationOf(id), [rule])
  if (typeof result === 'string') throw new Error(result)
  const { findings, verdicts } = result
  expect(findings.filter(({ kind }) => kind === 'failure')).toEqual([])
  expect(verdicts.find((it) => it.question === question)?.verdict).toBe('contradicted')
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

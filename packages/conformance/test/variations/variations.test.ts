import { expect, test } from 'vitest'
import { expectDeviation, variationOf } from './deviates.ts'
import { differences, walk } from './journey.ts'
import { responding } from './kit.ts'

test('a variation differs from the sandbox, and violates no fact', async () => {
  const unmodified = await walk({})
  const varied = await walk(variationOf('record-nested').service)
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
  ['last-page-empty', 'list-pages', 'paging'],
  ['foreign-403', 'foreign-record-hidden', 'record-owners'],
])('%s deviates from its assumption only, and does not fail', expectDeviation)

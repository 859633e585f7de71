import { expect, test } from 'vitest'
import { accepts, alters, isSuccess, problem } from './broken.ts'
import { found, NOT_ASSESSED, PASSED, runOf } from './in-process.ts'

const run = runOf('invalid-ids-refused', { operations: ['getUser'] })
const mocked = runOf('invalid-ids-refused', { target: 'mock', operations: ['getUser'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(PASSED)
})

test.each([
  'x',
  '0',
  'not-an-id',
  '%00',
  '..%2f..',
  "'",
  'a'.repeat(2_000),
  '00000000-0000-4000-8000-000000000000',
  '{}',
  '💰',
])('finds a record under %s', async (id) => {
  const fault = accepts('getUser', (_, { path }) => decodeURIComponent(path).endsWith(`/${id}`))
  expect(await run(fault)).toEqual(found('deviation invalid-ids-refused getUser'))
})

test.each([
  { what: 'with a space behind', form: / $/ },
  { what: 'with a space before', form: /\/ [^/]+$/ },
  { what: 'cut after eight letters', form: /\/[^/]{8}$/ },
  { what: 'with a letter behind', form: /[^/]{2,}x$/ },
])('finds a record under its id $what', async ({ form }) => {
  const fault = accepts('getUser', (_, { path }) => form.test(decodeURIComponent(path)))
  expect(await run(fault)).toEqual(found('deviation invalid-ids-refused getUser'))
})

test('is not judged where the service fails', async () => {
  const fault = alters('getUser', (reply) => (isSuccess(reply) ? reply : problem(500)))
  expect(await run(fault)).toEqual(NOT_ASSESSED)
})

test('is not judged of a mock, which knows no ids', async () => {
  expect(await mocked(accepts('getUser'))).toEqual(NOT_ASSESSED)
})

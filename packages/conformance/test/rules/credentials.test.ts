import { expect, test } from 'vitest'
import { alters, type Fault, isSuccess, mistakes, problem } from './broken.ts'
import { found, PASSED, runOf } from './in-process.ts'
import { runOf as runOfMutant } from './over-http.ts'

const run = runOf('credentials-required', { operations: ['checkKey', 'listUsers', 'signIn'] })

test('it passes on the sandbox', async () => {
  expect(await run()).toEqual(PASSED)
})

const opened = (operation: string, isMeant: (authorization: string) => boolean) =>
  mistakes(operation, isMeant)

test.each<[what: string, fault: Fault, line: string]>([
  [
    'an operation without credentials',
    opened('checkKey', (it) => it === ''),
    'failure credentials-required checkKey',
  ],
  [
    'a sign-in without credentials',
    opened('signIn', (it) => it === ''),
    'failure credentials-required signIn',
  ],
  [
    'an unknown token',
    opened('checkKey', (it) => it === 'Bearer x'),
    'failure credentials-required checkKey',
  ],
  [
    'unknown credentials',
    opened('signIn', (it) => it === 'Basic nonsense'),
    'failure credentials-required signIn',
  ],
  [
    'credentials in place of a token',
    opened('checkKey', (it) => it.startsWith('Basic')),
    'deviation credentials-required checkKey',
  ],
  [
    'a token in place of credentials',
    opened('signIn', (it) => it.startsWith('Bearer')),
    'failure credentials-required signIn',
  ],
  [
    'another status than 401, once',
    alters('checkKey', (response) => (isSuccess(response) ? response : problem(403))),
    'deviation credentials-required checkKey',
  ],
])('it finds %s', async (_, fault, line) => {
  expect(await run(fault)).toEqual(found(line))
})

const runMutant = runOfMutant('credentials-required')

test.each([
  ['secret-in-any-case', 'failure credentials-required signIn'],
  ['token-compared-by-its-beginning', 'failure credentials-required createTransfer'],
  ['token-in-the-query', 'deviation credentials-required listWebhooks'],
  ['refresh-token-of-a-customer-taken', 'deviation credentials-required checkKey'],
])('it finds the mutant %s', async (mutant, line) => {
  expect((await runMutant(mutant)).found).toContain(line)
})

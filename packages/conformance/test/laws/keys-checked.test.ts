import { expect, test } from 'vitest'
import { accepts } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('keys-checked')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test.each([
  'not a key',
  'Fulano@Example.com',
  '123',
  '+',
  '12345678901234567890',
  '11144477736',
  'nobody-has-this-key@example.com',
])('finds an owner of %s', async (key) => {
  const fault = accepts('checkKey', ({ dict_key }) => dict_key === key)
  expect(await run(fault)).toEqual(found('discovery keys-checked checkKey'))
})

const runFaulty = runOfFaulty('keys-checked')

test.each([
  ['kind-of-company-keys', 'discovery keys-checked checkKey'],
  ['owners-are-companies', 'discovery keys-checked checkKey'],
  ['company-digits-unchecked', 'discovery keys-checked checkKey'],
  ['random-key-in-capitals', 'discovery keys-checked checkKey'],
  ['telephone-with-spaces', 'discovery keys-checked checkKey'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})

import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { afterAll, beforeEach, expect, it } from 'vitest'
import type { RefusalCode } from '../src/behaviour.ts'
import { createProblem, Refusal } from '../src/problems.ts'
import { signInPartner } from './callers.ts'
import { createSender, examples, findOperation, prepare, startForExamples } from './contract.ts'

// It checks its responses against the contract.
const sandbox = await startForExamples()
afterAll(sandbox.close)
const send = createSender(await signInPartner(sandbox))

// A test may pay the charge of an example. The payer pays itself, so the transfer is rejected and
// the charge is open again.
beforeEach(() => sandbox.worker.idle())

it.each(examples)('$id $name returns the documented success', async (example) => {
  const { status } = await send(example.id, await prepare(send, example))
  expect(status).toBe(findOperation(example.id).status)
})

it('refuses to send a response that breaks the contract', async () => {
  const dict_key = 'beltrana@example.com'
  const statusWith = async (ispb: string) => {
    await sandbox.store.write((queries) => queries.run('UPDATE accounts SET ispb = ?', [ispb]))
    const { status } = await send('checkKey', { body: { dict_key } })
    return status
  }

  expect(await statusWith('x')).toBe(500)
  expect(await statusWith('99999029')).toBe(200)
})

it('titles each problem as the contract does', () => {
  const values = Object.values(contract.components.examples).map(({ value }) => value)
  const problems = values.filter((value) => 'title' in value)
  expect(problems.length).toBeGreaterThan(20)

  const titles = problems.map(({ code, status }) => {
    const refusal = new Refusal(code as RefusalCode, { status })
    return JSON.parse(createProblem(refusal, 'req_1').text).title
  })
  expect(titles).toEqual(problems.map(({ title }) => title))
})

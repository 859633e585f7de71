import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { afterAll, beforeEach, expect, it } from 'vitest'
import type { RefusalCode } from '../src/behaviour.ts'
import { problemIn, Refusal } from '../src/problems.ts'
import { partnerOf } from './callers.ts'
import { examples, prepare, senderOf, startForExamples } from './contract.ts'

// It checks its responses against the contract.
const sandbox = await startForExamples()
afterAll(sandbox.close)
const send = senderOf(await partnerOf(sandbox))

// A test may pay the charge of an example. The payer pays itself, so the transfer is rejected and
// the charge is open again.
beforeEach(() => sandbox.worker.idle())

it.each(examples)('$id $name returns the documented success', async (example) => {
  const { id } = example
  const { status } = await send(id, await prepare(send, example))
  const created = id === 'createTransfer' || id === 'createWebhook'
  expect(status).toBe(created ? 201 : id === 'deleteWebhook' ? 204 : 200)
})

it('refuses to send a response that breaks the contract', async () => {
  const dict_key = 'beltrana@example.com'
  const statusWith = async (ispb: string) => {
    await sandbox.store.write((queries) => queries.run('UPDATE accounts SET ispb = ?', [ispb]))
    return (await send('checkKey', { body: { dict_key } })).status
  }

  expect([await statusWith('x'), await statusWith('99999029')]).toEqual([500, 200])
})

it('titles each problem as the contract does', () => {
  const problems = Object.values(contract.components.examples).flatMap(({ value }) =>
    'title' in value ? [value] : [],
  )
  expect(problems.length).toBeGreaterThan(20)

  const titled = problems.map(({ code, status }) => {
    return JSON.parse(problemIn(new Refusal(code as RefusalCode, { status }), 'req_1').text).title
  })
  expect(titled).toEqual(problems.map(({ title }) => title))
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OperationId } from '../src/contract.ts'
import type { RunningSandbox } from '../src/index.ts'
import { departures, examples, json, prepare, type Send, signIn, start } from './contract.ts'

let sandbox: RunningSandbox
let send: Send

beforeAll(async () => {
  sandbox = await start()
  send = await signIn(sandbox.url)
})

afterAll(() => sandbox.close())

// A test may pay the charge of an example. The payer pays itself, so the transfer is rejected and the charge is open
// again.
beforeEach(() => sandbox.worker.idle())

it('knows the 20 operations', () => {
  expect(new Set(examples.map(({ id }) => id)).size).toBe(20)
})

describe.each(examples.map((example) => [example.id, example.name, example] as const))(
  '%s %s',
  (id, _, example) => {
    it('returns the documented success for the example', async () => {
      const response = await send(id, await prepare(send, example))
      expect(await departures(id, response)).toEqual([])
      expect(response.status).toBe(SUCCESSES[id] ?? 200)
    })
  },
)

const SUCCESSES: Partial<Record<OperationId, number>> = {
  createTransfer: 201,
  createWebhook: 201,
  deleteWebhook: 204,
}

it('the check of these tests finds deviations from the contract', async () => {
  const response = await send('checkKey', { body: { dict_key: 'beltrana@example.com' } })
  const { initiation_id: _, ...body } = await json(response)
  const broken = Response.json({ ...body, ispb: 'x', new_member: 1 })
  expect(await departures('checkKey', broken)).toEqual([
    expect.stringContaining('header/x-request-id'),
    expect.stringContaining('body/ispb'),
    expect.stringContaining('body/initiation_id'),
    expect.stringContaining('body/new_member'),
  ])
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OperationId } from '../src/contract.ts'
import type { RunningSandbox } from '../src/index.ts'
import {
  departures,
  type Example,
  examples,
  findingsOf,
  type Json,
  json,
  type Send,
  signIn,
} from './contract.ts'
import { prepare } from './prepare.ts'
import { start } from './running.ts'

/** Fields that the schema makes optional but a rule requires. */
const RULES: Readonly<Record<string, readonly string[]>> = {
  createDueDateQrCode: ['amount', 'calendar'],
  createImmediateQrCode: ['amount'],
}

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

    it.each(['', 'Bearer of-nobody', 'Basic bm9ib2R5OndlaXJk'])(
      'refuses the credentials "%s"',
      async (authorization) => {
        const response = await send(id, { ...(await prepare(send, example)), authorization })
        expect(response.status).toBe(401)
        expect(await departures(id, response)).toEqual([])
      },
    )
  },
)

const SUCCESSES: Partial<Record<OperationId, number>> = {
  createTransfer: 201,
  createWebhook: 201,
  deleteWebhook: 204,
}

const withBodies = examples.filter(({ body }) => body !== undefined)

describe.each(withBodies.map((example) => [example.id, example.name, example] as const))(
  '%s with the body %s',
  (id, _, example) => {
    const fields = Object.keys(example.body ?? {})

    it.each(fields)('treats a body without %s as the schema does', async (field) => {
      await expectJudgement(example, field, ({ [field]: _, ...rest }) => rest)
    })

    it.each(fields.flatMap((field) => [1.5, null, true].map((value) => [field, value] as const)))(
      'judges a %s of %j as the schema does, which refuses it',
      async (field, value) => {
        expect(findingsOf(example.operation, { ...example.body, [field]: value })).not.toEqual([])
        await expectJudgement(example, field, (body) => ({ ...body, [field]: value }))
      },
    )

    it('refuses a body that is not an object', async () => {
      const response = await send(id, { ...(await prepare(send, example)), body: [] as unknown as Json })
      expect(response.status).toBe(400)
      expect(await departures(id, response)).toEqual([])
    })
  },
)

describe('operations with an id', () => {
  const withIds = examples.filter(({ operation }) => operation.path.includes('{'))

  it.each(withIds.map((example) => [example.id, example] as const))(
    '%s returns 404 for an unknown id',
    async (id, example) => {
      const response = await send(id, { body: example.body })
      expect(response.status).toBe(404)
      expect(await departures(id, response)).toEqual([])
    },
  )
})

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

/** Expects a refusal with a pointer if the schema refuses the change. Otherwise a rule refuses it, or it succeeds. */
async function expectJudgement(example: Example, field: string, change: (body: Json) => Json) {
  const { id, operation } = example
  const { body = {}, ...asked } = await prepare(send, example)
  const response = await send(id, { ...asked, body: change(body) })
  const problem = await json(response.clone())
  expect(await departures(id, response)).toEqual([])
  if (findingsOf(operation, change(body)).length > 0) {
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(problem.errors).toContainEqual(expect.objectContaining({ pointer: `/${field}` }))
  } else if (RULES[id]?.includes(field)) {
    expect(problem).toMatchObject({ status: 422, code: 'field_missing' })
  } else expect(response.status).toBe(SUCCESSES[id] ?? 200)
}

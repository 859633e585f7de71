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

/** What the rules refuse though the schema allows it: members that may be left out, and may not. */
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

// A charge that one test pays is there for the next: paying oneself is rejected, which frees it again.
beforeEach(() => sandbox.worker.idle())

it('knows the 20 operations', () => {
  expect(new Set(examples.map(({ id }) => id)).size).toBe(20)
})

describe.each(examples.map((example) => [example.id, example.name, example] as const))(
  '%s %s',
  (id, _, example) => {
    it('answers the example with its documented success', async () => {
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
    const members = Object.keys(example.body ?? {})

    it.each(members)('judges a body without %s as the schema does', async (member) => {
      await expectJudgement(example, member, ({ [member]: _, ...rest }) => rest)
    })

    it.each(members.flatMap((member) => [1.5, null, true].map((value) => [member, value] as const)))(
      'judges a %s of %j as the schema does, which refuses it',
      async (member, value) => {
        expect(findingsOf(example.operation, { ...example.body, [member]: value })).not.toEqual([])
        await expectJudgement(example, member, (body) => ({ ...body, [member]: value }))
      },
    )

    it('refuses a body that is no object', async () => {
      const response = await send(id, { ...(await prepare(send, example)), body: [] as unknown as Json })
      expect(response.status).toBe(400)
      expect(await departures(id, response)).toEqual([])
    })
  },
)

describe('operations with an id', () => {
  const withIds = examples.filter(({ operation }) => operation.path.includes('{'))

  it.each(withIds.map((example) => [example.id, example] as const))(
    '%s answers 404 to one of nobody',
    async (id, example) => {
      const response = await send(id, { body: example.body })
      expect(response.status).toBe(404)
      expect(await departures(id, response)).toEqual([])
    },
  )
})

it('the check of these tests sees what departs from the contract', async () => {
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

/** What the schema refuses is refused with a pointer to it; what it allows is refused by a rule, or succeeds. */
async function expectJudgement(example: Example, member: string, change: (body: Json) => Json) {
  const { id, operation } = example
  const { body = {}, ...asked } = await prepare(send, example)
  const response = await send(id, { ...asked, body: change(body) })
  const problem = await json(response.clone())
  expect(await departures(id, response)).toEqual([])
  if (findingsOf(operation, change(body)).length > 0) {
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(problem.errors).toContainEqual(expect.objectContaining({ pointer: `/${member}` }))
  } else if (RULES[id]?.includes(member)) {
    expect(problem).toMatchObject({ status: 422, code: 'member_missing' })
  } else expect(response.status).toBe(SUCCESSES[id] ?? 200)
}

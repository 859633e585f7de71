import document from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { readContract } from '../src/contract/contract.ts'
import { AcceptedValues } from '../src/plans/accepted-values.ts'
import type { PlanContext } from '../src/plans/plan.ts'
import { prepareValidRequest } from '../src/plans/valid-requests.ts'
import type { Input } from '../src/send/requests.ts'

/** What each operation responds with. */
const SHOWN: Readonly<Record<string, object>> = {
  checkKey: { initiation_id: 'ini_1', dict_key: 'a@example.com' },
  createTransfer: { id: 't1', data: { id: 't1' } },
  createWebhook: { id: 'w1' },
  createStaticQrCode: { id: 's1', emv: 'static' },
  createImmediateQrCode: { id: 'i1', emv: 'immediate' },
  createDueDateQrCode: { id: 'd1', emv: 'due' },
  listUsers: { users: [{ id: 'u1' }] },
  getUser: { user: { id: 'shown' }, customers: [{ id: 'c1' }] },
}

function planContext(contract = readContract(), values: PlanContext['values'] = {}) {
  const sent: [id: string, input: Input][] = []
  async function respond(id: string, input: Input = {}) {
    sent.push([id, input])
    return { sentAt: 1, status: 200, isAccepted: true, json: SHOWN[id] }
  }
  const context: Partial<PlanContext> = {
    contract,
    values,
    acceptedValues: new AcceptedValues(),
    uniqueText: () => 'FRESH',
    clock: { day: () => '2026-12-01' } as PlanContext['clock'],
    noteValid() {},
    // The preparation of a request reads nothing else of the identities.
    identities: { chooseActor: (by: unknown) => by } as unknown as PlanContext['identities'],
    sideBySide: (items, work) => Promise.all(items.map(work)),
    send: Object.assign(respond, { cleanUp: async () => [] }),
  }
  return { context: context as PlanContext, sent }
}

test.each([
  { id: 'getUser', earlier: ['listUsers'], path: { user_id: 'u1' } },
  { id: 'updateWebhook', earlier: ['createWebhook'], path: { webhook_id: 'w1' } },
  { id: 'cancelDueDateQrCode', earlier: ['createDueDateQrCode'], path: { id: 'd1' } },
  { id: 'listUsers', earlier: [], path: {} },
])('it takes the id in the path of $id from $earlier', async ({ id, earlier, path }) => {
  const { context, sent } = planContext()
  const input = await prepareValidRequest(context, id)
  expect(input?.path).toEqual(path)
  expect(sent.map(([operation]) => operation)).toEqual(earlier)
})

test('it goes on with the user of an earlier request', async () => {
  const { context, sent } = planContext()
  const input = await prepareValidRequest(context, 'impersonate')
  expect(input?.body).toEqual({ user_id: 'u1', customer_id: 'c1' })
  expect(sent.map(([operation]) => operation)).toEqual(['listUsers', 'getUser'])
})

test('it impersonates an active customer rather than the first one', async () => {
  const { context } = planContext()
  const customers = [
    { id: 'c1', status: 'inactive' },
    { id: 'c2', status: 'active' },
  ]
  const send = Object.assign(
    async (id: string, input?: Input) => {
      const outcome = await context.send(id, input)
      return id === 'getUser' ? { ...outcome, json: { customers } } : outcome
    },
    { cleanUp: context.send.cleanUp },
  )
  const input = await prepareValidRequest({ ...context, send }, 'impersonate')
  expect(input?.body).toEqual({ user_id: 'u1', customer_id: 'c2' })
})

test('it sends nothing for values that the user sets', async () => {
  const values = { impersonate: { '/user_id': 'u9', '/customer_id': 'c9' } }
  const { context, sent } = planContext(readContract(), values)
  const input = await prepareValidRequest(context, 'impersonate')
  expect(input?.body).toEqual({ user_id: 'u9', customer_id: 'c9' })
  expect(sent).toEqual([])
})

test('it looks up the user that the user of the checker sets', async () => {
  const { context, sent } = planContext(readContract(), { impersonate: { '/user_id': 'u9' } })
  const input = await prepareValidRequest(context, 'impersonate')
  expect(input?.body).toEqual({ user_id: 'u9', customer_id: 'c1' })
  expect(sent).toMatchObject([['getUser', { path: { user_id: 'u9' } }]])
})

test.each([
  { example: 0, emv: 'static' },
  { example: 1, emv: 'immediate' },
  { example: 2, emv: 'due' },
])('it checks the kind of code of example $example', async ({ example, emv }) => {
  const { context } = planContext()
  const input = await prepareValidRequest(context, 'checkCode', { example })
  expect(input?.body).toEqual({ emv })
})

test('it pays before it reads the transfer of a new operation, whose link says so', async () => {
  const copy = structuredClone(document)
  const paths: Record<string, object> = copy.paths
  paths['/mobile-bff/v1/pix/out/{transfer_id}'] = {
    parameters: [{ name: 'transfer_id', in: 'path', required: true, schema: { type: 'string' } }],
    get: {
      operationId: 'getTransfer',
      'x-effect': 'read',
      responses: copy.paths['/mobile-bff/v1/pix/out/'].post.responses,
    },
  }
  Object.assign(copy.paths['/mobile-bff/v1/pix/out/'].post.responses[201], {
    links: {
      get: { operationId: 'getTransfer', parameters: { transfer_id: '$response.body#/data/id' } },
    },
  })
  const { context, sent } = planContext(readContract(copy))
  const input = await prepareValidRequest(context, 'getTransfer', { by: 'customer' })
  expect(input).toMatchObject({ path: { transfer_id: 't1' }, by: 'customer' })
  expect(sent).toMatchObject([
    ['checkKey', { by: 'customer' }],
    ['createTransfer', { by: 'customer' }],
  ])
})

import { afterAll, expect, test } from 'vitest'
import { createApp } from '../src/app.ts'
import type { OperationId } from '../src/contract.ts'
import { PARTNERS, USERS } from '../src/seed/data.ts'
import { type Ask, newTxId, type ParsedResponse, readRows, signInCallers } from './callers.ts'
import { createSender, examples, findOperation, NOW, prepare, type Send } from './contract.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const KEY = 'beltrana@example.com'
const [OWN, THEIRS] = USERS
/** A key of the other partner. */
const THEIR_KEY = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'

const sandbox = await createApp({ now: () => NOW, checksResponses: true })
afterAll(() => sandbox.close())
const callers = await signInCallers(sandbox)
const partner = createSender(callers.partner)
const other = createSender(callers.other)

async function initiationOf(ask: Ask): Promise<string> {
  const send = createSender(ask)
  const check = await send('checkKey', { body: { dict_key: KEY } })
  return String(check.body.initiation_id)
}

const payOf = (initiation_id: string) => ({
  type: 'dict',
  amount: '1.00',
  dict_key: KEY,
  initiation_id,
})

/** A body that names a resource: one of another caller, and one that there is not. */
interface Case {
  readonly id: OperationId
  readonly bodyOf: (resource: string) => Record<string, unknown>
  readonly foreign: string
  readonly unknown: string
}

const UNKNOWN_INITIATION = 'ini_AAAAAAAAAAAAAAAAAAAAAAAA'

const CASES: readonly Case[] = [
  {
    id: 'impersonate',
    bodyOf: (user_id) => ({ user_id, customer_id: OWN.customer.id }),
    foreign: THEIRS.id,
    unknown: UNKNOWN,
  },
  {
    id: 'impersonate',
    bodyOf: (customer_id) => ({ user_id: OWN.id, customer_id }),
    foreign: THEIRS.customer.id,
    unknown: UNKNOWN,
  },
  {
    id: 'createDueDateQrCode',
    bodyOf: (key) => chargeOf('createDueDateQrCode', key),
    foreign: THEIR_KEY,
    unknown: UNKNOWN,
  },
  {
    id: 'createImmediateQrCode',
    bodyOf: (key) => chargeOf('createImmediateQrCode', key),
    foreign: THEIR_KEY,
    unknown: UNKNOWN,
  },
  {
    id: 'createStaticQrCode',
    bodyOf: (key) => chargeOf('createStaticQrCode', key),
    foreign: THEIR_KEY,
    unknown: UNKNOWN,
  },
  // A partner and its customer are different callers.
  {
    id: 'createTransfer',
    bodyOf: payOf,
    foreign: await initiationOf(callers.other),
    unknown: UNKNOWN_INITIATION,
  },
  {
    id: 'createTransfer',
    bodyOf: payOf,
    foreign: await initiationOf(callers.customer),
    unknown: UNKNOWN_INITIATION,
  },
]

test.each(CASES)(
  '$id treats a foreign resource as unknown',
  async ({ id, bodyOf, foreign, unknown }) => {
    const { status } = await expectSame(
      await partner(id, { body: bodyOf(foreign) }),
      await partner(id, { body: bodyOf(unknown) }),
    )
    expect([404, 422]).toContain(status)
  },
)

/** Those that name a record in their path. A key of the directory, for example, is nobody's record. */
const inPath = examples.filter(({ id }) => {
  const { path, resource } = findOperation(id)
  return path.includes('{') && resource !== undefined
})

test.each(inPath)('$id treats a foreign path as unknown, and changes nothing', async (example) => {
  const asked = await prepare(other, example, THEIR_KEY)
  // Every column, since no field may change.
  const records = async () => ({
    webhooks: await readRows(sandbox, 'SELECT * FROM webhooks ORDER BY id'),
    qrcodes: await readRows(sandbox, 'SELECT * FROM qrcodes ORDER BY id'),
  })

  const before = await records()
  const { status } = await expectSame(
    await partner(example.id, asked),
    await partner(example.id, { body: asked.body }),
  )
  expect(status).toBe(404)
  expect(await records()).toEqual(before)
  expect((await other(example.id, asked)).status).toBeLessThan(300)
})

test('lists show nothing of another partner, nor of a customer', async () => {
  const id = 'createImmediateQrCode'
  const create = async (send: Send, key: string) => {
    const created = await send(id, { body: chargeOf(id, key) })
    return String(created.body.id)
  }
  const theirs = await create(other, THEIR_KEY)
  const ofCustomer = await create(createSender(callers.customer), 'fulano@example.com')

  const list = (ask: Ask) => ask('GET', '/pix/qrcode/dynamic/immediate?limit=100')
  const lists = [
    await partner('listUsers'),
    await partner('listWebhooks'),
    await list(callers.partner),
  ]
  const shown = lists.map(({ text }) => text).join('\n')
  for (const id of [theirs, ofCustomer, THEIRS.id, PARTNERS[1].id, 'other.example.com'])
    expect(shown).not.toContain(id)
  // They exist, and their owner sees them.
  expect((await list(callers.other)).text).toContain(theirs)
  expect((await list(callers.customer)).text).toContain(ofCustomer)

  const cancelled = await partner('cancelImmediateQrCode', { path: { id: ofCustomer } })
  expect(cancelled.status).toBe(404)
})

function chargeOf(id: OperationId, dict_key: string): Record<string, unknown> {
  const example = examples.find((other) => other.id === id)
  return { ...example?.body, tx_id: newTxId(), dict_key }
}

function expectSame(one: ParsedResponse, two: ParsedResponse): ParsedResponse {
  expect(plain(one)).toEqual(plain(two))
  return one
}

/** A response without the values that are always new. */
function plain({ status, headers, text, body }: ParsedResponse) {
  return {
    status,
    headers: [...headers].filter(([name]) => name !== 'x-request-id'),
    text: text.replaceAll(String(body?.request_id), ''),
  }
}

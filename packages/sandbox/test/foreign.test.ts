import { afterAll, expect, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { PARTNERS, USERS } from '../src/seed/data.ts'
import { callersOf, type ParsedResponse, rowsOf } from './callers.ts'
import { described, examples, NOW, prepare, type Send, senderOf, unused } from './contract.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const KEY = 'beltrana@example.com'
const [OWN, THEIRS] = USERS
/** A key of the other partner. */
const THEIR_KEY = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'

const sandbox = await createApp({ now: () => NOW, checksResponses: true })
afterAll(() => sandbox.close())
const callers = await callersOf(sandbox)
const partner = senderOf(callers.partner)
const other = senderOf(callers.other)

/** A request, with an id of the other partner, and with an unknown one. */
type Way = readonly [
  ask: (id: string) => Promise<ParsedResponse>,
  foreign: () => string | Promise<string>,
  unknown: string,
]

const impersonate = (user_id: string, customer_id: string) =>
  partner('impersonate', { body: { user_id, customer_id } })

/** A QR code for a key. */
function keyed(id: 'createDueDateQrCode' | 'createImmediateQrCode' | 'createStaticQrCode'): Way[] {
  const body = examples.find((it) => it.id === id)?.body ?? {}
  const create = async (dict_key: string) =>
    partner(id, { body: { ...(await unused(partner, body)), dict_key } })
  return [[create, () => THEIR_KEY, UNKNOWN]]
}

/** A transfer with an initiation id of another caller. A partner and its customer are different callers. */
function initiated(name: 'other' | 'customer'): Way {
  const pay = (initiation_id: string) =>
    partner('createTransfer', { body: { type: 'dict', amount: '1.00', dict_key: KEY, initiation_id } })
  const body = { dict_key: KEY, initiation_id: '' }
  const initiation = async () => String((await unused(senderOf(callers[name]), body)).initiation_id)
  return [pay, initiation, 'ini_AAAAAAAAAAAAAAAAAAAAAAAA']
}

/** A cursor is a position in a list. A foreign cursor leads to nothing that another position would not. */
function listed(kind: 'DueDate' | 'Immediate', path: string): Way[] {
  const cursor = async () => {
    await newCharge(other, `create${kind}QrCode`, THEIR_KEY)
    await newCharge(other, `create${kind}QrCode`, THEIR_KEY)
    return (await callers.other('GET', `${path}?limit=1`)).body.next_cursor
  }
  const newest = `c_${Buffer.from('999999').toString('base64url')}`
  return [[(it) => callers.partner('GET', `${path}?cursor=${it}`), cursor, newest]]
}

async function newCharge(send: Send, id: 'createDueDateQrCode' | 'createImmediateQrCode', dict_key: string) {
  const body = examples.find((it) => it.id === id)?.body ?? {}
  return String((await send(id, { body: { ...(await unused(send, body)), dict_key } })).body.id)
}

/** Ways to name a resource of another partner, besides its id in the path. */
const WAYS: Readonly<Record<string, readonly Way[]>> = {
  impersonate: [
    [(id) => impersonate(id, id === UNKNOWN ? id : THEIRS.customer.id), () => THEIRS.id, UNKNOWN],
    [(id) => impersonate(OWN.id, id), () => THEIRS.customer.id, UNKNOWN],
    [(id) => impersonate(id, OWN.customer.id), () => THEIRS.id, UNKNOWN],
  ],
  createDueDateQrCode: keyed('createDueDateQrCode'),
  createImmediateQrCode: keyed('createImmediateQrCode'),
  createStaticQrCode: keyed('createStaticQrCode'),
  createTransfer: [initiated('other'), initiated('customer')],
  listDueDateQrCodes: listed('DueDate', '/pix/qrcode/dynamic/due-date'),
  listImmediateQrCodes: listed('Immediate', '/pix/qrcode/dynamic/immediate'),
}

/** Operations without an id of a resource. Keys and codes are public. */
const WITHOUT = ['signIn', 'checkCode', 'checkKey', 'listUsers', 'createWebhook', 'listWebhooks']

const ofContract = described.filter(({ id }) => !id.startsWith('guide'))
const inPath = ofContract.filter(({ path }) => path.includes('{')).map(({ id }) => id)

test('every operation of the contract is tested here, or takes no id', () => {
  const tested = [...inPath, ...Object.keys(WAYS), ...WITHOUT]
  expect(tested.toSorted()).toEqual(ofContract.map(({ id }) => id).toSorted())
})

test.each(Object.entries(WAYS))(
  '%s returns the same response for an id of another partner as for an unknown one',
  async (id, ways) => {
    for (const [ask, foreign, unknown] of ways) {
      const { status } = await expectSame(await ask(await foreign()), ask(unknown))
      expect(id.startsWith('list') ? [200] : [404, 422]).toContain(status)
    }
  },
)

test.each(examples.filter(({ id }) => inPath.includes(id)))(
  '$id returns the same response for a path of another partner as for an unknown one, and changes nothing',
  async (example) => {
    const asked = await prepare(other, example, THEIR_KEY)
    const records = () =>
      Promise.all(
        ['webhooks', 'qrcodes'].map((table) => rowsOf(sandbox, `SELECT * FROM ${table} ORDER BY id`)),
      )
    const before = await records()
    const { status } = await expectSame(
      await partner(example.id, asked),
      partner(example.id, { body: asked.body }),
    )
    expect(status).toBe(404)
    expect(await records()).toEqual(before)
    expect((await other(example.id, asked)).status).toBeLessThan(300)
  },
)

async function expectSame(one: ParsedResponse, two: Promise<ParsedResponse>): Promise<ParsedResponse> {
  expect(plain(one)).toEqual(plain(await two))
  return one
}

/** A response without the values that are always new. */
function plain({ status, headers, text, body }: ParsedResponse) {
  const named = [...headers].filter(([name]) => name !== 'x-request-id')
  return { status, headers: named, text: text.replaceAll(String(body?.request_id), '') }
}

test('lists show nothing of another partner, nor of a customer', async () => {
  const theirs = await newCharge(other, 'createImmediateQrCode', THEIR_KEY)
  const ofCustomer = await newCharge(
    senderOf(callers.customer),
    'createImmediateQrCode',
    'fulano@example.com',
  )
  const list = (ask = callers.partner) => ask('GET', '/pix/qrcode/dynamic/immediate?limit=100')
  const lists = [await partner('listUsers'), await partner('listWebhooks'), await list()]
  const shown = lists.map(({ text }) => text).join('\n')
  for (const id of [theirs, ofCustomer, THEIRS.id, PARTNERS[1].id, 'other.example.com'])
    expect(shown).not.toContain(id)
  // They exist, and their owner sees them.
  expect((await list(callers.other)).text).toContain(theirs)
  expect((await list(callers.customer)).text).toContain(ofCustomer)
  expect((await partner('cancelImmediateQrCode', { path: { id: ofCustomer } })).status).toBe(404)
})

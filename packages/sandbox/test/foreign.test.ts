import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../src/sandbox.ts'
import { PARTNERS, USERS } from '../src/seed/data.ts'
import { type Ask, type Callers, callersOf, newTxId, type ParsedResponse } from './callers.ts'
import { described } from './contract.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

let sandbox: Sandbox
let callers: Callers
/** Resources of the other partner. */
let theirs: {
  user: string
  customer: string
  webhook: string
  dueDate: string
  immediate: string
  key: string
}

beforeAll(async () => {
  sandbox = await createSandbox({ now: () => NOW, checksResponses: true })
  callers = await callersOf(sandbox)
  const { other } = callers
  const key = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'
  const hook = { type: 'all', url: 'https://other.example.com/' }
  theirs = {
    user: USERS[1].id,
    customer: USERS[1].customer.id,
    webhook: (await other('POST', '/partner/webhook', { body: hook })).body.id,
    dueDate: (await create(other, 'due-date', key)).body.id,
    immediate: (await create(other, 'immediate', key)).body.id,
    key,
  }
})
afterAll(() => sandbox.close())

function create(ask: Ask, kind: 'due-date' | 'immediate', dict_key: string): Promise<ParsedResponse> {
  const calendar = kind === 'due-date' ? { due_date: '2026-12-15' } : { expiration: 60 }
  const body = { dict_key, tx_id: newTxId(), amount: { original: '10.00' }, calendar }
  return ask('POST', `/pix/qrcode/dynamic/${kind}`, { body })
}

/** A request, with an id of the other partner, and with an unknown one. */
type Way = readonly [
  ask: (id: string) => Promise<ParsedResponse>,
  foreign: () => string | Promise<string>,
  unknown: string,
]

/** A request with an id in its path, by what the id names. */
function inPath(request: string, name: keyof typeof theirs, body?: unknown): Way[] {
  const [method = '', path = ''] = request.split(' ')
  const ask = (id: string) => callers.partner(method, path.replace('*', id), body ? { body } : {})
  return [[ask, () => theirs[name], UNKNOWN]]
}

const OWN = USERS[0]
const HOOK = { type: 'all', url: 'https://partner.example.com/', status: 'inactive' }
const KEY = 'beltrana@example.com'

const impersonate = (user_id: string, customer_id: string) =>
  callers.partner('POST', '/auth/partner/impersonate/', { body: { user_id, customer_id } })

const keyed = (ask: Way[0]): Way[] => [[ask, () => theirs.key, UNKNOWN]]

const initiationOf = async (ask: Ask) =>
  (await ask('POST', '/pix/dict/check/', { body: { dict_key: KEY } })).body.initiation_id
const pay = (initiation_id: string) =>
  callers.partner('POST', '/pix/out/', {
    body: { type: 'dict', amount: '1.00', dict_key: KEY, initiation_id },
  })
const UNSEALED = 'ini_AAAAAAAAAAAAAAAAAAAAAAAA'

/** A cursor is a position in a list. A foreign cursor leads to nothing that another position would not. */
function listed(kind: 'due-date' | 'immediate'): Way[] {
  const path = `/pix/qrcode/dynamic/${kind}`
  const cursor = async () => {
    await create(callers.other, kind, theirs.key)
    return (await callers.other('GET', `${path}?limit=1`)).body.next_cursor
  }
  const newest = `c_${Buffer.from('999999').toString('base64url')}`
  return [[(it) => callers.partner('GET', `${path}?cursor=${it}`), cursor, newest]]
}

/** Each operation that takes an id, with every way to name a resource of another partner. */
const WAYS: Readonly<Record<string, readonly Way[]>> = {
  impersonate: [
    [(id) => impersonate(id, id === UNKNOWN ? id : theirs.customer), () => theirs.user, UNKNOWN],
    [(id) => impersonate(OWN.id, id), () => theirs.customer, UNKNOWN],
    [(id) => impersonate(id, OWN.customer.id), () => theirs.user, UNKNOWN],
  ],
  getUser: inPath('GET /partner/user/*', 'user'),
  getWebhook: inPath('GET /partner/webhook/*', 'webhook'),
  updateWebhook: inPath('PATCH /partner/webhook/*', 'webhook', HOOK),
  rotateWebhookSecret: inPath('PATCH /partner/webhook/*/secret', 'webhook'),
  deleteWebhook: inPath('DELETE /partner/webhook/*', 'webhook'),
  cancelDueDateQrCode: inPath('DELETE /pix/qrcode/dynamic/due-date/*', 'dueDate'),
  cancelImmediateQrCode: inPath('DELETE /pix/qrcode/dynamic/immediate/*', 'immediate'),
  createDueDateQrCode: keyed((key) => create(callers.partner, 'due-date', key)),
  createImmediateQrCode: keyed((key) => create(callers.partner, 'immediate', key)),
  createStaticQrCode: keyed((dict_key) =>
    callers.partner('POST', '/pix/qrcode/static/', { body: { dict_key, amount: '10.00' } }),
  ),
  createTransfer: [
    [pay, () => initiationOf(callers.other), UNSEALED],
    // A partner and its customer are different callers.
    [pay, () => initiationOf(callers.customer), UNSEALED],
  ],
  listDueDateQrCodes: listed('due-date'),
  listImmediateQrCodes: listed('immediate'),
}

/** Operations without an id of a resource. Keys and codes are public. */
const WITHOUT = ['signIn', 'checkCode', 'checkKey', 'listUsers', 'createWebhook', 'listWebhooks']

const ids = described.map(({ id }) => id).filter((id) => !id.startsWith('guide'))

test('every operation of the contract is tested here, or takes no id', () => {
  expect([...Object.keys(WAYS), ...WITHOUT].toSorted()).toEqual(ids.toSorted())
  const withId = described.filter(({ path, id }) => path.includes('{') && !id.startsWith('guide'))
  expect(Object.keys(WAYS)).toEqual(expect.arrayContaining(withId.map(({ id }) => id)))
})

test.each(Object.entries(WAYS))(
  '%s returns the same response for an id of another partner as for an unknown one',
  async (id, ways) => {
    for (const [ask, foreign, unknown] of ways) {
      const [one, two] = [await ask(await foreign()), await ask(unknown)]
      expect(plain(one)).toEqual(plain(two))
      expect(id.startsWith('list') ? [200] : [404, 422]).toContain(one.status)
    }
  },
)

/** A response without the values that are always new. */
function plain({ status, headers, text, body }: ParsedResponse) {
  const named = [...headers].filter(([name]) => name !== 'x-request-id')
  return { status, headers: named, text: text.replaceAll(String(body?.request_id), '') }
}

test('the refused requests changed nothing', async () => {
  const webhook = await callers.other('GET', `/partner/webhook/${theirs.webhook}`)
  expect(webhook.body).toMatchObject({ status: 'active', url: 'https://other.example.com/' })
  const { body: due } = await callers.other('GET', '/pix/qrcode/dynamic/due-date')
  expect(new Set(due.data.map((it: { status: string }) => it.status))).toEqual(new Set(['ATIVA']))
})

test('lists show nothing of another partner', async () => {
  const { partner, other } = callers
  const seen = await Promise.all([
    partner('GET', '/partner/user'),
    partner('GET', '/partner/webhook/'),
    partner('GET', '/pix/qrcode/dynamic/due-date?limit=100'),
    partner('GET', '/pix/qrcode/dynamic/immediate?limit=100'),
  ])
  const shown = seen.map(({ text }) => text).join('\n')
  for (const id of [...Object.values(theirs), PARTNERS[1].id]) expect(shown).not.toContain(id)
  // They exist, and their owner sees them.
  const { text } = await other('GET', '/pix/qrcode/dynamic/immediate')
  expect(text).toContain(theirs.immediate)
})

test('partner and customer see only their own QR codes in lists', async () => {
  const own = await create(callers.customer, 'immediate', 'fulano@example.com')
  const list = (ask: Ask) => ask('GET', '/pix/qrcode/dynamic/immediate?limit=100')
  expect((await list(callers.customer)).text).toContain(own.body.id)
  expect((await list(callers.partner)).text).not.toContain(own.body.id)
  expect((await callers.partner('DELETE', `/pix/qrcode/dynamic/immediate/${own.body.id}`)).status).toBe(404)
})

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { encode } from '@partner-payments/brcode'
import { createValidator } from '@partner-payments/validator'
import { basic, CREDENTIALS, KEYS, STATIC_CODE } from '../faulty/fixtures.ts'
import { type Json, parsed } from '../faulty/json.ts'
import { openService, type Service } from './service.ts'

/** The result of a walk through all operations: a line for each step, and the violated facts. */
export interface Journey {
  readonly lines: readonly string[]
  readonly broken: readonly string[]
}

interface Seen {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a step names the fields that it expects.
  readonly body: any
}

const validator = createValidator()

/** Walks through a service without the checker, to see that it works and how it differs. */
export async function walk(service: Service): Promise<Journey> {
  const { sandbox, fetch, close } = await openService(service)
  const [lines, broken]: [string[], string[]] = [[], []]
  const inbox = await receive((headers, body) => {
    const signatures = String(headers['webhook-signature']).split(' ').length
    lines.push(`delivery ${signatures} ${lineOf(headers, body)}`)
  })
  let count = 0

  async function ask(
    line: string,
    authorization?: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<Seen> {
    const [method = '', path = ''] = line.split(' ')
    const headers = {
      ...(authorization && { authorization }),
      ...(body !== undefined && { 'content-type': type }),
    }
    const url = `http://127.0.0.1${path.startsWith('/_') || path.startsWith('//') ? path.replace('//', '/') : `/mobile-bff/v1${path}`}`
    const sent = typeof body === 'string' ? body : body === undefined ? null : JSON.stringify(body)
    const response = await fetch(new Request(url, { method, headers, body: sent }))
    const text = await response.text()
    const seen = { status: response.status, headers: response.headers, body: parsed(text) }
    if (!path.startsWith('/_'))
      lines.push(
        `${++count} ${method} ${path.split('?')[0]?.replace(/\/[^/]*\d[^/]{3,}/, '/…')} ${seen.status} ${lineOf(response.headers, seen.body ?? text)}`,
      )
    const found = validator.findOperation(method, new URL(url).pathname)
    if (response.ok && found.found) broken.push(...factsBroken(found.operation, line, seen))
    return seen
  }

  const signIn = async (who: keyof typeof CREDENTIALS) => {
    const { body } = await ask('POST /auth/partner/token/', basic(CREDENTIALS[who]))
    return { ...body, header: `${body?.type} ${body?.access_token}`.trim() }
  }
  try {
    await steps({
      ask,
      signIn,
      url: inbox.url,
      dict_key: service.values?.createImmediateQrCode?.['/dict_key'],
    })
    for (let tries = 0; tries < 60 && lines.filter((it) => it.startsWith('delivery')).length < 3; tries++)
      await sleep(10)
  } catch (error) {
    broken.push(`the walk ended: ${error}`)
  }
  await sandbox.app.clock.reset()
  await close()
  await inbox.close()
  return { lines, broken }
}

interface Walker {
  ask(line: string, authorization?: string, body?: unknown, type?: string): Promise<Seen>
  signIn(who: keyof typeof CREDENTIALS): Promise<Json & { header: string }>
  readonly url: string
  readonly dict_key: unknown
}

async function steps({ ask, signIn, url, dict_key = KEYS.partner }: Walker): Promise<void> {
  const first = await signIn('partner')
  const { header: partner } = await signIn('partner')
  const { header: other } = await signIn('other')
  await ask('GET /partner/user')
  await ask('GET /partner/user', first.header)
  await ask('GET /partner/user', `Bearer ${first.refresh_token}`)
  await ask('GET /partner/user', partner.replace(/^\S+ /, ''))
  const users = await ask('GET /partner/user', partner)
  const user_id = users.body?.users?.at(-1)?.id
  const user = await ask(`GET /partner/user/${user_id}`, partner)
  await ask(`GET /partner/user/${user_id}`, other)
  const customer_id = user.body?.customers?.at(-1)?.id
  const acting = await ask('POST /auth/partner/impersonate/', partner, { user_id, customer_id })
  const customer = `${acting.body?.type} ${acting.body?.access_token}`.trim()
  await ask('GET /partner/user', customer)

  const hook = { type: 'all', url }
  const made = await ask('POST /partner/webhook', partner, hook)
  const again = await ask('POST /partner/webhook', partner, hook)
  for (const more of [
    { url: 'http://10.0.0.1/' },
    { type: 'transfer' },
    { type: 'pix_in' },
    { extra: 1 },
    { url: `https://a.example/${'a'.repeat(300)}` },
  ])
    await ask('POST /partner/webhook', partner, { ...hook, ...more })
  await ask('POST /partner/webhook/', partner, hook)
  const path = `/partner/webhook/${made.body?.id}`
  await ask(`PATCH ${path}/secret`, partner)
  await ask(`PATCH /partner/webhook/${again.body?.id}`, partner, { ...hook, status: 'inactive' })
  await ask(`PATCH /partner/webhook/${again.body?.id}`, partner, { ...hook, status: 'disabled' })
  await ask(`GET /partner/webhook/${again.body?.id}`, other)
  for (const method of ['DELETE', 'DELETE', 'GET'])
    await ask(`${method} /partner/webhook/${again.body?.id}`, partner)
  for (let i = 0; i < 5; i++)
    await ask('POST /partner/webhook', partner, { ...hook, url: `https://shop.example/${i}` })
  await ask('POST //partners/webhooks', partner, { url: 'https://guide.example/' })
  await ask('GET /partner/webhook/', partner)
  await ask(`GET ${path}`, partner)
  await ask('GET //partners/webhooks', partner)

  await charges(ask, { partner, customer, dict_key })
  await payments(ask, partner, customer)
  for (const line of ['OPTIONS /pix/out/', 'PUT /pix/out/', 'GET /nowhere']) await ask(line, partner)
  await ask(
    'POST /pix/dict/check/',
    partner,
    `{"dict_key":"fulano@example.com","more":"${'a'.repeat(70_000)}"}`,
  )
}

type Ask = Walker['ask']

async function charges(
  ask: Ask,
  { partner, customer, dict_key }: { partner: string; customer: string; dict_key: unknown },
) {
  const lists = '/pix/qrcode/dynamic'
  const immediate = (i: number) => ({
    dict_key,
    tx_id: `PEDIDO${String(i).padStart(24, '0')}`,
    amount: { original: '35.90' },
  })
  const payer = { name: 'Fulano', tax_id: '12345678909' }
  let count = 100
  const full = {
    ...immediate(1),
    message: ' Pedido ',
    payer,
    additional_infos: [{ name: 'a', value: 'b' }],
    calendar: { expiration: 1 },
  }
  const made = await ask(`POST ${lists}/immediate`, partner, full)
  await ask(`POST ${lists}/immediate`, partner, full)
  for (const more of [
    { message: 'a'.repeat(100) },
    { message: 'a'.repeat(200) },
    { tx_id: 'short' },
    { payer: { ...payer, tax_id: '12345678900' } },
    { amount: { original: '35.9' } },
    { amount: { original: '0.50' } },
    { payer: { ...payer, tax_id: '12ABC34501DE35' } },
    { payer: { ...payer, tax_id: '123.456.789-09' } },
    { additional_infos: Array(11).fill({ name: 'a', value: 'b' }) },
  ])
    await ask(`POST ${lists}/immediate`, partner, { ...immediate(++count), ...more })
  for (let i = 3; i < 26; i++) await ask(`POST ${lists}/immediate`, partner, immediate(i))
  const deduction = { amount: '1.00', modality: '1' }
  const discount = (n: number) => ({
    modality: '1',
    fixedDateDiscount: Array(n).fill({ amount: '1.00', date: '2990-01-02' }),
  })
  const due = { due_date: '2990-01-03' }
  const dueDate = {
    ...immediate(40),
    payer,
    amount: { original: '100.00', deduction, fine: { amount: '2.00', modality: '2' } },
    calendar: due,
  }
  const late = await ask(`POST ${lists}/due-date`, partner, dueDate)
  for (const more of [
    { calendar: {} },
    { amount: { original: '9.00', discount: discount(4) } },
    { calendar: { due_date: '03/01/2990' } },
    { amount: {} },
  ])
    await ask(`POST ${lists}/due-date`, partner, { ...dueDate, tx_id: `PEDIDO${'4'.repeat(24)}`, ...more })
  await ask('POST /pix/brcode/emv/', partner, { emv: late.body?.emv })
  for (const query of [
    '',
    '?limit=2',
    '?limit=60',
    '?limit=500',
    '?cursor=nothing',
    '?status=ATIVA',
    '?status=ativa',
    '?status=NOTHING',
    '?tax_id=12345678909',
    '?tax_id=12ABC34501DE35',
    '?extra=1',
    '?limit=100',
  ])
    await ask(`GET ${lists}/immediate${query}`, partner)
  await ask(`POST ${lists}/immediate`, customer, { ...immediate(50), dict_key: '12345678909' })
  await ask(`GET ${lists}/immediate`, partner)
  await ask('POST /_sandbox/clock', undefined, { advance_seconds: 2 })
  await ask(`GET ${lists}/immediate?limit=100`, partner)
  for (let i = 0; i < 2; i++) await ask(`DELETE ${lists}/immediate/${made.body?.id}`, partner)
  await ask(`DELETE ${lists}/immediate/${made.body?.id}`, customer)
  await ask('POST /pix/brcode/emv/', partner, { emv: made.body?.emv })
  const still = await ask('POST /pix/qrcode/static/', partner, { dict_key, amount: '10.50', message: ' Oi ' })
  await ask('POST /pix/brcode/emv/', customer, { emv: still.body?.emv })
  await ask('POST /pix/out/', customer, { type: 'emv', emv: still.body?.emv, amount: '11.50' })
  const open = await ask(`POST ${lists}/immediate`, partner, immediate(60))
  await ask('POST /pix/brcode/emv/', partner, { emv: open.body?.emv })
  for (let i = 0; i < 2; i++)
    await ask('POST /pix/out/', customer, { type: 'emv', emv: open.body?.emv, amount: '35.90' })
  await ask('POST /_sandbox/clock', undefined, { advance_seconds: 1 })
  await ask(`DELETE ${lists}/immediate/${open.body?.id}`, partner)
  await ask('POST /pix/brcode/emv/', partner, { emv: open.body?.emv })
}

async function payments(ask: Ask, partner: string, customer: string) {
  const look = (dict_key: string, who = customer) => ask('POST /pix/dict/check/', who, { dict_key })
  for (const key of [
    '+5561912345678',
    '12ABC34501DE35',
    '12345678000195',
    'Fulano@Example.com',
    'not a key',
    '123e4567-e12b-12d1-a456-426655440000',
  ])
    await look(key, partner)
  await ask('POST /pix/dict/check/', partner, { dict_key: 'fulano@example.com' }, 'text/plain')
  await ask('POST //pix/key', partner, { dict_key: 'fulano@example.com' })
  const dict_key = KEYS.beltrana
  const pay = async (more: object = {}, who = customer) => {
    const { body } = await look(dict_key)
    const transfer = { type: 'dict', dict_key, initiation_id: body?.initiation_id, amount: '1.50', ...more }
    return { transfer, seen: await ask('POST /pix/out/', who, transfer) }
  }
  const { transfer } = await pay()
  await ask('POST /pix/out/', customer, transfer)
  for (const more of [
    { beneficiary: { name: 'Nobody' } },
    { payment_date: '2990-01-01' },
    { amount: '6000.00' },
    { amount: '9999999999.99' },
    { amount: '0.50' },
    { type: 'ted' },
    { amount: '7.70', beneficiary: { account_type: 'TRAN' } },
  ])
    await pay(more)
  await pay({ amount: '8.80' }, partner)
  await ask('POST /pix/brcode/emv/', partner, {
    emv: STATIC_CODE.replace('br.gov.bcb.pix', 'BR.GOV.BCB.PIX').replace('4037', '6AB9'),
  })
  const free = encode({ key: dict_key, merchantName: 'Beltrana', merchantCity: 'BRASILIA' })
  await ask('POST /pix/brcode/emv/', partner, { emv: free })
  await ask('POST /pix/brcode/emv/', undefined, { emv: 1 })
  const { body } = await look(dict_key)
  await ask('POST /_sandbox/clock', undefined, { advance_seconds: 360 })
  await ask('POST /pix/out/', customer, { ...transfer, amount: '2.50', initiation_id: body?.initiation_id })
  await ask('POST /_sandbox/clock', undefined, { advance_seconds: 2000 })
  await ask('POST /pix/out/', customer, { ...transfer, amount: '2.60', initiation_id: body?.initiation_id })
}

function factsBroken(
  operation: Parameters<typeof validator.validateResponse>[0],
  line: string,
  { status, headers, body }: Seen,
) {
  return validator
    .validateResponse(operation, { status, headers: Object.fromEntries(headers), body })
    .filter(({ question }) => question === undefined)
    .map(({ pointer, place, message }) => `${line}: ${place} ${pointer} ${message}`)
}

/** A response without its variable parts. */
function lineOf(headers: Headers | Json, body: unknown): string {
  const names = headers instanceof Headers ? [...headers.keys()] : Object.keys(headers)
  const type = headers instanceof Headers ? headers.get('content-type') : ''
  const ids: string[] = []
  const plain = (JSON.stringify(body) ?? '')
    .replaceAll(UUID, (id) => `id ${ids.includes(id) ? ids.indexOf(id) : ids.push(id) - 1}`)
    .replaceAll(VARYING, '~')
  return `${names.sort().join(' ')} ${type} ${plain}`
}

const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g
/** Times, tokens, secrets, ids of requests and deliveries, codes and their images, and the port of the receiver. */
const VARYING =
  /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|(?<=_token":"|E99999010|127\.0\.0\.1:|(req|ini|msg|whsec)_|6304|cobv?\/|iVBOR|0525)[\w+/=-]+|(?<=")[A-Za-z0-9]{25}(?=")/g

async function receive(tell: (headers: Json, body: unknown) => void) {
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray()).toString()
    const { host: _, connection: __, 'content-length': ___, ...headers } = incoming.headers
    tell(headers, parsed(body))
    outgoing.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections())
  return { url: `http://127.0.0.1:${port}/pix`, close }
}

/** The lines that occur in only one of two walks. */
export function differences(one: Journey, other: Journey): string[] {
  return [
    ...lacking(one.lines, other.lines).map((it) => `- ${it}`),
    ...lacking(other.lines, one.lines).map((it) => `+ ${it}`),
  ]
}

function lacking(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return lines.filter((line) => {
    const at = left.indexOf(line)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

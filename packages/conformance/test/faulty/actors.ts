import { basic, CREDENTIALS, KEYS, PREFIX, USERS } from './fixtures.ts'
import { parsed } from './json.ts'
import type { TestSandbox } from './sandbox.ts'

/** A response with its body read. */
export interface ParsedResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test names the fields that it expects.
  readonly body: any
}

/** Sends a request, such as `GET /partner/user`. A string body is sent unchanged. */
export type Ask = (
  line: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<ParsedResponse>

/** The callers of a service, with helpers for frequent requests. */
export interface Actors {
  readonly sandbox: TestSandbox
  readonly partner: Ask
  readonly other: Ask
  readonly customer: Ask
  /** A caller with this Authorization header, or without one. */
  by(authorization?: string): Ask
  /** Creates a webhook, and returns its id. */
  webhook(fields?: object): Promise<string>
  /** Creates an immediate QR code of the partner. */
  immediate(fields?: object): Promise<ParsedResponse>
  dueDate(fields?: object): Promise<ParsedResponse>
  staticCode(fields?: object): Promise<ParsedResponse>
  /** Pays a key as the customer, with a new lookup. */
  transfer(fields?: object): Promise<ParsedResponse>
  /** Pays a code as the customer. */
  pay(emv: string, amount: string): Promise<ParsedResponse>
}

export type Tokens = Readonly<Record<'partner' | 'other' | 'customer', string>>

export async function tokensOf(sandbox: TestSandbox): Promise<Tokens> {
  const partner = await sandbox.bearer('partner')
  const sent = { authorization: partner, body: USERS.partner }
  const { access_token } = await sandbox.send('POST', '/auth/partner/impersonate/', sent)
  return { partner, other: await sandbox.bearer('other'), customer: `Bearer ${access_token}` }
}

/** Creates the actors for a service. */
export function actorsOf(
  sandbox: TestSandbox,
  service: (request: Request) => Promise<Response>,
  tokens: Tokens,
): Actors {
  const by = (authorization?: string): Ask => askerOf(service, authorization)
  const [partner, other, customer] = [by(tokens.partner), by(tokens.other), by(tokens.customer)]
  const amount = { original: '35.90' }
  return {
    sandbox,
    partner,
    other,
    customer,
    by,
    async webhook(fields) {
      const { body } = await partner('POST /partner/webhook', { ...HOOK, ...fields })
      return String(body.id)
    },
    immediate: (fields) => partner('POST /pix/qrcode/dynamic/immediate', { ...charge(), amount, ...fields }),
    dueDate: (fields) =>
      partner('POST /pix/qrcode/dynamic/due-date', {
        ...charge(),
        amount,
        calendar: { due_date: '2999-01-15' },
        ...fields,
      }),
    staticCode: (fields) =>
      partner('POST /pix/qrcode/static/', { dict_key: KEYS.partner, amount: '35.90', ...fields }),
    async transfer(fields) {
      const { body } = await customer('POST /pix/dict/check/', { dict_key: KEYS.beltrana })
      return customer('POST /pix/out/', { ...toKey(body.initiation_id), ...fields })
    },
    pay: (emv, amount) => customer('POST /pix/out/', { type: 'emv', emv, amount }),
  }
}

export const HOOK = { type: 'all', url: 'https://loja.example/pix' }

/** The required fields of a charge, with a new tx_id. */
export function charge() {
  return { dict_key: KEYS.partner, tx_id: newTxId() }
}

export function newTxId(): string {
  return crypto.randomUUID().replaceAll('-', '')
}

export function toKey(initiation_id: unknown) {
  return { type: 'dict', amount: '1.50', dict_key: KEYS.beltrana, initiation_id, description: 'Pedido 1' }
}

export const SIGN_IN = {
  right: basic(CREDENTIALS.partner),
  wrong: basic(['partner', 'guess']),
} as const

function askerOf(service: (request: Request) => Promise<Response>, authorization?: string): Ask {
  return async (line, body, headers = {}) => {
    const [method = 'GET', path = ''] = line.split(' ')
    const sent = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
    const all = {
      ...(authorization !== undefined && { authorization }),
      ...(sent !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    }
    const url = `http://127.0.0.1${PREFIX}${path}`
    return parseResponse(await service(new Request(url, { method, headers: all, body: sent ?? null })))
  }
}

/** Keeps a byte order mark in the text. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

async function parseResponse(response: Response): Promise<ParsedResponse> {
  const { status, headers } = response
  const text = decoder.decode(await response.arrayBuffer())
  return { status, headers, text, body: parsed(text) }
}

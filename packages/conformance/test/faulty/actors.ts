import { basic, CREDENTIALS, KEYS, PREFIX, USERS } from './cast.ts'
import type { World } from './world.ts'

/** An answer with its body read. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test names the members that it expects.
  readonly body: any
}

/** Sends a request, such as `GET /partner/user`; a body that is a text goes as it is. */
export type Ask = (
  line: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>

/** Those who ask a service, and what they do often. */
export interface Actors {
  readonly world: World
  readonly partner: Ask
  readonly other: Ask
  readonly customer: Ask
  /** Somebody by this header, or without one. */
  by(authorization?: string): Ask
  /** Creates a webhook; its id. */
  webhook(members?: object): Promise<string>
  /** Creates a code of the partner. */
  immediate(members?: object): Promise<Answer>
  dueDate(members?: object): Promise<Answer>
  staticCode(members?: object): Promise<Answer>
  /** A transfer of the customer to a key, with a look-up of its own. */
  transfer(members?: object): Promise<Answer>
  /** Pays a code as the customer. */
  pay(emv: string, amount: string): Promise<Answer>
}

export type Tokens = Readonly<Record<'partner' | 'other' | 'customer', string>>

export async function tokensOf(world: World): Promise<Tokens> {
  const partner = await world.bearer('partner')
  const sent = { authorization: partner, body: USERS.partner }
  const { access_token } = await world.send('POST', '/auth/partner/impersonate/', sent)
  return { partner, other: await world.bearer('other'), customer: `Bearer ${access_token}` }
}

/** The actors before a service. */
export function actorsOf(
  world: World,
  service: (request: Request) => Promise<Response>,
  tokens: Tokens,
): Actors {
  const by = (authorization?: string): Ask => askerOf(service, authorization)
  const [partner, other, customer] = [by(tokens.partner), by(tokens.other), by(tokens.customer)]
  const amount = { original: '35.90' }
  return {
    world,
    partner,
    other,
    customer,
    by,
    async webhook(members) {
      const { body } = await partner('POST /partner/webhook', { ...HOOK, ...members })
      return String(body.id)
    },
    immediate: (members) =>
      partner('POST /pix/qrcode/dynamic/immediate', { ...charge(), amount, ...members }),
    dueDate: (members) =>
      partner('POST /pix/qrcode/dynamic/due-date', {
        ...charge(),
        amount,
        calendar: { due_date: '2999-01-15' },
        ...members,
      }),
    staticCode: (members) =>
      partner('POST /pix/qrcode/static/', { dict_key: KEYS.partner, amount: '35.90', ...members }),
    async transfer(members) {
      const { body } = await customer('POST /pix/dict/check/', { dict_key: KEYS.beltrana })
      return customer('POST /pix/out/', { ...toKey(body.initiation_id), ...members })
    },
    pay: (emv, amount) => customer('POST /pix/out/', { type: 'emv', emv, amount }),
  }
}

export const HOOK = { type: 'all', url: 'https://loja.example/pix' }

/** What the request of a code has to have, with a tx_id that nobody had. */
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
    return answerOf(await service(new Request(url, { method, headers: all, body: sent ?? null })))
  }
}

/** Shows a byte order mark, where there is one. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response
  const text = decoder.decode(await response.arrayBuffer())
  return { status, headers, text, body: parsed(text) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

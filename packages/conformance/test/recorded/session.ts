import { example, type Json } from '../story.ts'

/** The base URL of the service in the recordings. */
export const BASE = 'http://127.0.0.1:4020'
/** When the recordings begin. */
export const BEGAN_MS = Date.parse('2026-11-28T20:55:07.000Z')

interface Header {
  readonly name: string
  value: string
}

/** A request and its response as HAR 1.2 has them. Tests change it as recorders do. */
export interface HarEntry {
  startedDateTime?: unknown
  time?: unknown
  request: {
    method: string
    url: string
    headers: Header[]
    bodySize?: number
    postData?: Json
    [field: string]: unknown
  }
  response?: {
    status: number
    headers: Header[]
    content: Json
    bodySize?: number
    [field: string]: unknown
  }
  [field: string]: unknown
}

/** A recording of entries. */
export function har(entries: readonly unknown[]) {
  return { log: { version: '1.2', creator: { name: 'made up', version: '1' }, entries } }
}

interface Call {
  readonly method: string
  readonly path: string
  /** Seconds since the recording began. */
  readonly second: number
  readonly status?: number
  readonly sent?: Json
  readonly shown?: Json
}

function entryOf({ method, path, second, status = 200, sent, shown }: Call): HarEntry {
  const body = sent && JSON.stringify(sent)
  const text = shown ? JSON.stringify(shown) : ''
  const length = Buffer.byteLength(text)
  return {
    startedDateTime: new Date(BEGAN_MS + second * 1000).toISOString(),
    time: 20,
    request: {
      method,
      url: BASE + path,
      headers: requestHeaders(path, body),
      bodySize: -1,
      ...(body !== undefined && { postData: { mimeType: 'application/json', text: body } }),
    },
    response: {
      status,
      headers: responseHeaders(second, length),
      content: { size: length, mimeType: length > 0 ? 'application/json' : '', text },
      bodySize: -1,
    },
  }
}

const TOKEN = 'made-up-token-of-the-recording'

function requestHeaders(path: string, body: string | undefined): Header[] {
  const isSignIn = path.includes('/auth/')
  const value = isSignIn ? `Basic ${btoa('partner:secret')}` : `Bearer ${TOKEN}`
  const headers = [
    { name: 'host', value: '127.0.0.1:4020' },
    { name: 'authorization', value },
  ]
  if (body !== undefined) headers.push({ name: 'content-type', value: 'application/json' })
  return headers
}

function responseHeaders(second: number, length: number): Header[] {
  const headers = [{ name: 'x-request-id', value: `req_made_up_${second}` }]
  if (length === 0) return headers
  return [
    ...headers,
    { name: 'content-type', value: 'application/json' },
    { name: 'content-length', value: String(length) },
  ]
}

export function signIn(second = 0): HarEntry {
  return entryOf({
    method: 'POST',
    path: '/mobile-bff/v1/auth/partner/token/',
    second,
    shown: {
      access_token: TOKEN,
      expiration: 3600,
      refresh_token: `made-up-refresh-token-${second}`,
      type: 'Bearer',
    },
  })
}

export function checkCode(bodies: Pick<Call, 'sent' | 'shown'>, second = 1): HarEntry {
  return entryOf({ method: 'POST', path: '/mobile-bff/v1/pix/brcode/emv/', second, ...bodies })
}

export function listUsers(second = 1): HarEntry {
  return entryOf({
    method: 'GET',
    path: '/mobile-bff/v1/partner/user',
    second,
    shown: example('partnerUsers'),
  })
}

const KEY = 'beltrana@example.com'

function initiationAt(second: number): string {
  return `ini_made_up_value_of_second_${second}`
}

/** A look-up of a key, which issues a value that works once. */
export function lookUp(second = 2): HarEntry {
  return entryOf({
    method: 'POST',
    path: '/mobile-bff/v1/pix/dict/check/',
    second,
    sent: { dict_key: KEY },
    shown: { ...example('emailKey'), initiation_id: initiationAt(second) },
  })
}

/** The payment of the key that was looked up a second before. */
export function pay(second = 3): HarEntry {
  const id = `00000000-0000-4000-8000-${String(second).padStart(12, '0')}`
  const description = 'Almoço ☕'
  const shown = example('keySettled')
  const data = {
    ...(shown.data as Json),
    id,
    amount: '1.25',
    description,
    end_to_end_id: `E999990102026112820550000000${String(second).padStart(4, '0')}`,
    status: 'pending',
    settled_at: '',
  }
  return entryOf({
    method: 'POST',
    path: '/mobile-bff/v1/pix/out/',
    second,
    status: 201,
    sent: {
      type: 'dict',
      amount: '1.25',
      initiation_id: initiationAt(second - 1),
      dict_key: KEY,
      description,
    },
    shown: { ...shown, id, status: 'pending', data },
  })
}

/** A second transfer with the initiation of the first one. */
export function payAgain(): HarEntry {
  const secondPayment = withContent(pay(), (text) => ({
    text: text.replaceAll('000000000003', '000000000009'),
  }))
  return withHeader(secondPayment, 'x-request-id', 'req_made_up_other')
}

const WEBHOOK_ID = '59f0273e-0acc-426b-a2b2-837fbb086815'

function webhookAt(second: number): Json {
  const at = new Date(BEGAN_MS + second * 1000).toISOString()
  return { ...example('webhook'), id: WEBHOOK_ID, created_at: at, updated_at: at }
}

/** The creation of a webhook, the list with it, its removal, and the list without it. */
export function webhookCycle(second = 4): [HarEntry, HarEntry, HarEntry, HarEntry] {
  const path = '/mobile-bff/v1/partner/webhook'
  return [
    entryOf({
      method: 'POST',
      path,
      second,
      status: 201,
      sent: example('createAll'),
      shown: { ...example('credential'), id: WEBHOOK_ID },
    }),
    entryOf({
      method: 'GET',
      path: `${path}/`,
      second: second + 1,
      shown: { data: [webhookAt(second)] },
    }),
    entryOf({ method: 'DELETE', path: `${path}/${WEBHOOK_ID}`, second: second + 2, status: 204 }),
    entryOf({ method: 'GET', path: `${path}/`, second: second + 20, shown: { data: [] } }),
  ]
}

/** A right session. */
export function session(): HarEntry[] {
  return [signIn(), listUsers(), lookUp(), pay(), ...webhookCycle()]
}

/** An entry with other fields. */
export function changed(entry: HarEntry, change: (copy: HarEntry) => void): HarEntry {
  const copy = structuredClone(entry)
  change(copy)
  return copy
}

/** An entry whose response has another content. */
export function withContent(entry: HarEntry, change: (text: string) => Json): HarEntry {
  return changed(entry, ({ response }) => {
    if (response)
      response.content = { ...response.content, ...change(String(response.content.text)) }
  })
}

/** An entry whose response has another header. */
export function withHeader(entry: HarEntry, name: string, value: string): HarEntry {
  return changed(entry, ({ response }) => {
    const others = response?.headers.filter((header) => header.name !== name) ?? []
    if (response) response.headers = [...others, { name, value }]
  })
}

/** An entry whose recorder left out the credentials. */
export function withoutCredentials(entry: HarEntry): HarEntry {
  return changed(entry, ({ request }) => {
    request.headers = request.headers.filter(({ name }) => name !== 'authorization')
  })
}

/** An entry in whose bodies each value of a field is another one. */
export function redacted(entry: HarEntry, field: string, value: string): HarEntry {
  const pattern = new RegExp(`("${field}":)"[^"]*"`, 'g')
  const replaced = (text: unknown) =>
    String(text).replaceAll(pattern, (_, name) => `${name}${JSON.stringify(value)}`)
  return changed(entry, ({ request, response }) => {
    if (request.postData) request.postData.text = replaced(request.postData.text)
    if (response) response.content.text = replaced(response.content.text)
  })
}

import { FIRST_PARTNER } from '../../seed/first-partner.ts'

/**
 * Sends a request to the control API.
 *
 * @throws {Error} with a message for the user
 */
export async function control<T>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<T> {
  return (await bodyOrProblem(await send(method, `/_sandbox${path}`, body))) as T
}

/**
 * The JSON of a response; undefined if it has no body.
 *
 * @throws {Error} with a message for the user, if the response is a problem
 */
async function bodyOrProblem(response: Response): Promise<unknown> {
  const text = await response.text()
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  if (!response.ok) throw new Error(readProblem(body) ?? `The sandbox returned ${response.status}.`)
  return body
}

function readProblem(body: unknown): string | undefined {
  const { errors, detail, title } = (body ?? {}) as Record<string, unknown>
  const firstDetail = Array.isArray(errors) ? errors[0]?.detail : undefined
  return [firstDetail, detail, title].find(isText)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

const SERVICE = '/mobile-bff/v1'
/** The page pays, and is paid, as the first partner. */
const { client_key, client_secret, dict_key: PARTNER_KEY } = FIRST_PARTNER

let token: string | undefined

export async function payKey(dict_key: string, amount: string): Promise<void> {
  const { initiation_id } = await callService('/pix/dict/check/', { dict_key })
  await callService('/pix/out/', { type: 'dict', dict_key, amount, initiation_id })
}

export async function createQrCode(original: string): Promise<string> {
  const tx_id = crypto.randomUUID().replaceAll('-', '')
  const charge = { dict_key: PARTNER_KEY, tx_id, amount: { original } }
  return String((await callService('/pix/qrcode/dynamic/immediate', charge)).id)
}

/**
 * Registers the sandbox's own receiver. The secret is not kept: the receiver reads it from the
 * state.
 */
export async function registerReceiver(): Promise<void> {
  await callService('/partner/webhook', {
    type: 'all',
    url: `${location.origin}/_sandbox/receiver`,
  })
}

type Body = Readonly<Record<string, unknown>>

/**
 * Sends a POST to the partner API, as the first partner of the test data. Signs in when that is
 * needed, and returns the body of the response.
 *
 * @throws {Error} with a message for the user
 */
async function callService(path: string, body: Body): Promise<Body> {
  token ??= await signIn()
  let response = await send('POST', SERVICE + path, body, `Bearer ${token}`)

  const hasTokenEnded = response.status === 401
  if (hasTokenEnded) {
    // It expired, or a reset removed it.
    token = await signIn()
    response = await send('POST', SERVICE + path, body, `Bearer ${token}`)
  }
  return (await bodyOrProblem(response)) as Body
}

async function signIn(): Promise<string> {
  const path = `${SERVICE}/auth/partner/token/`
  const credentials = btoa(`${client_key}:${client_secret}`)
  const response = await send('POST', path, undefined, `Basic ${credentials}`)
  return String(((await bodyOrProblem(response)) as Body).access_token)
}

/** Sends a request with a body of JSON, or without a body. */
function send(
  method: string,
  path: string,
  body?: object,
  authorization?: string,
): Promise<Response> {
  const headers = new Headers()
  if (authorization) headers.set('authorization', authorization)
  if (!body) return fetch(path, { method, headers })

  headers.set('content-type', 'application/json')
  return fetch(path, { method, headers, body: JSON.stringify(body) })
}

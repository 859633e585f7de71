import type { Magic, State } from './state.ts'

const BASE = '/_sandbox'

export const getState = () => get('/state') as Promise<State>
export const getMagic = () => get('/magic') as Promise<Magic>

/** @throws {Error} with a message for the user */
async function get(path: string): Promise<unknown> {
  return bodyOrProblem(await fetch(BASE + path))
}

/**
 * Sends a request to the control API.
 *
 * @throws {Error} with a message for the user
 */
export async function post(path: string, body: object = {}): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  await bodyOrProblem(await fetch(BASE + path, { method: 'POST', headers, body: JSON.stringify(body) }))
}

/** @throws {Error} with a message for the user */
export async function remove(path: string): Promise<void> {
  await bodyOrProblem(await fetch(BASE + path, { method: 'DELETE' }))
}

/** @throws {Error} with a message for the user, if the response is a problem */
async function bodyOrProblem(response: Response): Promise<unknown> {
  const text = await response.text()
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  if (!response.ok) throw new Error(problemIn(body) ?? `The sandbox returned ${response.status}.`)
  return body
}

function problemIn(body: unknown): string | undefined {
  const { errors, detail, title } = (body ?? {}) as Record<string, unknown>
  const first = Array.isArray(errors) ? errors[0]?.detail : undefined
  return [first, detail, title].find((text): text is string => typeof text === 'string' && text !== '')
}

/** The first partner of the seed data. */
const CREDENTIALS = btoa('partner:secret')
const SERVICE = '/mobile-bff/v1'
/** A key of this partner's account. */
const OWN_KEY = '12ABC34501DE35'

let token: string | undefined

/** Pays a key, as the partner. */
export async function payKey(dict_key: string, amount: string): Promise<void> {
  const { initiation_id } = await call('/pix/dict/check/', { dict_key })
  await call('/pix/out/', { type: 'dict', dict_key, amount, initiation_id })
}

/** Creates an immediate QR code, and returns its id. */
export async function createQrCode(original: string): Promise<string> {
  const tx_id = crypto.randomUUID().replaceAll('-', '')
  const charge = { dict_key: OWN_KEY, tx_id, amount: { original } }
  return String((await call('/pix/qrcode/dynamic/immediate', charge)).id)
}

/** Registers the sandbox's own receiver. The secret is not kept: the receiver reads it from the state. */
export async function registerReceiver(): Promise<void> {
  await call('/partner/webhook', { type: 'all', url: `${location.origin}/_sandbox/receiver` })
}

type Body = Readonly<Record<string, unknown>>

/** @throws {Error} with a message for the user */
async function call(path: string, body: Body): Promise<Body> {
  token ??= await signIn()
  const response = await send(path, `Bearer ${token}`, body)
  if (response.status !== 401) return (await bodyOrProblem(response)) as Body
  // The token expired, or a reset removed it.
  token = await signIn()
  return (await bodyOrProblem(await send(path, `Bearer ${token}`, body))) as Body
}

async function signIn(): Promise<string> {
  const response = await send('/auth/partner/token/', `Basic ${CREDENTIALS}`)
  return String(((await bodyOrProblem(response)) as Body).access_token)
}

function send(path: string, authorization: string, body?: Body): Promise<Response> {
  const headers = { authorization, ...(body && { 'content-type': 'application/json' }) }
  return fetch(SERVICE + path, { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }) })
}

interface Entry {
  readonly version: string
  readonly body?: unknown
  readonly problem?: string
}

const entries = new Map<string, Entry>()
let changed = 0

/** Increases with every change. Views of loaded data are redrawn then. */
export const loadedVersion = () => changed

/** What was loaded from a path of the control API; undefined until then. */
export function loaded<T>(path: string): T | undefined {
  return entries.get(path)?.body as T | undefined
}

/** Why loading failed. */
export function loadProblem(path: string): string | undefined {
  return entries.get(path)?.problem
}

/** Loads the `data-load` path of each open `details`, once per `data-version`, and drops the data of the others. */
export function followOpened(redraw: () => void): () => void {
  const update = () => {
    const opened = [...document.querySelectorAll<HTMLElement>('details[open][data-load]')]
    const paths = new Set(opened.map(({ dataset }) => dataset.load ?? ''))
    for (const path of entries.keys()) if (!paths.has(path)) entries.delete(path)
    for (const { dataset } of opened) void load(dataset.load ?? '', dataset.version ?? '', redraw)
  }
  // `toggle` does not bubble.
  document.addEventListener('toggle', update, true)
  return update
}

async function load(path: string, version: string, redraw: () => void): Promise<void> {
  const known = entries.get(path)
  if (known?.version === version) return
  entries.set(path, { ...known, version })
  const entry = await get(path).then(
    (body) => ({ version, body }),
    (error: unknown) => ({ version, problem: error instanceof Error ? error.message : String(error) }),
  )
  if (entries.get(path)?.version !== version) return
  entries.set(path, entry)
  changed++
  redraw()
}

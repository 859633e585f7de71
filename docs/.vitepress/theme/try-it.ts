import { createPayments, createSafeFetch, type TokenRequest } from '@partner-payments/client'
import { isTooDeep, valueAt } from '@partner-payments/contract'
import { curlCommand } from '../../build/curl.ts'
import { moveDates } from '../../build/example-dates.ts'
import { withShortStrings } from '../../build/short-strings.ts'
import type { Next, Source, TryOperation } from '../../build/try-it.ts'

/** What the form sends: the values of path and query by name, and the text of the body. */
export interface Input {
  identity: Identity
  parameters: Record<string, string>
  body: string
  /** The operation that was sent first, for an id that this one needs. */
  first?: string | undefined
}

type Identity = 'partner' | 'customer'
type Body = Readonly<Record<string, unknown>>

/**
 * What a form starts with: an example by its index, and what a response carries to a next
 * operation, by name.
 */
export interface Start {
  identity: Identity
  example: number
  carried?: Body | undefined
}

/** The names of this machine in an address. */
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** The credentials of the seed data. */
const HEADERS = { authorization: `Basic ${btoa('partner:secret')}` }

/** How long a sandbox may take to sign in, in milliseconds. */
const SIGN_IN_MS = 10_000

/** Where the tab of the browser keeps the token, so that the forms of all pages sign in once. */
const TOKEN = 'try-it token'

/**
 * Signs in to the sandbox behind a page, which has the origin of the page, unless a form of the tab
 * has done so.
 *
 * @param store of the tab
 * @param signInMs how long the sandbox may take to sign in
 * @throws (rejects) with an Error if the page is not on this machine, or if no sandbox responds in
 *   time
 */
export async function openSandbox(
  operations: readonly TryOperation[],
  { origin, hostname }: Pick<URL, 'origin' | 'hostname'>,
  store: Pick<Storage, 'getItem' | 'setItem'>,
  signInMs = SIGN_IN_MS,
) {
  if (!LOOPBACK.has(hostname)) throw new Error('it is not on your machine')
  const find = (id?: string) => operations.find((operation) => operation.id === id)
  const signIn = () => signInAt(`${origin}${find('signIn')?.path}`, signInMs)
  await token({ refused: undefined })
  const receiver = `${await findSandbox(origin, signInMs)}/_sandbox/receiver`
  const partner = createPayments({ baseUrl: origin, auth: { token } })
  const { customer_id, user_id } = find('impersonate')?.examples[0]?.body ?? {}
  const customer = partner.as({ customer_id: String(customer_id), user_id: String(user_id) })
  const fetches = { partner: createSafeFetch(partner), customer: createSafeFetch(customer) }
  return { send, prepare }

  /**
   * The access token of this tab. Signs in again if the tab has none, or if the sandbox refused it.
   */
  async function token({ refused }: TokenRequest): Promise<string> {
    const keptToken = store.getItem(TOKEN)
    if (keptToken && keptToken !== refused) return keptToken

    const response = await signIn()
    const { access_token } = (await response.json()) as { access_token: string }
    store.setItem(TOKEN, access_token)
    return access_token
  }

  /**
   * Sends a request to the sandbox as a partner or as a customer. Rejects with a `PaymentsError` as
   * the client does, for example if the outcome is unknown.
   */
  async function send(
    operation: TryOperation,
    { identity, parameters, body }: Input,
  ): Promise<Response> {
    if (operation.id === 'signIn') return signIn()
    const url = origin + fillTarget(operation, parameters)
    const { method } = operation
    return fetches[identity](url, body === '' ? { method } : { method, body })
  }

  /**
   * What a form shows first: an example with values that the sandbox accepts. If the operation
   * needs an id of an earlier one, and none is carried over from another form, it sends the earlier
   * one first.
   */
  async function prepare(
    operation: TryOperation,
    { identity, example, carried }: Start,
  ): Promise<Input> {
    const { source, examples } = operation
    const exampleBody = examples[example]?.body
    const isSourceNeeded = source && !carried && takesAllValues(operation, source, exampleBody)
    if (isSourceNeeded) {
      const values = await fetchValues(source, identity, exampleBody)
      const input = fillInput(operation, exampleBody, values, receiver)
      return { identity, first: source.id, ...input }
    }

    const input = fillInput(operation, exampleBody, carried ?? {}, receiver)
    return { identity, first: undefined, ...input }
  }

  /**
   * Sends the first example of an earlier operation, and returns the values of its response that a
   * later one needs, by name: `{ initiation_id: 'abc' }`. Empty if the sandbox refuses it.
   *
   * @param laterBody The body of the later operation. Its values replace those of the example, so
   * that a look-up is of the key that is paid.
   */
  async function fetchValues(source: Source, identity: Identity, laterBody?: Body): Promise<Body> {
    const earlier = find(source.id)
    if (!earlier) return {}

    const input = await prepare(earlier, { identity, example: 0, carried: laterBody })
    const response = await send(earlier, input)
    if (!response.ok) return {}
    const body = await response.json()
    const values: Record<string, unknown> = {}
    for (const [name, pointer] of Object.entries(source.values))
      values[name] = valueAt(body, pointer)
    return values
  }
}

/** Whether a request has a place for each value of its source: in the path, or in the body. */
function takesAllValues(
  { path }: TryOperation,
  { values }: Source,
  body: Body | undefined,
): boolean {
  const hasPlace = (name: string) => path.includes(`{${name}}`) || (body && name in body)
  return Object.keys(values).every(hasPlace)
}

async function signInAt(url: string, ms: number): Promise<Response> {
  // The signal also ends the reading of the body.
  const signal = AbortSignal.timeout(ms)
  const response = await fetch(url, { method: 'POST', headers: HEADERS, signal })
  if (!response.ok) throw new Error(`${url} returned ${response.status}`)
  return response
}

/** The parameters and the body of a form, with values of another exchange. */
function fillInput(
  operation: TryOperation,
  exampleBody: Body | undefined,
  values: Body,
  receiver: string,
): Pick<Input, 'parameters' | 'body'> {
  const parameters = fillParameters(operation, values)
  if (!exampleBody) return { parameters, body: '' }

  const body = fillBody(operation, exampleBody, values, receiver)
  return { parameters, body: JSON.stringify(body, null, 2) }
}

/**
 * An example with values of another exchange, new ones where each may be used once, dates ahead of
 * today, and the receiver of the sandbox as its URL.
 */
function fillBody({ unique }: TryOperation, example: Body, values: Body, receiver: string): Body {
  const body: Record<string, unknown> = replaceValues(moveDates(example, Date.now()), values)
  for (const name of unique) body[name] = newValue(String(example[name]).length)
  if ('url' in example) body.url = receiver
  return body
}

/**
 * The parameters of a form by name. Those of the path always have a value. Those of the query are
 * empty unless an earlier response gave them a value, since an example would filter the list.
 */
function fillParameters({ path, parameters }: TryOperation, values: Body): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const { name, example } of parameters) {
    const isInPath = path.includes(`{${name}}`)
    const preset = isInPath ? example : ''
    texts[name] = String(values[name] ?? preset)
  }
  return texts
}

/** The address of the sandbox behind a page, which serves its own receiver of webhooks. */
async function findSandbox(origin: string, ms: number): Promise<string> {
  const signal = AbortSignal.timeout(ms)
  const response = await fetch(`${origin}/sandbox.json`, { signal })
  if (!response.ok) return origin
  const { url } = (await response.json()) as { url: string }
  return url
}

/** What the form of a next operation starts with, by its id, while the browser opens its page. */
export const followed = new Map<string, Start>()

/**
 * What the form of a next operation starts with: the values that a link of the contract takes from
 * the exchange that was just made, such as the id of the new record.
 *
 * @param response The body of the response as text.
 */
export function startNext(
  { carries }: Next,
  { examples }: TryOperation,
  { identity, body }: Pick<Input, 'identity' | 'body'>,
  response: string,
): Start {
  const exchange = {
    request: body ? JSON.parse(body) : '',
    response: response ? JSON.parse(response) : '',
  }
  const values: Record<string, unknown> = {}
  for (const [name, expression] of Object.entries(carries ?? {}))
    values[name] = evaluate(expression, exchange)

  // The example of the same kind, such as a payment of a key; else the first one.
  const index = examples.findIndex((example) => example.body.type === values.type)
  return { identity, example: Math.max(0, index), carried: carries && values }
}

/** The start that a link names, as `?example=payKey`, if the operation has that example. */
export function linkedStart({ examples }: TryOperation, query: string): Start | undefined {
  const name = new URLSearchParams(query).get('example')
  const index = examples.findIndex((example) => example.name === name)
  return index === -1 ? undefined : { identity: 'partner', example: index }
}

/**
 * The value of a runtime expression (OpenAPI 3.1, section 4.8.20.4); other text stands for itself.
 */
function evaluate(text: string, exchange: Readonly<Record<string, unknown>>): unknown {
  const [, side, pointer = ''] = /^\$(request|response)\.body#(\/.*)$/.exec(text) ?? []
  return side ? valueAt(exchange[side], pointer) : text
}

/** Why a body cannot be sent, for a person; undefined if it is JSON, or empty. */
export function bodyProblem(body: string): string | undefined {
  try {
    if (body) JSON.parse(body)
    return undefined
  } catch (error) {
    return `The body is not valid JSON: ${(error as Error).message}`
  }
}

/** Characters of a response that a page shows. More would hold the browser for seconds. */
const MAX_SHOWN = 100_000

/** The body of a response for a reader. One that is nested too deeply stays as it came. */
export function formatBody(text: string, body: Body): string {
  const isPlain = text === '' || isTooDeep(text)
  const formatted = isPlain
    ? text
    : JSON.stringify(body.data ? withShortStrings(body) : body, null, 2)
  if (formatted.length <= MAX_SHOWN) return formatted
  return `${formatted.slice(0, MAX_SHOWN)}\n… and ${formatted.length - MAX_SHOWN} more characters`
}

/** The request of a form as a command of a shell. */
export function writeCurl(operation: TryOperation, { parameters, body }: Input): string {
  const { id, method } = operation
  const target = fillTarget(operation, parameters)
  return curlCommand({ method, target, isSignIn: id === 'signIn', body })
}

/**
 * The path and query of a request, such as `/transfers/abc?limit=10`. Empty parameters of the query
 * are left out.
 */
function fillTarget({ path, parameters }: TryOperation, values: Input['parameters']): string {
  const filledPath = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(values[name] ?? ''),
  )
  const query = new URLSearchParams()
  for (const { name } of parameters) {
    const value = values[name]
    const isInPath = path.includes(`{${name}}`)
    if (value && !isInPath) query.append(name, value)
  }
  return query.size > 0 ? `${filledPath}?${query}` : filledPath
}

/** A body with other values, by name. Names that it does not have are left out. */
function replaceValues(body: Body, newValues: Body): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(body)) copy[name] = newValues[name] ?? value
  return copy
}

/** A random value for a field whose values must differ. */
function newValue(length: number): string {
  return crypto.randomUUID().replaceAll('-', '').toUpperCase().slice(0, length)
}

const sentRequests = new Set<string>()

/** Whether a request of effect `once` was already sent, however its body is indented. */
export function isRepeated(operation: TryOperation, input: Input): boolean {
  return operation.effect === 'once' && sentRequests.has(identifyRequest(operation, input))
}

/** Notes for `isRepeated` that a request is sent. */
export function noteRequest(operation: TryOperation, input: Input): void {
  sentRequests.add(identifyRequest(operation, input))
}

function identifyRequest({ id }: TryOperation, { parameters, body }: Input): string {
  return JSON.stringify([id, parameters, body.replaceAll(/\s/g, '')])
}

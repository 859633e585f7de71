import { createPayments, createSafeFetch, type Token } from '@partner-payments/client'
import { valueAt } from '@partner-payments/text'
import type { Next, TryOperation } from '../../build/try-it.ts'

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

/** The credentials of the seed data. */
const HEADERS = { authorization: `Basic ${btoa('partner:secret')}` }

/**
 * Signs in to the sandbox behind a page, which has the origin of the page.
 *
 * @throws (rejects) with an Error if the page is not on this machine, or if no sandbox responds
 */
export async function openSandbox(
  all: readonly TryOperation[],
  { origin, hostname }: Pick<URL, 'origin' | 'hostname'>,
) {
  if (!/^(127\.0\.0\.1|localhost|\[::1\])$/.test(hostname))
    throw new Error('it is not on your machine')
  const find = (id?: string) => all.find((it) => it.id === id)
  const signIn = async () => {
    const url = `${origin}${find('signIn')?.path}`
    const response = await fetch(url, { method: 'POST', headers: HEADERS })
    if (response.ok) return response
    throw new Error(`${url} returned ${response.status}`)
  }
  const token = async () => (await signIn()).json() as Promise<Token>
  await token()
  const receiver = `${await addressOfSandbox(origin)}/_sandbox/receiver`
  const partner = createPayments({ baseUrl: origin, auth: { token } })
  const customer = partner.as(Object(find('impersonate')?.examples[0]?.body))
  const fetches = { partner: createSafeFetch(partner), customer: createSafeFetch(customer) }
  return { send, prepare }

  /** Rejects with a `PaymentsError` as the client does, for example if the outcome is unknown. */
  async function send(
    operation: TryOperation,
    { identity, parameters, body }: Input,
  ): Promise<Response> {
    if (operation.id === 'signIn') return signIn()
    const url = origin + targetOf(operation, parameters)
    return fetches[identity](url, { method: operation.method, ...(body && { body }) })
  }

  /**
   * An example with values that the sandbox accepts. Sends the operation that comes before, if an
   * id of it is needed and none is carried.
   */
  async function prepare(
    operation: TryOperation,
    { identity, example, carried }: Start,
  ): Promise<Input> {
    const { path, parameters, unique } = operation
    const chosen = operation.examples[example]?.body
    const isAfter = path.includes('{') || (chosen && 'initiation_id' in chosen)
    const before = isAfter && !carried ? find(operation.source) : undefined
    const values = before ? await idsOf(before, identity, chosen) : (carried ?? {})
    const fresh = unique.map((name) => [name, newValue(String(chosen?.[name]).length)])
    const own = chosen && 'url' in chosen ? { url: receiver } : {}
    const body = chosen && { ...like(chosen, values), ...Object.fromEntries(fresh), ...own }
    const valueFor = (name: string, example: string) =>
      values[name] ?? (path.includes(`{${name}}`) ? (values.id ?? example) : '')
    return {
      identity,
      first: before?.id,
      parameters: Object.fromEntries(
        parameters.map(({ name, example }) => [name, String(valueFor(name, example))]),
      ),
      body: body ? JSON.stringify(body, null, 2) : '',
    }
  }

  /**
   * The ids in the response to the first example of an operation, with the values that another body
   * has under the same names.
   */
  async function idsOf(operation: TryOperation, identity: Identity, other?: Body): Promise<Body> {
    const input = await prepare(operation, { identity, example: 0, carried: other })
    const response = await send(operation, input)
    const { id, initiation_id } = Object(response.ok && (await response.json()))
    return { id, initiation_id }
  }
}

/** The address of the sandbox behind a page, which serves its own receiver of webhooks. */
async function addressOfSandbox(origin: string): Promise<string> {
  const response = await fetch(`${origin}/sandbox.json`)
  return response.ok ? Object(await response.json()).url : origin
}

/** What the form of a next operation starts with, by its id, while the browser opens its page. */
export const followed = new Map<string, Start>()

/**
 * The start of a next operation, which carries on with values of an exchange that a link of the
 * contract names.
 */
export function startOf(
  { carries }: Next,
  { examples }: TryOperation,
  { identity, body }: Pick<Input, 'identity' | 'body'>,
  response: string,
): Start {
  const exchange = { request: body && JSON.parse(body), response: response && JSON.parse(response) }
  const values = Object.entries(carries ?? {}).map(([name, it]) => [name, evaluate(it, exchange)])
  const carried: Body = Object.fromEntries(values)
  const example = examples.findIndex((it) => it.body.type === carried.type)
  return { identity, example: Math.max(0, example), carried: carries && carried }
}

/**
 * The value of a runtime expression (OpenAPI 3.1, section 4.8.20.4); other text stands for itself.
 */
function evaluate(text: string, exchange: Readonly<Record<string, unknown>>): unknown {
  const [, side, pointer = ''] = /^\$(request|response)\.body#(\/.*)$/.exec(text) ?? []
  return side ? valueAt(exchange[side], pointer) : text
}

/** Why a body cannot be sent, if it is not empty and no JSON. */
export function bodyProblem(body: string): string | undefined {
  try {
    if (body) JSON.parse(body)
    return undefined
  } catch (error) {
    return `The body is not valid JSON: ${(error as Error).message}`
  }
}

/** The path and query of a request. */
function targetOf({ path, parameters }: TryOperation, values: Input['parameters']): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ''))
  const asked = parameters.filter(({ name }) => !path.includes(`{${name}}`) && values[name])
  const query = new URLSearchParams(
    asked.map(({ name }): [string, string] => [name, values[name] ?? '']),
  )
  return query.size > 0 ? `${filled}?${query}` : filled
}

/** A body with the values that another has under the same names. */
function like(body: Body, other: Body): Body {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, other[name] ?? value]),
  )
}

function newValue(length: number): string {
  return crypto.randomUUID().replaceAll('-', '').toUpperCase().slice(0, length)
}

const sent = new Set<string>()

/**
 * Whether a request of effect `once` was already sent, however its body is indented. Notes that it
 * is sent now.
 */
export function isRepeated({ id, effect }: TryOperation, { parameters, body }: Input): boolean {
  const key = JSON.stringify([id, parameters, body.replaceAll(/\s/g, '')])
  const isKnown = sent.has(key)
  sent.add(key)
  return isKnown && effect === 'once'
}

import { createPayments, createSafeFetch, type Token } from '@partner-payments/client'
import type { TryOperation } from '../../build/try-it.ts'

/** What the form sends: the values of path and query by name, and the text of the body. */
export interface Input {
  identity: 'partner' | 'customer'
  parameters: Record<string, string>
  body: string
}

type Body = Readonly<Record<string, unknown>>

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
  if (!/^(127\.0\.0\.1|localhost|\[::1\])$/.test(hostname)) throw new Error('it is not on your machine')
  const find = (id?: string) => all.find((it) => it.id === id)
  const signIn = async () => {
    const url = `${origin}${find('signIn')?.path}`
    const response = await fetch(url, { method: 'POST', headers: HEADERS })
    if (response.ok) return response
    throw new Error(`${url} returned ${response.status}`)
  }
  const token = async () => (await signIn()).json() as Promise<Token>
  await token()
  const partner = createPayments({ baseUrl: origin, auth: { token } })
  const customer = partner.as(Object(find('impersonate')?.examples[0]?.body))
  const fetches = { partner: createSafeFetch(partner), customer: createSafeFetch(customer) }
  return { send, prepare }

  /** Rejects with a `PaymentsError` as the client does, for example if the outcome is unknown. */
  async function send(operation: TryOperation, { identity, parameters, body }: Input): Promise<Response> {
    if (operation.id === 'signIn') return signIn()
    const url = origin + targetOf(operation, parameters)
    return fetches[identity](url, { method: operation.method, ...(body && { body }) })
  }

  /** An example with values that the sandbox accepts. Sends what comes before the operation, if it needs an id of it. */
  async function prepare(
    operation: TryOperation,
    identity: Input['identity'],
    example?: Body,
  ): Promise<Input> {
    const { path, parameters, unique } = operation
    const source =
      path.includes('{') || (example && 'initiation_id' in example) ? find(operation.source) : undefined
    const first = source?.examples[0]?.body
    const before = source && (await send(source, await prepare(source, identity, like(first, example))))
    const { id, initiation_id }: Body = Object(before?.ok && (await before.json()))
    const fresh = unique.map((name) => [name, newValue(String(example?.[name]).length)])
    const body = example && { ...like(example, { initiation_id }), ...Object.fromEntries(fresh) }
    const isInPath = (name: string) => path.includes(`{${name}}`)
    return {
      identity,
      parameters: Object.fromEntries(
        parameters.map(({ name, example }) => [name, isInPath(name) ? String(id ?? example) : '']),
      ),
      body: body ? JSON.stringify(body, null, 2) : '',
    }
  }
}

/** The path and query of a request. */
function targetOf({ path, parameters }: TryOperation, values: Input['parameters']): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ''))
  const asked = parameters.filter(({ name }) => !path.includes(`{${name}}`) && values[name])
  const query = new URLSearchParams(asked.map(({ name }): [string, string] => [name, values[name] ?? '']))
  return query.size > 0 ? `${filled}?${query}` : filled
}

/** A body with the values that another has under the same names. */
function like(body: Body | undefined, other: Body = {}): Body | undefined {
  return body && Object.fromEntries(Object.entries(body).map(([name, value]) => [name, other[name] ?? value]))
}

function newValue(length: number): string {
  return crypto.randomUUID().replaceAll('-', '').toUpperCase().slice(0, length)
}

const sent = new Set<string>()

/** Whether a request of effect `once` was already sent, however its body is indented. Notes that it is sent now. */
export function isRepeated({ id, effect }: TryOperation, { parameters, body }: Input): boolean {
  const key = JSON.stringify([id, parameters, body.replaceAll(/\s/g, '')])
  const isKnown = sent.has(key)
  sent.add(key)
  return isKnown && effect === 'once'
}

import { type Disposable, findObjection, type Get, SERVICES } from '@partner-payments/contract'
import { httpTransport, type Transport } from './transport.ts'

/** Our own services (of this project), which only repeat the contract. */
export type OwnService = Disposable

const OWN_SERVICES: readonly OwnService[] = ['sandbox', 'mock']

/** Finds which of our own services sent a response, by its header `server`; undefined for any other. */
export function findOwnServiceByHeader(server: unknown): OwnService | undefined {
  const [product] = String(server ?? '').split(/[/ ]/, 1)
  return OWN_SERVICES.find((name) => SERVICES[name] === product)
}

/** Milliseconds until the response. */
const TIMEOUT_MS = 10_000

/**
 * Asks a service whether it is one of our own, since a gateway may replace the header. Undefined if it
 * is none of them, or does not respond.
 *
 * @param url Its base URL.
 */
export async function askOwnService(url: string): Promise<OwnService | undefined> {
  const base = new URL(url)
  const { transport, close } = httpTransport(base)
  return findOwnService(transport, base).finally(close)
}

/** Asks a service for each of our own whether it is that one. */
async function findOwnService(transport: Transport, url: URL): Promise<OwnService | undefined> {
  for (const kind of OWN_SERVICES) if (await isOwnService(kind, transport, url)) return kind
  return undefined
}

/** Whether a service says that it is this one of our own. One that does not respond is none. */
async function isOwnService(kind: OwnService, transport: Transport, url: URL): Promise<boolean> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const get: Get = (path, headers) => transport({ method: 'GET', path, headers }, signal)
  // An objection is a sentence that says why the service is not shown to be this one.
  const asking = findObjection(url, { kind, isRemoteAllowed: true, mayBeOlder: true, get })
  const objection = await asking.catch(() => 'it does not respond')
  return objection === undefined
}

import { ABOUT_PATHS, type Disposable, SERVICES } from '@partner-payments/contract'
import { fieldsOf, parsedJson } from '../contract/json.ts'
import { httpTransport, type Transport } from './transport.ts'

/** Our own services, which only repeat the contract. */
export type OwnService = Disposable

/** Which of our own services sent a response, by its header `server`; undefined for any other. */
export function ownServiceOf(server: unknown): OwnService | undefined {
  const [product] = String(server ?? '').split(/[/ ]/, 1)
  return ownNames().find((name) => SERVICES[name] === product)
}

/** Milliseconds until the response. */
const TIMEOUT_MS = 10_000

/**
 * Asks a service whether it is one of our own, since a gateway may replace the header.
 *
 * @param url Its base URL.
 */
export async function askOwnService(url: string): Promise<OwnService | undefined> {
  const { transport, close } = httpTransport(new URL(url))
  return askOver(transport).finally(close)
}

async function askOver(transport: Transport): Promise<OwnService | undefined> {
  for (const name of ownNames()) {
    const request = { method: 'GET', path: ABOUT_PATHS[name], headers: {} }
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await transport(request, signal).catch(() => undefined)
    const { service } = fieldsOf(parsedJson(response?.text ?? ''))
    if (response?.status === 200 && service === SERVICES[name]) return name
  }
  return undefined
}

function ownNames(): OwnService[] {
  return ['sandbox', 'mock']
}

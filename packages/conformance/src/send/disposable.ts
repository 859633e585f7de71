import { type Disposable, notDisposableReason } from '@partner-payments/contract'
import type { SentRequest } from '../history.ts'
import { CannotRun, noResponseReason, type Transport } from './transport.ts'

export interface DisposableOptions {
  /** The base URL. */
  readonly url: URL
  readonly kind: Disposable
  readonly isRemoteAllowed: boolean
  /** Called if another service responds later in the run. */
  readonly onLost: (reason: string) => void
}

/** Milliseconds until the first response. */
const TIMEOUT_MS = 10_000

/**
 * A transport that sends changes, and so payments, only while the service says that it is a sandbox
 * or a mock. Another service may listen on the same port later.
 *
 * @throws {CannotRun} if the service is neither now, or does not respond
 */
export async function disposableTransport(
  transport: Transport,
  { url, kind, isRemoteAllowed, onLost }: DisposableOptions,
): Promise<Transport> {
  let asking: Promise<string | undefined> | undefined

  /** Requests at the same time share one question, so that they are still sent together. */
  function ask(signal: AbortSignal): Promise<string | undefined> {
    const get = (path: string) => transport({ method: 'GET', path, headers: {} }, signal)
    asking ??= notDisposableReason(url, { kind, isRemoteAllowed, get }).finally(() => {
      asking = undefined
    })
    return asking
  }

  const reason = await ask(AbortSignal.timeout(TIMEOUT_MS)).catch((cause: unknown) => {
    throw new CannotRun(`the service cannot be reached: ${noResponseReason(cause)}`, { cause })
  })
  if (reason !== undefined) throw new CannotRun(`${reason}; ${OWN}`)

  return async (request, signal) => {
    if (isRead(request)) return transport(request, signal)

    const lostReason = await ask(signal)
    if (lostReason === undefined) return transport(request, signal)

    onLost(lostReason)
    throw new Error(`not sent: ${lostReason}`)
  }
}

const OWN =
  'a service of your own that moves no real money, and whose data may be thrown away, needs --disposable (in code, isDisposable: true)'

function isRead({ method }: SentRequest): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

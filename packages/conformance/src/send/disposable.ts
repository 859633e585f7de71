import { type Disposable, findObjection, type Get } from '@partner-payments/contract'
import { parsedJson, stringAt } from '../contract/json.ts'
import { isSafe } from './guard.ts'
import { CannotRun, noResponseReason, type Transport } from './transport.ts'

export interface DisposableOptions {
  /** The base URL. */
  readonly url: URL
  readonly kind: Disposable
  readonly isRemoteAllowed: boolean
  /** Access tokens that the run begins with. */
  readonly tokens: readonly string[]
  /** Called if another service responds later in the run. */
  readonly onLost: (reason: string) => void
}

/** Milliseconds until the first response. */
const TIMEOUT_MS = 10_000

/**
 * Creates a transport that sends changes, and so payments, only while the service says that it is a sandbox
 * or a mock. It asks before each change, since another service may listen on the same port by then.
 *
 * A gateway may send changes to another service than the question. So the sandbox or mock must also say that it
 * has issued each access token of the run; otherwise, the run ends.
 *
 * @throws {CannotRun} if the service is neither now, or does not respond
 */
export async function createDisposableTransport(
  transport: Transport,
  { url, kind, isRemoteAllowed, tokens, onLost }: DisposableOptions,
): Promise<Transport> {
  let asking: Promise<string | undefined> | undefined

  /**
   * Asks the service whether it is a sandbox or a mock. Returns an objection to sending changes in words,
   * such as `pay.example is not known to be a sandbox …`; undefined if there is none.
   */
  function askOnce(signal: AbortSignal, token?: string): Promise<string | undefined> {
    const get: Get = (path, headers) => transport({ method: 'GET', path, headers }, signal)
    return findObjection(url, { kind, isRemoteAllowed, token, get })
  }

  /** Requests at the same time share one question, so that they are still sent together. */
  function ask(signal: AbortSignal): Promise<string | undefined> {
    asking ??= askOnce(signal).finally(() => {
      asking = undefined
    })
    return asking
  }

  async function requireAtStart(token?: string): Promise<void> {
    const asked = askOnce(AbortSignal.timeout(TIMEOUT_MS), token)
    const objection = await asked.catch((cause: unknown) => {
      throw new CannotRun(`the service cannot be reached: ${noResponseReason(cause)}`, { cause })
    })
    throwObjection(objection)
  }

  function endIfLost(objection: string | undefined): void {
    if (objection !== undefined) onLost(objection)
    throwObjection(objection)
  }

  await requireAtStart()
  for (const token of tokens) await requireAtStart(token)

  return async (request, signal) => {
    if (isSafe(request)) return transport(request, signal)

    endIfLost(await ask(signal))
    const response = await transport(request, signal)

    // Without the response, the run cannot use a token of another service.
    const token = stringAt(parsedJson(response.text), '/access_token')
    if (token !== undefined) endIfLost(await askOnce(signal, token))
    return response
  }
}

/** @throws {CannotRun} if there is an objection */
function throwObjection(objection: string | undefined): void {
  if (objection !== undefined) throw new CannotRun(`${objection}; ${SERVICE_OF_USER}`)
}

const SERVICE_OF_USER =
  'a service of your own that moves no real money, and whose data may be thrown away, needs --disposable (in code, isDisposable: true)'

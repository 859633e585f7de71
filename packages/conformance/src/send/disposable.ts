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
 * Asks the service whether it is a sandbox or a mock and, with a token, whether it has issued that. Returns the
 * objection to sending changes, such as `pay.example is not known to be a sandbox …`; undefined if there is none.
 */
type AskService = (signal: AbortSignal, token?: string) => Promise<string | undefined>

/**
 * Creates a transport that sends changes, and so payments, only while the service says that it is a sandbox
 * or a mock. It asks before each change, since another service may listen on the same port by then.
 *
 * @throws {CannotRun} if the service is neither now, or does not respond
 */
export async function createDisposableTransport(
  transport: Transport,
  { url, kind, isRemoteAllowed, tokens, onLost }: DisposableOptions,
): Promise<Transport> {
  const askService: AskService = (signal, token) => {
    const get: Get = (path, headers) => transport({ method: 'GET', path, headers }, signal)
    return findObjection(url, { kind, isRemoteAllowed, token, get })
  }
  const askForChange = shareWhileAsking(askService)

  /** @throws {CannotRun} if there is an objection, which ends the run */
  function endIfObjected(objection: string | undefined): void {
    if (objection !== undefined) onLost(objection)
    throwObjection(objection)
  }

  await requireDisposable(askService)
  // A gateway may send changes to another service than the question: each token must be of this one.
  for (const token of tokens) await requireDisposable(askService, token)

  return async (request, signal) => {
    if (isSafe(request)) return transport(request, signal)

    endIfObjected(await askForChange(signal))
    const response = await transport(request, signal)

    // Without the response, the run cannot use a token of another service.
    const newToken = stringAt(parsedJson(response.text), '/access_token')
    if (newToken !== undefined) endIfObjected(await askService(signal, newToken))
    return response
  }
}

/** Lets requests at the same time share one question to the service, so that they are still sent together. */
function shareWhileAsking(askService: AskService): (signal: AbortSignal) => ReturnType<AskService> {
  let question: ReturnType<AskService> | undefined
  return (signal) => {
    question ??= askService(signal).finally(() => {
      question = undefined
    })
    return question
  }
}

/**
 * Asks at the start of the run.
 *
 * @throws {CannotRun} if there is an objection, or no response
 */
async function requireDisposable(askService: AskService, token?: string): Promise<void> {
  const asked = askService(AbortSignal.timeout(TIMEOUT_MS), token)
  const objection = await asked.catch((cause: unknown) => {
    throw new CannotRun(`the service cannot be reached: ${noResponseReason(cause)}`, { cause })
  })
  throwObjection(objection)
}

/** @throws {CannotRun} if there is an objection */
function throwObjection(objection: string | undefined): void {
  if (objection !== undefined) throw new CannotRun(`${objection}; ${SERVICE_OF_USER}`)
}

const SERVICE_OF_USER =
  'a service of your own that moves no real money, and whose data may be thrown away, needs --disposable (in code, isDisposable: true)'

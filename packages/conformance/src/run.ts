import { baseOf, CHECK_OPTIONS, type CheckOptions, validateOptions } from './options.ts'
import type { Result } from './report/result.ts'
import { createContext } from './run/context.ts'
import { createEnding } from './run/ending.ts'
import { createRefusedParts } from './run/refused-parts.ts'
import { createRefusedRequests } from './run/refused-requests.ts'
import { buildResult } from './run/result.ts'
import { openSession, protectFromPaying } from './run/session.ts'
import { createSettings, type RunOptions } from './run/settings.ts'
import { runPlans } from './run/stages.ts'
import { httpTransport, type Transport } from './send/transport.ts'

/**
 * Checks a running service against the contract.
 *
 * @throws {TypeError} if an option is unknown or invalid
 * @throws {CannotRun} if the service does not respond, is not the sandbox or the mock that `target`
 *   says, or refuses the credentials, or deliveries cannot be received; or if somebody else moves the
 *   clock of a sandbox during the run. Otherwise, findings are never lost once plans run:
 *   `interrupted` in the result says what ended the run early
 * @throws {ContractError} if the contract cannot be read
 *
 * @example
 * const credentials = { clientKey: 'partner', clientSecret: 'secret' }
 * const result = await check({ url: 'http://127.0.0.1:4020', target: 'sandbox', credentials })
 * for (const { kind, message } of result.findings) console.log(kind, message)
 */
export async function check(options: CheckOptions): Promise<Result> {
  validateOptions('check', { ...options, url: options.url ?? '' }, CHECK_OPTIONS)
  return run(options)
}

/**
 * Runs plans on a service, one after the other, while the rules read what happens. The options are
 * valid.
 */
export async function run(options: RunOptions): Promise<Result> {
  if (options.transport) return runOverTransport(options.transport, options)
  // Each write to a live service has its own connection: what it does is real.
  const mayShareWrites = options.target !== 'live'
  const { transport, close } = httpTransport(new URL(baseOf(options.url)), { mayShareWrites })
  return runOverTransport(transport, options).finally(close)
}

/**
 * Runs a check over a transport, which sends the requests: opens a session, lets the plans send their
 * requests, and builds the result from what the rules found.
 */
async function runOverTransport(transport: Transport, options: RunOptions): Promise<Result> {
  const settings = createSettings(options)
  const ending = createEnding(options.signal)
  const safeTransport = await protectFromPaying(transport, settings, ending)
  const session = await openSession(safeTransport, settings, ending)
  const refusedRequests = createRefusedRequests()
  const refusedParts = createRefusedParts()
  const context = createContext(session, { refusedRequests, refusedParts })

  const leftovers = await runPlans(session, context)
  ending.throwIfFailed()
  const refused = { requests: refusedRequests.list(), parts: refusedParts.list() }
  return buildResult(session, refused, leftovers)
}

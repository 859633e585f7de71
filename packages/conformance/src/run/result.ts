import type { Result } from '../report/result.ts'
import { SLOWER } from '../send/limits.ts'
import type { RefusedRequest } from './refused-requests.ts'
import type { Session } from './session.ts'

/**
 * Builds the result of a run: what the rules found, and what was not sent or tried.
 *
 * @param refused The valid requests that the service never accepted.
 */
export function buildResult(
  { settings, signal, builder, notSent, limitedOperations }: Session,
  refused: readonly RefusedRequest[],
  leftovers: readonly string[],
): Result {
  // A request that was not sent explains why others could not be built.
  const untried = notSent.size > 0 ? [] : refused
  const notTried = untried.map(
    (each) =>
      `not tried: what builds on a valid ${each.request}, of which none was accepted${describeHelpfulOption(each)}`,
  )
  return builder.result({
    target: settings.target,
    seed: settings.seed,
    leftovers,
    notSent: [...notSent, ...notTried],
    wanted: settings.plans.flatMap(({ wants }) => wants),
    // A valid request that was never accepted leaves open whether the rule holds.
    inconclusive: untried.length > 0 ? ['requests-accepted'] : [],
    ...findInterruption(signal, limitedOperations),
  })
}

/**
 * Finds why a run did not check everything: it ended early, or a rate limit refused some requests to the
 * end. Returns `{}` if it checked everything.
 */
function findInterruption(
  signal: AbortSignal,
  limitedOperations: ReadonlySet<string>,
): Pick<Result, 'interrupted'> {
  if (signal.aborted) return { interrupted: String(signal.reason) }
  if (limitedOperations.size === 0) return {}
  const operations = [...limitedOperations].join(', ')
  return { interrupted: `${operations} refused requests with 429 until the end; ${SLOWER}` }
}

/** Which option helps if the service accepts no valid request of an operation. */
const HINTS: Readonly<Record<string, string>> = {
  checkKey: 'a key that the service knows with --set checkKey/dict_key=KEY',
  createTransfer: 'a key that the service knows with --set checkKey/dict_key=KEY',
  createStaticQrCode: 'a key of the partner with --set createStaticQrCode/dict_key=KEY',
  createImmediateQrCode: 'a key of the partner with --set createImmediateQrCode/dict_key=KEY',
  createDueDateQrCode: 'a key of the partner with --set createDueDateQrCode/dict_key=KEY',
  createWebhook: 'a URL that the service accepts with --set createWebhook/url=URL',
  updateWebhook: "the service's word for inactive with --set webhook/status/inactive=WORD",
  impersonate: 'a customer with --set impersonate/user_id=ID --set impersonate/customer_id=ID',
  getUser: 'a user with --set getUser/user_id=ID',
}

/** The same for the transfers of a code, by their names. The payer of a code cannot be its receiver. */
const HINTS_OF_TRANSFERS: Readonly<Record<string, string>> = {
  createTransfer:
    'a key of somebody else than the payer with --set createStaticQrCode/dict_key=KEY',
  'createTransfer (example 2)':
    'a key of somebody else than the payer with --set createImmediateQrCode/dict_key=KEY',
  'createTransfer (example 3)':
    'a key of somebody else than the payer with --set createDueDateQrCode/dict_key=KEY',
}

/** The operations for which a service may take tokens of customers alone, with the name of their option. */
const OPTIONS_OF_TOKENS: Readonly<Record<string, string>> = {
  createTransfer: 'token/transfer=customer',
  createStaticQrCode: 'token/staticQrCode=customer',
  createImmediateQrCode: 'token/immediateQrCode=customer',
  createDueDateQrCode: 'token/dueDateQrCode=customer',
}

/**
 * Writes the end of a sentence that names the option which helps a valid request to be accepted; empty if
 * none is known to help.
 */
function describeHelpfulOption({ request, status }: RefusedRequest): string {
  const [operation = ''] = request.split(' ', 1)
  const optionOfToken = OPTIONS_OF_TOKENS[operation]
  // No other value helps where the token is refused.
  if (status === 401 || status === 403) {
    const hint =
      optionOfToken === undefined ? '' : `; if a customer may, say --set ${optionOfToken}`
    return `: its token was refused (${status})${hint}`
  }

  const hint = HINTS_OF_TRANSFERS[request] ?? HINTS[operation]
  if (hint === undefined) return ''
  return status === undefined ? `: name ${hint}` : ` (${status}): name ${hint}`
}

import { CODE_CREATIONS, requestName } from '../plans/valid-requests.ts'
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
  { settings, signal, builder, codePayers, notSent, limitedOperations }: Session,
  refused: readonly RefusedRequest[],
  leftovers: readonly string[],
): Result {
  // If some requests were not sent, the reasons of these are reported, and explain the others too.
  const unexplained = notSent.size > 0 ? [] : refused
  const notTried = unexplained.map(
    (each) =>
      `not tried: what builds on a valid ${each.request}, of which none was accepted${describeHelpfulOption(each, codePayers)}`,
  )
  return builder.result({
    target: settings.target,
    seed: settings.seed,
    leftovers,
    notSent: [...notSent, ...notTried],
    wanted: settings.plans.flatMap(({ wants }) => wants),
    // A valid request that was never accepted leaves open whether this rule holds.
    inconclusive: unexplained.length > 0 ? ['requests-accepted'] : [],
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

/** The operations that create the codes that these requests pay. */
const CREATION_BY_PAYMENT: Readonly<Record<string, string>> = Object.fromEntries(
  CODE_CREATIONS.map((creation, example) => [requestName('createTransfer', example), creation]),
)

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

/** The operations for which a service may take tokens of customers alone, with the name of their option. */
const OPTIONS_OF_TOKENS: Readonly<Record<string, string>> = {
  createTransfer: 'token/transfer=customer',
  createStaticQrCode: 'token/staticQrCode=customer',
  createImmediateQrCode: 'token/immediateQrCode=customer',
  createDueDateQrCode: 'token/dueDateQrCode=customer',
}

/**
 * Ends the sentence about a valid request that was not accepted with the option that may help:
 * ` (404): name a key that the service knows with --set checkKey/dict_key=KEY`. Empty if none is known to help.
 */
function describeHelpfulOption(
  { request, status }: RefusedRequest,
  codePayers: Session['codePayers'],
): string {
  const [operation = ''] = request.split(' ', 1)
  // No other value helps where the token is refused.
  if (status === 401 || status === 403) {
    const option = OPTIONS_OF_TOKENS[operation]
    const hint = option === undefined ? '' : `; if a customer may, say --set ${option}`
    return `: its token was refused (${status})${hint}`
  }

  const hint = describeOtherPayer(request) ?? HINTS[operation]
  if (hint === undefined) return ''

  // Services refuse a payment to oneself: here, of a code that the payer itself has created.
  const statusOfRefusal = status === undefined ? '' : ` (${status})`
  const isOneself = CREATION_BY_PAYMENT[request] !== undefined && codePayers.isPayerReceiver
  const reason = isOneself
    ? ', since the payer is the receiver, and the run knows no other payer'
    : ''
  return `${statusOfRefusal}${reason}: name ${hint}`
}

/** The options with which somebody else than the receiver pays a code; undefined if a request pays none. */
function describeOtherPayer(request: string): string | undefined {
  const creation = CREATION_BY_PAYMENT[request]
  if (creation === undefined) return undefined
  return `a key of somebody else than the payer with --set ${creation}/dict_key=KEY, or another payer with --set impersonate/user_id=ID --set impersonate/customer_id=ID`
}

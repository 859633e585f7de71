import { isOnThisMachine } from '@partner-payments/contract'
import { parseScheme } from '../form/signatures.ts'
import type { RecordedDelivery } from '../history.ts'
import { CodePayers } from '../plans/code-payers.ts'
import type { RequestValues } from '../plans/plan.ts'
import { createResultBuilder } from '../report/build-result.ts'
import { createDisposableTransport } from '../send/disposable.ts'
import type { NamedPeople } from '../send/guard.ts'
import { createIdentities } from '../send/identities.ts'
import { createLatency, createRateLimit, withCircuitBreaker } from '../send/limits.ts'
import { type Receiver, type ReceiverOptions, startReceiver } from '../send/receiver.ts'
import { type ControlOptions, createServiceClock } from '../send/sandbox.ts'
import { createSend, type Send } from '../send/sender.ts'
import { CannotRun, type Transport } from '../send/transport.ts'
import type { Ending } from './ending.ts'
import type { RunOptions, Settings } from './settings.ts'

/** Tokens and charges then end early, and nothing shows which of them. */
const MOVED_ELSEWHERE =
  'somebody else moved the clock of the sandbox meanwhile, such as another check; run one at a time, or start a sandbox for each'

/** What a run sends with, and what reads the result of it. */
export interface Session {
  readonly settings: Settings
  readonly signal: AbortSignal
  readonly identities: ReturnType<typeof createIdentities>
  readonly codePayers: CodePayers
  readonly receiver: Receiver | undefined
  readonly builder: ReturnType<typeof createResultBuilder>
  readonly control: ControlOptions
  readonly clock: ReturnType<typeof createServiceClock>
  /** Why requests were not sent. */
  readonly notSent: ReadonlySet<string>
  /** The operations that responded with 429. */
  readonly limitedOperations: ReadonlySet<string>
  /** Whether independent requests are sent side by side, since responses take long. */
  isSlow(): boolean
  readonly send: Send
}

/**
 * Opens everything that a run sends with, and the builder of its result, which reads what happens.
 *
 * @throws {CannotRun} if deliveries cannot be received
 */
export async function openSession(
  transport: Transport,
  settings: Settings,
  ending: Ending,
): Promise<Session> {
  const { options, target, contract, base } = settings
  const { credentials: partner, other } = options
  const { signal } = ending

  // Nobody signs in before the plans run, and no delivery comes before a plan opens an inbox.
  const namedPeople = findNamedPeople(settings.values)
  const identities = createIdentities(
    {
      partner,
      other,
      url: base,
      customer: namedPeople.customer,
      mustNameCustomer: target === 'live',
      form: settings.form,
    },
    (...call) => send(...call),
  )
  const onDelivery = (delivery: RecordedDelivery) => builder.history.add(delivery)

  const receiver = await openReceiver(options, { onDelivery, signal })
  const builder = createResultBuilder({
    contract,
    form: settings.form,
    givenScheme: parseScheme(options.signature ?? ''),
    base,
    partner,
    other,
    isComplete: settings.isComplete,
    lagMs: settings.lagMs,
    rules: settings.rules,
    operations: settings.operations,
    responseWithinMs: options.responseWithinMs,
    credentials: identities.credentials,
    deliveryMs: options.deliveryWithinMs,
    postpone: createPostpone(ending.fail),
    // Whether the service reaches a public URL shows with the first delivery.
    receiverUrl: options.receiverUrl === undefined ? receiver?.url : undefined,
  })
  const { history } = builder
  const control: ControlOptions = { transport, history, signal }

  const notSent = new Set<string>()
  const limitedOperations = new Set<string>()
  const latency = createLatency()
  const send: Send = createSend({
    target,
    contract,
    form: settings.form,
    history,
    identities,
    signal,
    allowPayments: options.allowPayments,
    named: namedPeople,
    rateLimit: createRateLimit(settings.rate, options.timer),
    latency,
    onKept: (reason) => notSent.add(reason),
    onLimited: (operation) => limitedOperations.add(operation),
    transport: withCircuitBreaker(transport, ending.end),
  })
  return {
    settings,
    signal,
    identities,
    codePayers: new CodePayers({
      send,
      identities,
      maySearch: target === 'sandbox',
      namedCustomer: namedPeople.customer?.customer_id,
    }),
    receiver,
    builder,
    control,
    clock: createServiceClock({
      ...control,
      onMovedElsewhere: () => ending.fail(new CannotRun(MOVED_ELSEWHERE)),
    }),
    notSent,
    limitedOperations,
    isSlow: () => options.isSideBySide ?? latency.isSlow(),
    send,
  }
}

/**
 * Starts a receiver of webhook deliveries, if deliveries can reach it: at a URL that the user gives, or from
 * a sandbox on this machine. Undefined if they cannot.
 */
function openReceiver(
  options: RunOptions,
  listening: ReceiverOptions,
): Promise<Receiver> | undefined {
  const { receiverUrl, transport, url, target } = options
  // With a transport of their own, tests run the service in this process.
  const isInProcess = transport !== undefined
  const isOnMachine = isInProcess || isOnThisMachine(new URL(url).hostname)
  const isLocalSandbox = target === 'sandbox' && isOnMachine
  if (receiverUrl === undefined && !isLocalSandbox) return undefined
  return startReceiver({
    publicUrl: receiverUrl,
    port: options.receiverPort,
    timeoutMs: options.deliveryWithinMs,
    ...listening,
  })
}

/**
 * Finds the people that the user names with `--set`: keys that may be looked up on a live service
 * (`checkKey/dict_key=KEY`), and the customer that the run may act as (`impersonate/customer_id=ID`). The customer is
 * undefined unless its user is named too.
 */
function findNamedPeople(values: RequestValues): NamedPeople {
  const keys = Object.values(values).flatMap((ofOperation) => ofOperation['/dict_key'] ?? [])
  const user_id = values.impersonate?.['/user_id']
  const customer_id = values.impersonate?.['/customer_id']
  const isNamed = typeof user_id === 'string' && typeof customer_id === 'string'
  return {
    keys: new Set(keys.map(String)),
    customer: isNamed ? { user_id, customer_id } : undefined,
  }
}

/**
 * Creates a function that runs work a moment later: the rules read a response only after the plan has
 * written its next request, so that the service works at the same time.
 *
 * @param onError Receives what the work throws, which nobody else awaits.
 */
function createPostpone(onError: (error: unknown) => void) {
  const tryNow = (work: () => void) => {
    try {
      work()
    } catch (error) {
      onError(error)
    }
  }
  // Twice: in the first turn, the plan continues and writes its next request.
  return (work: () => void) => setImmediate(() => setImmediate(tryNow, work))
}

/**
 * Makes sure that a transport cannot pay real money. A live service is protected by the guard, which keeps
 * payments back. Any other service gets all requests, so that the returned transport first checks that it
 * is a sandbox or a mock.
 *
 * @throws {CannotRun} if it is neither, and the user has not said that it is disposable
 */
export function protectFromPaying(
  transport: Transport,
  { target, options }: Settings,
  { end }: Ending,
): Transport | Promise<Transport> {
  if (target === 'live' || options.isDisposable) return transport
  return createDisposableTransport(transport, {
    url: new URL(options.url),
    kind: target,
    isRemoteAllowed: options.allowRemoteSandbox ?? false,
    tokens: listGivenTokens(options),
    onLost: end,
  })
}

/** Lists the tokens that the user gives in place of credentials. */
function listGivenTokens({ credentials, other }: RunOptions): string[] {
  return [credentials, other].flatMap((access) =>
    access && 'token' in access ? [access.token] : [],
  )
}

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isOnThisMachine } from '@partner-payments/contract'
import { behaviour } from './contract/behaviour.ts'
import { readContract } from './contract/contract.ts'
import { isOfForm } from './form/given-form.ts'
import { ServiceForm } from './form/service-form.ts'
import { parseScheme } from './form/signatures.ts'
import type { RecordedDelivery } from './history.ts'
import type { Exchange } from './model/exchange.ts'
import { LAG_MS } from './model.ts'
import { baseOf, CHECK_OPTIONS, type CheckOptions, validateOptions } from './options.ts'
import { AcceptedValues } from './plans/accepted-values.ts'
import { plans as allPlans } from './plans/index.ts'
import { walkList } from './plans/lists.ts'
import type { Plan, PlanContext, RequestValues } from './plans/plan.ts'
import { withSubstitutes } from './plans/substitutes.ts'
import { createResultBuilder } from './report/build-result.ts'
import { type Result, subjectOf } from './report/result.ts'
import { rules as allRules } from './rules/index.ts'
import { disposableTransport } from './send/disposable.ts'
import type { NamedPeople } from './send/guard.ts'
import { createIdentities } from './send/identities.ts'
import { createLatency, createRateLimit, SLOWER, withCircuitBreaker } from './send/limits.ts'
import { type Receiver, type ReceiverOptions, startReceiver } from './send/receiver.ts'
import { type ControlOptions, createServiceClock, lookAtBalances } from './send/sandbox.ts'
import { createSend, type Send, type Sender } from './send/sender.ts'
import { httpTransport, type Transport } from './send/transport.ts'

/** The options of a run, with those that only tests set. */
export interface RunOptions extends CheckOptions {
  /** Default: all. */
  readonly plans?: readonly Plan[]
  /** Milliseconds by which a list may lag behind a write. Default: 5,000. */
  readonly lagMs?: number
  /** Whether independent requests are sent side by side. Default: if responses take long. */
  readonly isSideBySide?: boolean
}

/** Requests per second to a live service. */
const LIVE_RATE = 10

/**
 * Checks a running service against the contract.
 *
 * @throws {TypeError} if an option is unknown or invalid
 * @throws {CannotRun} if the service does not respond, is not the sandbox or the mock that `target`
 *   says, or refuses the credentials, or deliveries cannot be received. Once plans run, findings are never lost: `interrupted` in the result says
 *   what ended the run early
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
  if (options.transport) return runOn(options.transport, options)
  const { transport, close } = httpTransport(new URL(baseOf(options.url)))
  return runOn(transport, options).finally(close)
}

/** Runs the plans over a transport, and builds the result. */
async function runOn(transport: Transport, options: RunOptions): Promise<Result> {
  const settings = createSettings(options)
  const ending = createEnding(options.signal)
  const safeTransport = await protectFromPaying(transport, settings, ending)
  const session = await openSession(safeTransport, settings, ending)
  const validRequests = createValidRequests()
  const context = createContext(session, validRequests)

  const leftovers = await runPlans(session, context)
  ending.throwIfFailed()
  return buildResult(session, validRequests.refused(), leftovers)
}

/**
 * A transport that cannot pay real money: the guard keeps a live service from it, and a service that
 * gets everything must be a sandbox or a mock, or be said to be disposable.
 *
 * @throws {CannotRun} if it is none of these
 */
function protectFromPaying(
  transport: Transport,
  { target, options }: Settings,
  { end }: Ending,
): Transport | Promise<Transport> {
  if (target === 'live' || options.isDisposable) return transport
  return disposableTransport(transport, {
    url: new URL(options.url),
    kind: target,
    isRemoteAllowed: options.allowRemoteSandbox ?? false,
    tokens: givenTokens(options),
    onLost: end,
  })
}

/** The tokens that the user gives in place of credentials. */
function givenTokens({ credentials, other }: RunOptions): string[] {
  return [credentials, other].flatMap((access) =>
    access && 'token' in access ? [access.token] : [],
  )
}

type Settings = ReturnType<typeof createSettings>

/** The options of a run with their defaults, its contract, and the plans and rules that it uses. */
function createSettings(options: RunOptions) {
  const { target = 'live', only, operations, values = {} } = options
  const contract = readContract(options.contract)
  const declared = new Set(contract.operations.map(({ id }) => id))
  requireDeclared(declared, operations ?? [])
  const valuesByName = Object.entries(values)
  const requestValues = Object.fromEntries(valuesByName.filter(([name]) => !isOfForm(name)))
  const formValues = Object.fromEntries(valuesByName.filter(([name]) => isOfForm(name)))
  requireDeclared(declared, Object.keys(requestValues))
  return {
    options,
    target,
    contract,
    declared,
    operations,
    values: requestValues,
    form: new ServiceForm(formValues),
    ...chosen(only, options.plans),
    base: baseOf(options.url),
    isComplete: options.isComplete ?? target === 'sandbox',
    rate: options.rate ?? (target === 'live' ? LIVE_RATE : undefined),
    seed: options.seed ?? 1,
    timeMs: options.timeMs ?? 1_000,
    lagMs: options.lagMs ?? LAG_MS,
  }
}

/** @throws {TypeError} if the contract has no such operation */
function requireDeclared(declared: ReadonlySet<string>, operations: readonly string[]): void {
  const unknown = operations.find((id) => !declared.has(id))
  if (unknown !== undefined) throw new TypeError(`the contract has no operation "${unknown}"`)
}

type Ending = ReturnType<typeof createEnding>

/**
 * What ends a run early: its user, a service that stops responding, or an error of a rule. Returns the
 * signal that says so, and functions that end the run.
 */
function createEnding(userSignal: AbortSignal | undefined) {
  const controller = new AbortController()
  let failure: { readonly error: unknown } | undefined

  const endByUser = () => controller.abort(userSignal?.reason)
  userSignal?.addEventListener('abort', endByUser)
  if (userSignal?.aborted) endByUser()

  return {
    signal: controller.signal,
    end: (reason: string) => controller.abort(reason),
    /** Ends the run, whose result would lack what could not be read. */
    fail(error: unknown): void {
      failure = { error }
      controller.abort()
    },
    throwIfFailed(): void {
      if (failure) throw failure.error
    },
  }
}

type Session = Awaited<ReturnType<typeof openSession>>

/** Everything that a run sends with, and the builder of its result, which reads what happens. */
async function openSession(transport: Transport, settings: Settings, ending: Ending) {
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
    rateLimit: createRateLimit(settings.rate),
    latency,
    onKept: (reason) => notSent.add(reason),
    onLimited: (operation) => limitedOperations.add(operation),
    transport: withCircuitBreaker(transport, ending.end),
  })
  return {
    settings,
    signal,
    identities,
    receiver,
    builder,
    control,
    clock: createServiceClock(control),
    notSent,
    limitedOperations,
    /** Whether independent requests are sent side by side, since responses take long. */
    isSlow: () => options.isSideBySide ?? latency.isSlow(),
    send,
  }
}

/** The keys and the customer that the user names with `--set`. */
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

/** Remembers which valid requests were accepted, by names such as `createTransfer (example 4)`. */
function createValidRequests() {
  const wasAccepted = new Map<string, boolean>()
  return {
    note(request: string, isAccepted: boolean): void {
      const wasAcceptedBefore = wasAccepted.get(request) === true
      wasAccepted.set(request, isAccepted || wasAcceptedBefore)
    },
    /** Those that were sent, and never accepted. */
    refused(): string[] {
      return [...wasAccepted.keys()].filter((request) => !wasAccepted.get(request))
    },
  }
}

type ValidRequests = ReturnType<typeof createValidRequests>

/** The context that all plans get. */
function createContext(session: Session, validRequests: ValidRequests): PlanContext {
  const { settings, signal, send, identities, receiver, clock, control } = session
  const { target, contract, declared, operations, values, timeMs, seed } = settings
  const wait = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined)
  return withSubstitutes({
    send,
    contract,
    form: settings.form,
    uniqueText,
    identities,
    clock,
    receiver,
    values,
    acceptedValues: new AcceptedValues(),
    maySearch: target === 'sandbox',
    mayWait: target !== 'mock',
    timeMs,
    wait,
    signal,
    repeatLaggingReads: () => repeatReads(session, wait),
    sideBySide: createSideBySide(session.isSlow),
    // No other service has the control API of the sandbox.
    lookAtBalances: async () => (target === 'sandbox' ? lookAtBalances(control) : undefined),
    random: seededRandom(seed),
    noteValid: validRequests.note,
    isChosen: (id) => declared.has(id) && (operations?.includes(id) ?? true),
  })
}

/**
 * Does independent work side by side while responses take long. Otherwise one after the other, so
 * that two runs send the same.
 */
function createSideBySide(isSlow: () => boolean): PlanContext['sideBySide'] {
  return async (items, work) => {
    const results: Awaited<ReturnType<typeof work>>[] = []
    for (const [i, item] of items.entries()) {
      if (isSlow()) return [...results, ...(await Promise.all(items.slice(i).map(work)))]
      results.push(await work(item))
    }
    return results
  }
}

/**
 * Waits until no read may lag behind a write any more. Then walks again through the lists that did not
 * show one, and requests the records again that were not there.
 */
async function repeatReads(session: Session, wait: (ms: number) => Promise<void>): Promise<void> {
  const { settings, builder, send } = session
  const looks = builder.takeLooks()
  if (looks.length === 0) return

  await wait(settings.lagMs + SPARE_MS)
  for (const { look } of looks) {
    const id = look.operation?.id ?? ''
    const by = findSender(look, session)
    if (behaviour.lists[id]) {
      const filters = [...look.query].filter(([name]) => name !== 'cursor')
      await walkList({ send, form: settings.form }, id, { query: Object.fromEntries(filters), by })
    } else {
      await send(id, { path: look.parameters, body: look.sent, by })
    }
  }
}

/** Milliseconds by which a timer may be early. */
const SPARE_MS = 50

/** Runs the plans stage by stage. Returns the paths of the records that could not be removed. */
async function runPlans(session: Session, context: PlanContext): Promise<readonly string[]> {
  const { settings, signal, send, identities, receiver, clock, isSlow } = session
  let leftovers: readonly string[] = []
  try {
    if (settings.target === 'sandbox') await clock.look()
    await identities.start()
    const remaining = [...settings.plans]
    while (remaining.length > 0 && !signal.aborted) {
      const stage = nextStage(remaining, { isSlow: isSlow(), isClockMoved: clock.isControlled })
      remaining.splice(0, stage.length)
      await Promise.all(
        stage.map((plan) => {
          reportProgress(session, plan)
          return plan.run(context)
        }),
      )
      if (!signal.aborted) await context.repeatLaggingReads()
      // A service may limit records, and would attempt deliveries to every webhook that is left.
      await send.cleanUp()
    }
  } finally {
    try {
      leftovers = await send.cleanUp()
      await clock.restore()
    } finally {
      await receiver?.close()
    }
  }
  return leftovers
}

/** What decides which plans run at the same time. */
interface Circumstances {
  readonly isSlow: boolean
  readonly isClockMoved: boolean
}

/** The plans to run next, all at the same time: the first one, and maybe those after it. */
export function nextStage(
  plans: readonly Plan[],
  { isSlow, isClockMoved }: Circumstances,
): readonly Plan[] {
  const [first] = plans
  const mayRunBeside = first?.beside === 'edits' ? isSlow : !isClockMoved
  if (first?.beside === undefined || !mayRunBeside) return plans.slice(0, 1)

  const next = plans.findIndex(({ beside }) => beside !== first.beside)
  return plans.slice(0, next === -1 ? plans.length : next)
}

/** Tells the caller which plan begins, and what was found so far. */
function reportProgress({ settings, builder }: Session, plan: Plan): void {
  settings.options.onProgress?.({
    plan: plan.id,
    number: settings.plans.indexOf(plan) + 1,
    plans: settings.plans.length,
    ...builder.count(),
  })
}

/**
 * The result of a run.
 *
 * @param refused The valid requests that the service never accepted.
 */
function buildResult(
  { settings, signal, builder, notSent, limitedOperations }: Session,
  refused: readonly string[],
  leftovers: readonly string[],
): Result {
  // A request that was not sent explains why others could not be built.
  const untried = notSent.size > 0 ? [] : refused
  const notTried = untried.map(
    (request) =>
      `not tried: what builds on a valid ${request}, of which none was accepted${hintFor(request)}`,
  )
  return builder.result({
    target: settings.target,
    seed: settings.seed,
    leftovers,
    notSent: [...notSent, ...notTried],
    wanted: settings.plans.flatMap(({ wants }) => wants),
    inconclusive: untried.length > 0 ? ['requests-accepted'] : [],
    ...interruption(signal, limitedOperations),
  })
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

/** The end of a sentence that names this option; empty if none is known to help. */
function hintFor(request: string): string {
  const [operation = ''] = request.split(' ', 1)
  const hint = HINTS[operation]
  return hint === undefined ? '' : `: name ${hint}`
}

/** Why a run did not check everything: it ended early, or a rate limit left some requests out. */
function interruption(
  signal: AbortSignal,
  limitedOperations: ReadonlySet<string>,
): Pick<Result, 'interrupted'> {
  if (signal.aborted) return { interrupted: String(signal.reason) }
  if (limitedOperations.size === 0) return {}
  const operations = [...limitedOperations].join(', ')
  return { interrupted: `${operations} refused requests with 429 until the end; ${SLOWER}` }
}

/** Runs work once the next request has been written, so that the service works at the same time. */
function createPostpone(onError: (error: unknown) => void) {
  const tryNow = (work: () => void) => {
    try {
      work()
    } catch (error) {
      onError(error)
    }
  }
  return (work: () => void) => setImmediate(() => setImmediate(tryNow, work))
}

/** The identity that sent a request. Its token may have expired since, so that it needs another. */
function findSender({ by, request }: Exchange, { identities, settings }: Session): Sender {
  const { authorization = '' } = request.headers
  if (!by) return { authorization }
  const { other } = settings.options
  const owner = identities.ownerOf(authorization)
  if (owner !== undefined) return owner
  if (by.customer !== undefined) return 'customer'
  const isOther = other && 'clientKey' in other && other.clientKey === by.partner
  return isOther ? 'other' : 'partner'
}

/** A receiver, if deliveries can reach it: at a given URL, or from a sandbox on this machine. */
function openReceiver(
  options: RunOptions,
  listening: ReceiverOptions,
): Promise<Receiver> | undefined {
  const { receiverUrl, transport, url, target } = options
  const isInProcess = transport !== undefined
  const isHere = target === 'sandbox' && (isInProcess || isOnThisMachine(new URL(url).hostname))
  if (receiverUrl === undefined && !isHere) return undefined
  return startReceiver({
    publicUrl: receiverUrl,
    port: options.receiverPort,
    timeoutMs: options.deliveryWithinMs,
    ...listening,
  })
}

/**
 * The plans and the rules of `--only`: the rules that it names, and the plans that want a case of them.
 * The name of a plan selects that plan, whose requests all rules read.
 */
export function chosen(only: readonly string[] | undefined, allowed = allPlans) {
  if (!only) return { plans: allowed, rules: allRules }
  const rules = allRules.filter(({ id }) => isNamed(id, only))
  const plans = allowed.filter(
    (plan) => only.includes(plan.id) || plan.wants.some((id) => isNamed(id, only)),
  )
  // A rule that no plan wants reads what all of them send.
  const isEachRuleWanted = rules.every(({ id }) => plans.some((plan) => plan.wants.includes(id)))
  return {
    plans: isEachRuleWanted ? plans : allowed,
    // The name of a plan selects no rule, so that all rules read what it sends.
    rules: rules.length > 0 ? rules : allRules,
  }
}

/** Whether a selection has a rule, by its id or by its subject. */
function isNamed(rule: string, names: readonly string[]): boolean {
  return names.includes(rule) || names.includes(subjectOf(rule))
}

/** A text that no earlier request has: digits and capital letters from A to F. */
function uniqueText(length = 30): string {
  return randomBytes(length).toString('hex').slice(0, length).toUpperCase()
}

/** Numbers from 0 up to 1 (mulberry32). The same seed gives the same numbers. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

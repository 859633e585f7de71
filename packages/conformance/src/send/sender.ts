import type { Contract, Operation } from '../contract/contract.ts'
import { parsedJson, stringAt } from '../contract/json.ts'
import { learnLinks } from '../form/learn-links.ts'
import { learnPlaces } from '../form/places.ts'
import type { ListResponse, ServiceForm } from '../form/service-form.ts'
import {
  type History,
  type Intent,
  isRead,
  now,
  type ReceivedResponse,
  type SentRequest,
} from '../history.ts'
import { type Created, CreatedRecords } from './created-records.ts'
import { createGuard, ENDS, type GuardOptions } from './guard.ts'
import { createGate, type createLatency, type RateLimit } from './limits.ts'
import {
  buildRequest,
  findOperation,
  type Input,
  NOT_SENT,
  type Outcome,
  pathOf,
  provesRefusal,
  type Sender,
  toServiceInput,
} from './requests.ts'
import { PARTNERS } from './token-requests.ts'
import { CannotRun, ConnectionClosed, noResponseReason, type Transport } from './transport.ts'

/** What a sender needs of the identities of a run. `createIdentities` has the functions. */
interface SenderIdentities {
  /** Chooses the identity that sends an operation of another one: a substitute, or the same. */
  chooseActor(by: Sender, operation: Operation): Sender
  authorization(by: Sender, operation: Pick<Operation, 'scheme'>): Promise<string | undefined>
  renewHeader(by: Sender, refused: string | undefined): Promise<string | undefined>
  learnScheme(): Promise<void>
}

export interface SendOptions extends GuardOptions {
  readonly contract: Contract
  /** How the service writes what is assumed: requests are sent in this form. */
  readonly form: ServiceForm
  readonly transport: Transport
  readonly history: History
  /**
   * Ends reads too. Other requests complete, because their responses show what has to be removed.
   */
  readonly signal: AbortSignal
  readonly rateLimit: RateLimit
  /** Learns how long each response took. */
  readonly latency?: ReturnType<typeof createLatency>
  readonly identities: SenderIdentities
  /** Receives why requests were not sent. */
  readonly onKept?: (reason: string) => void
  /** Receives the operations whose requests were refused with 429 for so long that they are left. */
  readonly onLimited?: (operation: string) => void
}

export type Send = ReturnType<typeof createSend>

/** On a live service, nobody is impersonated whom the user does not name. */
const NO_SUBSTITUTE =
  'not sent: the service refuses the partner for it; name a customer who may send it with --set impersonate/user_id=ID --set impersonate/customer_id=ID'
/** The length of a path in characters. Most servers take less. */
const MAX_PATH_LENGTH = 20_000
/** Concurrent requests compete for a limit, so one may need several retries after 429. */
const MAX_RETRIES = 20
/** Pages of the list of webhooks that are read before the first creation. */
const MAX_PAGES = 30
/** How often a read is repeated after a 503. */
const MAX_RETRIES_IF_BUSY = 2

/**
 * Creates the function with which plans send requests: as an identity, through the guard, and again
 * after a rate limit. It adds every exchange to the history, and remembers the records that it has to
 * end. `send.cleanUp()` ends them.
 */
export function createSend(options: SendOptions) {
  const { contract, form, signal, rateLimit, identities } = options
  const guard = createGuard(contract, options)
  const gate = createGate()
  const createdRecords = new CreatedRecords(contract, options.target)
  /** The search for the webhooks that a live service had before the run, once it has begun. */
  let searchForWebhooks: Promise<void> | undefined
  /** Operations that refuse every token, for which a new one does not help. */
  const refusingOperations = new Set<string>()
  /** Whether a request with a token of the run was accepted, so that its scheme is right. */
  let hasWorkingToken = false

  /**
   * Sends a request of an operation. It is rewritten in the service's own words, and the JSON of the outcome
   * in those of the contract, as far as the run has learned them. Returns `NOT_SENT` if the request
   * cannot, or must not, be sent.
   */
  async function send(id: string, input: Input = {}): Promise<Outcome> {
    const operation = findOperation(contract, id)
    if (!operation) return keepBack(`not sent: the contract has no operation "${id}"`)

    const { by: planned = 'partner', intent } = input
    // Who sends it in place of the identity that the plan names.
    const by = identities.chooseActor(planned, operation)
    const reason = await findReasonToKeepBack(operation, input, by)
    if (reason !== undefined) return keepBack(reason)

    if (options.target === 'live' && id === 'createWebhook') await noteExistingWebhooks()
    const serviceInput = toServiceInput(operation, input, form)
    const received = await sendAs(by, operation, (header) =>
      sendWithRetries(
        operation,
        buildRequest(operation, serviceInput, form.swapScheme(header)),
        intent,
      ),
    )
    const outcome = toContractOutcome(operation, input, received)

    if (outcome.status === 429) options.onLimited?.(id)
    const isReturned = outcome.isAccepted && guard.isExisting(operation, outcome.json)
    if (isReturned && ENDS[id] !== undefined) createdRecords.noteReturned(operation, outcome)
    if (outcome.isAccepted && !isReturned) {
      createdRecords.track(id, { ...input, by }, outcome)
      // A guessed id may be that of somebody's record.
      const isGuess = form.isIdGuessed(operation.resource ?? '')
      if (!isGuess) guard.learnCreated(operation, input.body, outcome.json)
    }
    noteLiveEffect(operation, input, outcome)
    return outcome
  }

  /** Remembers what a request may have left on a live service. */
  function noteLiveEffect(
    operation: Operation,
    input: Pick<Input, 'body' | 'method'>,
    outcome: Outcome,
  ): void {
    if (options.target === 'live') createdRecords.noteLiveEffect(operation, input, outcome)
  }

  /**
   * Notes the webhooks of both partners, once, before the run creates its first one: a service may return one of them
   * instead of a new one. Every creation waits for that, so that no webhook of the run is among them.
   */
  function noteExistingWebhooks(): Promise<void> {
    searchForWebhooks ??= listExistingWebhooks()
    return searchForWebhooks
  }

  async function listExistingWebhooks(): Promise<void> {
    const list = findOperation(contract, 'listWebhooks')
    if (!list) return
    for (const by of PARTNERS) {
      const hasCredentials = (await identities.authorization(by, list)) !== undefined
      if (!hasCredentials) continue
      await noteListedWebhooks(list, by)
    }
  }

  /** Notes the webhooks of a partner. The contract has them on one page, but a service may have several, as of codes. */
  async function noteListedWebhooks(list: Operation, by: Sender): Promise<void> {
    let query: Input['query'] = {}
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const { json } = await send(list.id, { by, query })
      guard.noteExisting(list, json)

      const cursor = stringAt(json, '/next_cursor')
      if (cursor === undefined || cursor === '') return
      query = { cursor }
    }
  }

  /**
   * Rewrites the JSON of an outcome in the words of the contract. Learns where the service shows a record, and how a
   * page leads to the next one.
   */
  function toContractOutcome(operation: Operation, input: Input, received: Outcome): Outcome {
    const { status, json, isAccepted } = received
    const response = readListResponse(operation, input, received)
    if (isAccepted) {
      learnPlaces(operation, { status, requestBody: input.body, untranslatedBody: json }, form)
      learnLinks(operation, json, response, form)
    }
    return { ...received, json: form.toContractResponse(operation, status, json, response) }
  }

  /**
   * Finds why a request cannot be sent, such as without credentials, as a sentence for the result. Undefined
   * if it can. Whether it may be sent to a live service is decided later, by the guard.
   */
  async function findReasonToKeepBack(
    operation: Operation,
    input: Input,
    by: Sender,
  ): Promise<string | undefined> {
    // The run creates no record that it could not remove again at its end.
    const endId = ENDS[operation.id]
    if (endId !== undefined && !findOperation(contract, endId))
      return `not sent: the contract has no operation "${endId}"`

    if (pathOf(operation, input).length > MAX_PATH_LENGTH)
      return `not sent: an id of the service makes the path longer than ${MAX_PATH_LENGTH} characters`

    if (typeof by !== 'string') return undefined
    const hasCredentials = (await identities.authorization(by, operation)) !== undefined
    if (hasCredentials) return undefined
    if (by === 'substitute') return NO_SUBSTITUTE
    return `not sent: the run has no credentials of "${by}" for it`
  }

  /**
   * Sends a request as an identity, and again with a new token after a 401, which may only mean that the
   * token has expired. Returns the last outcome.
   *
   * @param attempt Sends the request with an authorization header.
   */
  async function sendAs(
    by: Sender,
    operation: Operation,
    attempt: (header: string | undefined) => Promise<Outcome>,
  ): Promise<Outcome> {
    const header = await identities.authorization(by, operation)
    // This one also finds out the scheme, which the second one then knows.
    const outcome = await sendInScheme(by, operation, () => attempt(header))
    if (outcome.status !== 401) return outcome
    // A new token did not help before.
    if (refusingOperations.has(operation.id)) return outcome

    const newHeader = await identities.renewHeader(by, header)
    if (newHeader === undefined) return outcome

    const second = await attempt(newHeader)
    // It refuses this identity, whatever the token: signing in again and again would not help.
    if (second.status === 401) refusingOperations.add(operation.id)
    return second
  }

  /**
   * Sends a request. If the service refuses it with 401, and has not accepted any token so far, it may take
   * tokens in another scheme than Bearer, such as `Token x`. If it does, sends the request again in that scheme.
   * Returns the last outcome.
   */
  async function sendInScheme(
    by: Sender,
    operation: Operation,
    attempt: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const schemeBefore = form.tokenScheme
    const outcome = await attempt()
    // A request without a token of the run says nothing about the scheme.
    const isOfToken = typeof by === 'string' && operation.scheme === 'bearer'
    if (!isOfToken) return outcome

    if (hasWorkingToken) return outcome
    if (outcome.isAccepted) hasWorkingToken = true
    if (outcome.status !== 401) return outcome

    await identities.learnScheme()
    const isOtherScheme = form.tokenScheme !== schemeBefore
    return isOtherScheme ? attempt() : outcome
  }

  /** Returns the outcome of a request that is not sent, and reports why it is not. */
  function keepBack(reason: string): Outcome {
    options.onKept?.(reason)
    return NOT_SENT
  }

  /**
   * Sends a request, and again after a 429, which says nothing about the request (RFC 6585, section 4), or,
   * if it is a read, after a 503 that says when. Returns the last outcome.
   */
  async function sendWithRetries(
    operation: Operation,
    request: SentRequest,
    intent: Intent | undefined,
  ): Promise<Outcome> {
    let outcome = await sendInTurn(request, intent)
    for (let retries = 0; retries < MAX_RETRIES; retries++) {
      const { response, status } = outcome
      // A busy service gets fewer retries than one with a rate limit.
      const mayWaitForBusy = isBusy(request, outcome) && retries < MAX_RETRIES_IF_BUSY
      const mustWait = status === 429 || mayWaitForBusy
      if (!response || !mustWait || mayHavePaid(operation, outcome)) break

      // False if the service asks for too long a wait. The wait itself is in the next turn.
      const willWait = rateLimit.putOff(response)
      if (!willWait) break
      // A gateway may have passed on what it refused: each attempt may have created a record.
      noteLiveEffect(operation, request, outcome)
      outcome = await sendInTurn(request, intent)
    }
    if (outcome.status !== 429) rateLimit.speedUp()
    return outcome
  }

  /** Whether a live service may have made a payment, so that a second one could be made too. */
  function mayHavePaid({ id }: Operation, outcome: Outcome): boolean {
    const isLivePayment = options.target === 'live' && id === 'createTransfer'
    return isLivePayment && !provesRefusal(outcome)
  }

  /** Sends a request when few others are on their way. */
  async function sendInTurn(request: SentRequest, intent: Intent | undefined): Promise<Outcome> {
    await gate.enter()
    return sendGuarded(request, intent).finally(gate.leave)
  }

  /**
   * Waits for the rate limit, and sends a request if the guard allows it. The guard keeps back what may do
   * harm on a live service.
   */
  async function sendGuarded(request: SentRequest, intent: Intent | undefined): Promise<Outcome> {
    await rateLimit.turn(signal)
    if (signal.aborted) return keepBack('not sent: the run was ended')
    const reason = guard.findForbiddenReason(request)
    if (reason !== undefined) return keepBack(reason)

    guard.begin(request)
    // The response to a write is awaited even after the end of the run: it names what has to be removed.
    const requestSignal = isRead(request) ? signal : NEVER
    const startedAt = performance.now()
    const outcome = await sendAndRecord(request, intent, { ...options, signal: requestSignal })
    options.latency?.note(performance.now() - startedAt)
    guard.end(request, outcome.status, outcome.json)
    return outcome
  }

  /** Sends the request that deletes or cancels a record of this run, even after the end of the run. */
  function endRecord({ end, path, by }: Created): Promise<Outcome> {
    return sendAs(by, end, async (header) => {
      const request = buildRequest(end, { path }, form.swapScheme(header))
      const reason = guard.findForbiddenReason(request)
      if (reason !== undefined) return keepBack(reason)
      await rateLimit.turn(NEVER)
      const outcome = await sendAndRecord(request, undefined, { ...options, signal: NEVER })
      guard.end(request, outcome.status, outcome.json)
      return outcome
    })
  }

  return Object.assign(send, {
    /**
     * Ends the records that the run has created and not ended. Returns what it could not end so far, as
     * paths or in words.
     *
     * @param waitForLag Waits until a service that lags must find all records.
     */
    cleanUp: (waitForLag?: () => Promise<unknown>) => createdRecords.endAll(endRecord, waitForLag),
  })
}

/**
 * Reads what the response of a list has beside its body. A request with a method or a path of its own asks for no page,
 * so that its headers lead to none.
 */
function readListResponse(
  { path }: Operation,
  { query = {}, method, pathAndQuery }: Input,
  { response }: Outcome,
): ListResponse {
  const isUsual = method === undefined && pathAndQuery === undefined
  return { path, query, headers: isUsual ? (response?.headers ?? {}) : {} }
}

/** Whether a read finds the service busy, which says when to ask again. */
function isBusy(request: SentRequest, { status, response }: Outcome): boolean {
  const saysWhen = response?.headers['retry-after'] !== undefined
  return isRead(request) && status === 503 && saysWhen
}

/** A signal that is never aborted. */
const NEVER = new AbortController().signal

/** A response of the service, or why none arrived. */
interface Received {
  readonly response?: ReceivedResponse
  readonly failure?: string
  /** Whether rules must not judge that none arrived. */
  readonly hasNoResponse?: true
  readonly cannotRun?: CannotRun | undefined
}

/**
 * Sends a request, adds it to the history, whether a response arrives or not, and returns its outcome.
 * Status 0 means that no response arrived. From before the request is sent until the exchange is added or forgotten,
 * the history holds back later events.
 */
async function sendAndRecord(
  request: SentRequest,
  intent: Intent | undefined,
  { transport, history, signal }: Pick<SendOptions, 'transport' | 'history' | 'signal'>,
): Promise<Outcome> {
  const sentAt = now()
  history.expect(sentAt)
  const { cannotRun, ...received } = await receive(transport, request, signal)
  const outcome = { ...createOutcome(sentAt, received), cannotRun }

  // The end of the run ends reads too, which says nothing about the service.
  const wasEndedByRun = !received.response && signal.aborted
  if (wasEndedByRun) {
    history.forget(sentAt)
    return outcome
  }

  history.add({
    type: 'exchange',
    sentAt,
    completeAt: now(),
    request,
    ...received,
    ...(intent && { intent }),
  })
  return outcome
}

/** Sends a request. Returns the response, or why none arrived; does not throw. */
async function receive(
  transport: Transport,
  request: SentRequest,
  signal: AbortSignal,
): Promise<Received> {
  try {
    return { response: await transport(request, signal) }
  } catch (error) {
    const cannotRun = error instanceof CannotRun ? error : undefined
    const isBlameless = error instanceof ConnectionClosed
    return {
      failure: noResponseReason(error),
      ...(isBlameless && { hasNoResponse: true }),
      cannotRun,
    }
  }
}

/** Creates the outcome of a request that was sent: what its response shows or, without one, status 0. */
function createOutcome(sentAt: number, received: Received): Outcome {
  const { response } = received
  if (!response) return { ...NOT_SENT, sentAt, ...received }

  const { status, text } = response
  const isAccepted = status >= 200 && status < 300
  return { sentAt, status, isAccepted, json: parsedJson(text), ...received }
}

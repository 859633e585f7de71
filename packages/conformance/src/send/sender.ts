import type { Contract, Operation } from '../contract/contract.ts'
import { parsedJson, stringAt } from '../contract/json.ts'
import { learnPlaces } from '../form/places.ts'
import type { ServiceForm } from '../form/service-form.ts'
import {
  type History,
  type Intent,
  now,
  type ReceivedResponse,
  type SentRequest,
} from '../history.ts'
import { createGuard, ENDS, type GuardOptions, isGone } from './guard.ts'
import { createGate, type createLatency, type RateLimit } from './limits.ts'
import { CannotRun, noResponseReason, type Transport } from './transport.ts'

/**
 * An identity of the run. A substitute is a customer who sends what the service refuses a partner.
 */
export type Named = 'partner' | 'other' | 'customer' | 'substitute' | 'other-substitute'

/**
 * Who sends a request: an identity of the run, an authorization header, or null for no credentials.
 */
export type Sender = Named | { readonly authorization: string } | null

/** A request of an operation, as a plan writes it: `{ path: { id }, body: { amount: '1.00' }, by: 'customer' }`. */
export interface Input {
  readonly path?: Readonly<Record<string, string>> | undefined
  readonly query?: Readonly<Record<string, string>>
  /** A header that is undefined is left out. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Default: the method of the operation. */
  readonly method?: string
  /** A path with its query. Default: the path of the operation with `path` and `query`. */
  readonly at?: string
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown
  /** Default: `partner`. */
  readonly by?: Sender | undefined
  readonly intent?: Intent
}

/** What a sender needs of the identities of a run. `createIdentities` has the functions. */
interface SenderIdentities {
  /** The identity that sends an operation of another one: a substitute, or the same. */
  actingFor(by: Sender, operation: Operation): Sender
  authorization(by: Sender, operation: Pick<Operation, 'scheme'>): Promise<string | undefined>
  renewed(by: Sender, refused: string | undefined): Promise<string | undefined>
}

/** What a plan may look at, to use it in its next request. */
export interface Outcome {
  readonly sentAt: number
  /** 0 if no response arrived, or if the guard kept the request. */
  readonly status: number
  readonly isAccepted: boolean
  /** The body of the response in the form of the contract. */
  readonly json: unknown
  readonly response?: ReceivedResponse
  /** Why no response arrived. */
  readonly failure?: string | undefined
  /** Why the transport ends the run, if it does. */
  readonly cannotRun?: CannotRun | undefined
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

const NOT_SENT: Outcome = { sentAt: 0, status: 0, isAccepted: false, json: undefined }
/** On a live service, nobody is impersonated whom the user does not name. */
const NO_SUBSTITUTE =
  'not sent: the service refuses the partner for it; name a customer who may send it with --set impersonate/user_id=ID --set impersonate/customer_id=ID'
/** The length of a path in characters. Most servers take less. */
const MAX_PATH_LENGTH = 20_000
/** Concurrent requests compete for a limit, so one may need several retries after 429. */
const MAX_RETRIES = 20
/** How often a read is repeated after a 503. */
const MAX_RETRIES_IF_BUSY = 2
/** So many records are ended at the same time. */
const CONCURRENT_ENDS = 8
/** After so many consecutive ends without a response, the rest is left. */
const MAX_ENDS_WITHOUT_RESPONSE = 16

/** A record that the run has created, and has to end. */
interface Created {
  /** The operation that ends it. */
  readonly end: Operation
  readonly path: Readonly<Record<string, string>>
  readonly by: Sender
}

/**
 * Creates the function with which plans send requests: as an identity, through the guard, and again
 * after a rate limit. It adds every exchange to the history, and remembers the records that it has to
 * end. `send.cleanUp()` ends them.
 */
export function createSend(options: SendOptions) {
  const { contract, form, signal, rateLimit, identities } = options
  const guard = createGuard(contract, options)
  const gate = createGate()
  /** The records that the run has created and not ended, by their ids. */
  const createdRecords = new Map<string, Created>()
  /** What stays on the service and cannot be ended, as a path or in words. */
  const leftovers: string[] = []
  /** Creations on a live service that got no response, by their paths. */
  const lostCreations = new Map<string, number>()
  /** Records that their end did not find: on a service that lags, they may be there later. */
  const missingRecords = new Set<string>()
  /** Operations that refuse every token, for which a new one does not help. */
  const refusingOperations = new Set<string>()

  async function send(id: string, input: Input = {}): Promise<Outcome> {
    const operation = findOperation(contract, id)
    if (!operation) return keep(`not sent: the contract has no operation "${id}"`)

    const by = identities.actingFor(input.by === undefined ? 'partner' : input.by, operation)
    const reason = await findReasonToKeep(operation, input, by)
    if (reason !== undefined) return keep(reason)

    const serviceInput = toServiceInput(operation, input, form)
    const received = await sendAs(by, operation, (header) =>
      sendPatiently(buildRequest(operation, serviceInput, header), input.intent),
    )
    const { status, json, isAccepted } = received
    if (isAccepted) learnPlaces(operation, { status, sent: input.body, received: json }, form)
    const outcome = { ...received, json: form.toContractResponse(operation, status, json) }

    if (status === 429) options.onLimited?.(id)
    if (isAccepted) trackRecord(id, { by, path: input.path ?? {} }, outcome)
    if (options.target === 'live') noteEffect(operation, input, outcome)
    return outcome
  }

  /** Finds why a request cannot be sent; undefined if it can. The guard decides whether it may be. */
  async function findReasonToKeep(
    operation: Operation,
    input: Input,
    by: Sender,
  ): Promise<string | undefined> {
    // What cannot be ended is not created.
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

  /** Sends as an identity, and again with a new token if the first one is refused. */
  async function sendAs(
    by: Sender,
    operation: Operation,
    attempt: (header: string | undefined) => Promise<Outcome>,
  ): Promise<Outcome> {
    const header = await identities.authorization(by, operation)
    const outcome = await attempt(header)
    if (outcome.status !== 401 || refusingOperations.has(operation.id)) return outcome

    const renewed = await identities.renewed(by, header)
    if (renewed === undefined) return outcome

    const second = await attempt(renewed)
    if (second.status === 401) refusingOperations.add(operation.id)
    return second
  }

  /** The outcome of a request that is not sent. */
  function keep(reason: string): Outcome {
    options.onKept?.(reason)
    return NOT_SENT
  }

  /**
   * Sends a request again after a 429, which says nothing about the request (RFC 6585, section 4), and
   * a read after a 503 that says when.
   */
  async function sendPatiently(request: SentRequest, intent: Intent | undefined): Promise<Outcome> {
    let outcome = await sendInTurn(request, intent)
    for (let retries = 0; retries < MAX_RETRIES; retries++) {
      const { response } = outcome
      const isPutOff = outcome.status === 429 || isBusy(request, outcome, retries)
      const mayBeRepeated = isPutOff && response && rateLimit.putOff(response)
      if (!mayBeRepeated) break
      outcome = await sendInTurn(request, intent)
    }
    if (outcome.status !== 429) rateLimit.goOn()
    return outcome
  }

  /** Sends a request when few others are on their way. */
  async function sendInTurn(request: SentRequest, intent: Intent | undefined): Promise<Outcome> {
    await gate.enter()
    return sendGuarded(request, intent).finally(gate.leave)
  }

  /** Sends a request if the guard allows it. */
  async function sendGuarded(request: SentRequest, intent: Intent | undefined): Promise<Outcome> {
    await rateLimit.turn(signal)
    if (signal.aborted) return keep('not sent: the run was ended')
    const reason = guard.forbiddenReason(request)
    if (reason !== undefined) return keep(reason)

    guard.begin(request)
    // A read shows nothing that has to be removed, so it ends with the run.
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const requestSignal = isRead ? signal : NEVER
    const startedAt = performance.now()
    const outcome = await exchange(request, intent, { ...options, signal: requestSignal })
    options.latency?.note(performance.now() - startedAt)
    guard.end(request, outcome.status, outcome.json)
    return outcome
  }

  /** Remembers what a request to a live service leaves there that nothing can end. */
  function noteEffect(
    operation: Operation,
    { body }: Input,
    { json, status, sentAt, isAccepted }: Outcome,
  ): void {
    const wasSent = sentAt > 0
    const isLost = wasSent && status === 0 && ENDS[operation.id] !== undefined
    if (isLost) lostCreations.set(operation.path, (lostCreations.get(operation.path) ?? 0) + 1)

    if (operation.id !== 'createTransfer' || !isAccepted) return

    const amount = stringAt(body, '/amount')
    const date = stringAt(body, '/payment_date')
    const when = date === undefined ? '' : `, with payment_date ${date}`
    leftovers.push(`${operation.path}: transfer ${stringAt(json, '/id')} of ${amount}${when}`)
  }

  /** Remembers what an accepted request created, and forgets what it ended. */
  function trackRecord(
    id: string,
    { by, path }: Pick<Created, 'by' | 'path'>,
    { json }: Outcome,
  ): void {
    if (ENDINGS.has(id)) for (const endedId of Object.values(path)) createdRecords.delete(endedId)

    const createdId = stringAt(json, '/id')
    const end = findOperation(contract, ENDS[id] ?? '')
    if (!end || createdId === undefined) return
    // A sandbox lists cancelled QR codes like open ones, so cancelling them would clean nothing up.
    const isCode = id === 'createImmediateQrCode' || id === 'createDueDateQrCode'
    if (options.target === 'sandbox' && isCode) return

    const [parameter = 'id'] = /(?<=\{)\w+/.exec(end.path) ?? []
    createdRecords.set(createdId, {
      end,
      path: { [parameter]: createdId },
      // Other authorization headers may be invalid by the end of the run.
      by: typeof by === 'string' ? by : 'partner',
    })
  }

  /** Sends the request that ends a record, even after the end of the run. */
  function endRecord({ end, path, by }: Created): Promise<Outcome> {
    return sendAs(by, end, async (header) => {
      const request = buildRequest(end, { path }, header)
      const reason = guard.forbiddenReason(request)
      if (reason !== undefined) return keep(reason)
      await rateLimit.turn(NEVER)
      const outcome = await exchange(request, undefined, { ...options, signal: NEVER })
      guard.end(request, outcome.status, outcome.json)
      return outcome
    })
  }

  /** Notes the response to the end of a record, which is tried again if it stays in `createdRecords`. */
  function noteEnd(id: string, record: Created, status: number): void {
    // No response, a rate limit or an error of the service: the record may still be there.
    if (status === 0 || status === 429 || status >= 500) return

    const isFirstMiss = status === 404 && !missingRecords.has(id)
    if (isFirstMiss) {
      missingRecords.add(id)
      return
    }

    createdRecords.delete(id)
    if (!isGone(status)) leftovers.push(pathOf(record.end, record))
  }

  /**
   * Ends the records that the run has created and not ended. Returns the paths of all that it
   * could not end so far, of which it tries those again that were not refused for good.
   */
  async function cleanUp(): Promise<readonly string[]> {
    const newestFirst = [...createdRecords].reverse()
    let endsWithoutResponse = 0

    async function endNextRecords(): Promise<void> {
      for (let next = newestFirst.shift(); next; next = newestFirst.shift()) {
        const [id, record] = next
        // A service that has stopped responding is asked no more.
        const hasStopped = endsWithoutResponse >= MAX_ENDS_WITHOUT_RESPONSE
        const { status } = hasStopped ? NOT_SENT : await endRecord(record)
        endsWithoutResponse = status === 0 ? endsWithoutResponse + 1 : 0
        noteEnd(id, record, status)
      }
    }

    await Promise.all(Array.from({ length: CONCURRENT_ENDS }, endNextRecords))
    const stillLeft = [...createdRecords.values()].map((record) => pathOf(record.end, record))
    const lost = [...lostCreations].map(describeLostCreation)
    return [...leftovers, ...lost, ...stillLeft]
  }

  return Object.assign(send, { cleanUp })
}

/** Whether a read finds the service busy, which says when to ask again. */
function isBusy({ method }: SentRequest, { status, response }: Outcome, retries: number): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  const saysWhen = response?.headers['retry-after'] !== undefined
  return isRead && status === 503 && saysWhen && retries < MAX_RETRIES_IF_BUSY
}

/** Writes what the result says of creations without a response. */
function describeLostCreation([path, count]: readonly [path: string, count: number]): string {
  const times = count === 1 ? 'once' : `${count} times`
  return `${path}: a creation got no response ${times}, and may have succeeded`
}

/** The operations that end a record. */
const ENDINGS: ReadonlySet<string> = new Set(Object.values(ENDS))

/** A signal that is never aborted. */
const NEVER = new AbortController().signal

/** An operation by its id. Undefined if a changed copy of the contract has left it out. */
export function findOperation({ operations }: Contract, id: string): Operation | undefined {
  return operations.find((operation) => operation.id === id && !operation.isAlias)
}

/** Writes a request with the words of the service in place of those of the contract. */
function toServiceInput(operation: Operation, input: Input, form: ServiceForm): Input {
  const { body, query } = input
  return {
    ...input,
    ...(body !== undefined && { body: form.toServiceBody(operation, body) }),
    ...(query && { query: form.toServiceQuery(operation, query) }),
  }
}

/** The HTTP request that an input stands for. */
function buildRequest(
  operation: Operation,
  input: Input,
  authorization: string | undefined,
): SentRequest {
  const { body, method = operation.method, at = pathOf(operation, input) } = input
  const headers = buildHeaders(input, authorization)
  if (body === undefined) return { method, path: at, headers }

  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { method, path: at, headers, body: text }
}

/** The usual headers, and those of the input. One that is undefined is left out. */
function buildHeaders(
  { headers, body }: Input,
  authorization: string | undefined,
): Record<string, string> {
  const headersOrUndefined: Record<string, string | undefined> = {
    accept: 'application/json',
    authorization,
    'content-type': body === undefined ? undefined : 'application/json',
    ...headers,
  }
  const present = Object.entries(headersOrUndefined).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as Record<string, string>
}

/** The path of a request with its ids and its query: `/pix/qrcode/…?limit=2`. */
export function pathOf(
  { path }: Pick<Operation, 'path'>,
  { path: parameters = {}, query = {} }: Input,
): string {
  const pathWithIds = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[name] ?? ''),
  )
  const search = new URLSearchParams(query).toString()
  return search === '' ? pathWithIds : `${pathWithIds}?${search}`
}

/** Sends a request, and adds it to the history whether a response arrives or not. */
async function exchange(
  request: SentRequest,
  intent: Intent | undefined,
  { transport, history, signal }: Pick<SendOptions, 'transport' | 'history' | 'signal'>,
): Promise<Outcome> {
  const sentAt = now()
  history.expect(sentAt)
  let failure: string | undefined
  let cannotRun: CannotRun | undefined
  const response = await transport(request, signal).catch((error: unknown) => {
    failure = noResponseReason(error)
    if (error instanceof CannotRun) cannotRun = error
    return undefined
  })
  const received = response ? { response } : { failure }
  // The end of the run ends reads too, which says nothing about the service.
  const wasEndedByRun = !response && signal.aborted
  if (wasEndedByRun) history.forget(sentAt)
  else
    history.add({
      type: 'exchange',
      sentAt,
      completeAt: now(),
      request,
      ...received,
      ...(intent && { intent }),
    })

  const { status = 0, text = '' } = response ?? {}
  return {
    sentAt,
    status,
    isAccepted: status >= 200 && status < 300,
    json: parsedJson(text),
    ...received,
    cannotRun,
  }
}

import type { Contract, Operation } from '../contract/contract.ts'
import { parsedJson, stringAt } from '../contract/json.ts'
import {
  type History,
  type Intent,
  now,
  type ReceivedResponse,
  type SentRequest,
} from '../history.ts'
import { createGuard, ENDS, type GuardOptions, isGone } from './guard.ts'
import type { RateLimit } from './limits.ts'
import { noResponseReason, type Transport } from './transport.ts'

/**
 * Who sends a request: an identity of the run, an authorization header, or null for no credentials.
 */
export type Sender = 'partner' | 'other' | 'customer' | { readonly authorization: string } | null

export interface Input {
  readonly path?: Readonly<Record<string, string>> | undefined
  readonly query?: Readonly<Record<string, string>>
  /** A header that is undefined is left out. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** In place of the method of the operation. */
  readonly method?: string
  /** In place of the path of the operation, with the query. */
  readonly at?: string
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown
  /** Default: `partner`. */
  readonly by?: Sender | undefined
  readonly intent?: Intent
}

/** What a sender uses of the identities of a run. */
interface SignedIn {
  authorization(by: Sender, operation: Pick<Operation, 'scheme'>): Promise<string | undefined>
  renewed(by: Sender, refused: string | undefined): Promise<string | undefined>
}

/** What a plan may look at, to use it in its next request. */
export interface Outcome {
  readonly sentAt: number
  /** 0 if no response arrived, or if the guard kept the request. */
  readonly status: number
  readonly isAccepted: boolean
  readonly json: unknown
  readonly response?: ReceivedResponse
  /** Why no response arrived. */
  readonly failure?: string | undefined
}

export interface SendOptions extends GuardOptions {
  readonly contract: Contract
  readonly transport: Transport
  readonly history: History
  /**
   * Ends reads too. Other requests complete, because their responses show what has to be removed.
   */
  readonly signal: AbortSignal
  readonly rateLimit: RateLimit
  readonly identities: SignedIn
  /** Receives why requests were not sent. */
  readonly onKept?: (reason: string) => void
}

export type Send = ReturnType<typeof createSend>

const NOT_SENT: Outcome = { sentAt: 0, status: 0, isAccepted: false, json: undefined }
/** Most servers take less. */
const LONGEST_PATH = 20_000
/** Concurrent requests compete for a limit, so one may need several retries after 429. */
const MAX_RETRIES = 20
/**
 * Records that are ended at the same time, and consecutive ones without a response after which the
 * rest is left.
 */
const LANES = 8
const MAX_MISSED = 16

/** A record that the run has to end. */
interface Created {
  readonly end: Operation
  readonly path: Readonly<Record<string, string>>
  readonly by: Sender
}

/** Sends requests through the guard, and adds every exchange to the history. */
export function createSend(options: SendOptions) {
  const { contract, signal, rateLimit, identities } = options
  const guard = createGuard(contract, options)
  const left = new Map<string, Created>()
  const leftovers: string[] = []
  /** Records that their end did not find: on a service that lags, they may be there later. */
  const missing = new Set<string>()
  /** Operations that refuse every token, for which a new one does not help. */
  const refusing = new Set<string>()

  async function send(id: string, input: Input = {}): Promise<Outcome> {
    const operation = operationOf(contract, id)
    if (!operation || (id in ENDS && !operationOf(contract, ENDS[id] ?? '')))
      return kept(`not sent: the contract has no operation "${operation ? ENDS[id] : id}"`)
    const { by = 'partner', path = {}, intent } = input
    if (pathOf(operation, input).length > LONGEST_PATH)
      return kept(
        `not sent: an id of the service makes the path longer than ${LONGEST_PATH} characters`,
      )
    if (typeof by === 'string' && (await identities.authorization(by, operation)) === undefined)
      return kept(`not sent: the run has no credentials of "${by}" for it`)
    const outcome = await sendAs(by, operation, (header) =>
      patiently(requestOf(operation, input, header), intent),
    )
    if (outcome.isAccepted) track(id, { by, path }, outcome)
    return outcome
  }

  /** Sends as an identity, and again with a new token if the first one is refused. */
  async function sendAs(
    by: Sender,
    operation: Operation,
    attempt: (header: string | undefined) => Promise<Outcome>,
  ): Promise<Outcome> {
    const header = await identities.authorization(by, operation)
    const outcome = await attempt(header)
    if (outcome.status !== 401 || refusing.has(operation.id)) return outcome
    const renewed = await identities.renewed(by, header)
    if (renewed === undefined) return outcome
    const second = await attempt(renewed)
    if (second.status === 401) refusing.add(operation.id)
    return second
  }

  function kept(reason: string): Outcome {
    options.onKept?.(reason)
    return NOT_SENT
  }

  /**
   * Sends a request again after a 429, which says nothing about the request (RFC 6585, section 4).
   */
  async function patiently(request: SentRequest, intent: Intent | undefined): Promise<Outcome> {
    let outcome = await once(request, intent)
    for (let time = 0; time < MAX_RETRIES && outcome.status === 429; time++) {
      if (!outcome.response || !rateLimit.putOff(outcome.response)) break
      outcome = await once(request, intent)
    }
    return outcome
  }

  async function once(request: SentRequest, intent: Intent | undefined): Promise<Outcome> {
    await rateLimit.turn(signal)
    const reason = signal.aborted ? 'not sent: the run was ended' : guard.forbiddenReason(request)
    if (reason !== undefined) return kept(reason)
    guard.begin(request)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const outcome = await exchanged(
      request,
      intent,
      isRead ? options : { ...options, signal: NEVER },
    )
    guard.end(request, outcome.status, outcome.json)
    return outcome
  }

  /** Remembers what an accepted request created, and forgets what it ended. */
  function track(id: string, { by, path }: Pick<Created, 'by' | 'path'>, { json }: Outcome): void {
    if (Object.values(ENDS).includes(id))
      for (const ended of Object.values(path)) left.delete(ended)
    const created = stringAt(json, '/id')
    const end = operationOf(contract, ENDS[id] ?? '')
    // A sandbox lists cancelled QR codes like open ones, so cancelling them would clean nothing up.
    const isKept = options.target === 'sandbox' && id.endsWith('QrCode')
    if (!end || isKept || created === undefined) return
    const [name = 'id'] = /(?<=\{)\w+/.exec(end.path) ?? []
    // Other authorization headers may be invalid by the end of the run.
    left.set(created, {
      end,
      path: { [name]: created },
      by: typeof by === 'string' ? by : 'partner',
    })
  }

  /** Ends a record, after the end of the run too. */
  function end({ end, path, by }: Created): Promise<Outcome> {
    return sendAs(by, end, async (header) => {
      const request = requestOf(end, { path }, header)
      const reason = guard.forbiddenReason(request)
      if (reason !== undefined) return kept(reason)
      await rateLimit.turn(NEVER)
      const outcome = await exchanged(request, undefined, { ...options, signal: NEVER })
      guard.end(request, outcome.status, outcome.json)
      return outcome
    })
  }

  return Object.assign(send, {
    /**
     * Ends the records that the run has created and not ended. Returns the paths of all that it
     * could not end so far, of which it tries those again that were not refused for good.
     */
    async cleanUp(): Promise<readonly string[]> {
      // The newest first.
      const records = [...left].reverse()
      let missed = 0
      const lane = async () => {
        for (let next = records.shift(); next; next = records.shift()) {
          const [id, it] = next
          const { status } = missed < MAX_MISSED ? await end(it) : NOT_SENT
          missed = status === 0 ? missed + 1 : 0
          const isMissing = status === 404 && !missing.has(id)
          if (isMissing) missing.add(id)
          if (isMissing || status === 0 || status === 429 || status >= 500) continue
          left.delete(id)
          if (!isGone(status)) leftovers.push(pathOf(it.end, it))
        }
      }
      await Promise.all(Array.from({ length: LANES }, lane))
      return [...leftovers, ...[...left.values()].map((it) => pathOf(it.end, it))]
    },
  })
}

const NEVER = new AbortController().signal

/** Undefined if a changed copy of the contract has left it out. */
function operationOf({ operations }: Contract, id: string): Operation | undefined {
  return operations.find((it) => it.id === id && !it.isAlias)
}

function requestOf(
  operation: Operation,
  input: Input,
  authorization: string | undefined,
): SentRequest {
  const { headers = {}, body, method = operation.method, at = pathOf(operation, input) } = input
  const all = {
    accept: 'application/json',
    ...(authorization !== undefined && { authorization }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  }
  return {
    method,
    path: at,
    headers: Object.fromEntries(
      Object.entries(all).filter((it): it is [string, string] => it[1] !== undefined),
    ),
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }
}

/** The path of a request of an operation, with its query. */
export function pathOf(
  { path }: Pick<Operation, 'path'>,
  { path: parameters = {}, query = {} }: Input,
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[name] ?? ''),
  )
  const search = new URLSearchParams(query).toString()
  return search === '' ? filled : `${filled}?${search}`
}

/** Sends a request, and adds it to the history whether a response arrives or not. */
async function exchanged(
  request: SentRequest,
  intent: Intent | undefined,
  { transport, history, signal }: Pick<SendOptions, 'transport' | 'history' | 'signal'>,
): Promise<Outcome> {
  const sentAt = now()
  history.expect(sentAt)
  let failure: string | undefined
  const response = await transport(request, signal).catch((error: unknown) => {
    failure = noResponseReason(error)
    return undefined
  })
  const event = { type: 'exchange', sentAt, completeAt: now(), request } as const
  // The end of the run ends reads too, which says nothing about the service.
  if (!response && signal.aborted) history.forget(sentAt)
  else
    history.add({ ...event, ...(response ? { response } : { failure }), ...(intent && { intent }) })
  const { status = 0, text = '' } = response ?? {}
  const isAccepted = status >= 200 && status < 300
  return {
    sentAt,
    status,
    isAccepted,
    json: parsedJson(text),
    ...(response ? { response } : { failure }),
  }
}

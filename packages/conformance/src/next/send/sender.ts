import type { Contract, Operation } from '../contract/contract.ts'
import { parsedJson, stringAt } from '../contract/json.ts'
import type { History, Intent, SentRequest } from '../history.ts'
import { forbiddenReason, type GuardOptions } from './guard.ts'
import type { Transport } from './transport.ts'

/** Who sends a request: an identity of the run, an authorization header, or null for no credentials. */
export type Sender = 'partner' | 'other' | 'customer' | { readonly authorization: string } | null

export interface Input {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown
  /** Default: `partner`. */
  readonly by?: Sender
  readonly intent?: Intent
}

/** What a plan may look at, to use it in its next request. */
export interface Outcome {
  readonly sentAt: number
  /** 0 if no response arrived, or if the guard kept the request. */
  readonly status: number
  readonly isAccepted: boolean
  readonly json: unknown
}

export interface SendOptions extends GuardOptions {
  readonly contract: Contract
  readonly transport: Transport
  readonly history: History
  readonly signal: AbortSignal
  /** The authorization header of an identity for an operation; undefined if the run has no such identity. */
  readonly authorization: (by: Sender, operation: Operation) => Promise<string | undefined>
  /** Receives why requests were not sent. */
  readonly onKept?: (reason: string) => void
}

/** Sends requests through the guard, and adds every exchange to the history. */
export interface Send {
  (operation: string, input?: Input): Promise<Outcome>
  /** Ends the records that the run has created and not ended. Returns the paths of those that are left. */
  cleanUp(): Promise<readonly string[]>
}

/** The operations that end what others create. */
const ENDS: Readonly<Record<string, string>> = {
  createWebhook: 'deleteWebhook',
  createImmediateQrCode: 'cancelImmediateQrCode',
  createDueDateQrCode: 'cancelDueDateQrCode',
}
const NOT_SENT: Outcome = { sentAt: 0, status: 0, isAccepted: false, json: undefined }

export function createSend(options: SendOptions): Send {
  const { contract, signal } = options
  const own = new Map<string, { end: string; id: string; by: Sender }>()
  const isOwn = (path: string) => [...own.values()].some(({ id }) => path.includes(id))

  async function send(id: string, input: Input = {}): Promise<Outcome> {
    const operation = operationOf(contract, id)
    const by = input.by === undefined ? 'partner' : input.by
    const authorization = await options.authorization(by, operation)
    const request = requestOf(operation, input, authorization)
    const reason = signal.aborted
      ? 'not sent: the run was ended'
      : forbiddenReason(operation, request, { ...options, isOwn })
    if (reason !== undefined) {
      options.onKept?.(reason)
      return NOT_SENT
    }
    return track(operation, by, await exchanged(request, input.intent, options))
  }

  /** Remembers what a request created, and forgets what it ended. */
  function track({ id }: Operation, by: Sender, outcome: Outcome): Outcome {
    const created = stringAt(outcome.json, '/id')
    const end = ENDS[id]
    if (end !== undefined && outcome.isAccepted && created !== undefined)
      own.set(created, { end, id: created, by })
    return outcome
  }

  return Object.assign(send, {
    async cleanUp() {
      const left: string[] = []
      for (const { end, id, by } of own.values()) {
        const operation = operationOf(contract, end)
        const [name = 'id'] = /(?<=\{)\w+/.exec(operation.path) ?? []
        const request = requestOf(
          operation,
          { path: { [name]: id } },
          await options.authorization(by, operation),
        )
        // It is sent after the end of the run too.
        const { status } = await exchanged(request, undefined, {
          ...options,
          signal: AbortSignal.timeout(10_000),
        })
        // One that is gone, or that was paid, has nothing left to end.
        if (![200, 204, 404, 409].includes(status)) left.push(request.path)
      }
      own.clear()
      return left
    },
  })
}

function operationOf({ operations }: Contract, id: string): Operation {
  const found = operations.find((it) => it.id === id && !it.isAlias)
  if (!found) throw new Error(`the contract has no operation "${id}"`)
  return found
}

function requestOf(
  { method, path }: Operation,
  { path: parameters = {}, query = {}, headers = {}, body }: Input,
  authorization: string | undefined,
): SentRequest {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[name] ?? ''),
  )
  const search = new URLSearchParams(query).toString()
  return {
    method,
    path: search === '' ? filled : `${filled}?${search}`,
    headers: {
      accept: 'application/json',
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }
}

/** Sends a request, and adds it to the history whether a response arrives or not. */
async function exchanged(
  request: SentRequest,
  intent: Intent | undefined,
  { transport, history, signal }: Pick<SendOptions, 'transport' | 'history' | 'signal'>,
): Promise<Outcome> {
  const sentAt = now()
  history.expect(sentAt)
  const response = await transport(request, signal).catch(() => undefined)
  const event = { type: 'exchange', sentAt, completeAt: now(), request } as const
  history.add({ ...event, ...(response && { response }), ...(intent && { intent }) })
  const { status = 0, text = '' } = response ?? {}
  return { sentAt, status, isAccepted: status >= 200 && status < 300, json: parsedJson(text) }
}

/** Milliseconds since 1970, with fractions, which order events of one millisecond. */
function now(): number {
  return performance.timeOrigin + performance.now()
}

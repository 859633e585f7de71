import type { Finding } from '@partner-payments/validator'
import { type Contract, readContract, requireOperations } from './contract/contract.ts'
import { parsedJson, stringAt } from './contract/json.ts'
import {
  type ClockMove,
  type History,
  isRead,
  now,
  type ReceivedResponse,
  type RequestHead,
  type Reset,
  type SentRequest,
  WHOLE_BODY,
} from './history.ts'
import { type Exchange, listKnownDifferences } from './model/exchange.ts'
import { baseOf, type TrafficOptions } from './options.ts'
import { createResultBuilder, type ResultMoment, type RunFacts } from './report/build-result.ts'
import type { Report } from './report/report.ts'
import type { Result, UnknownCounts } from './report/result.ts'
import { type Rule, UNIQUE_NAMES } from './rules/rule.ts'
import { choosePlansAndRules } from './run/choose-plans.ts'

/** A body that is there, and cannot be read. */
export const UNKNOWN_BODY = Symbol('a body that is not known')

/** An exchange that is under way. */
export interface PendingExchange {
  /**
   * The response has come. The client may send its next request before the end of this one has been
   * read.
   */
  respond(): void
  /**
   * Adds the exchange, without a response if its body is not known: the request may have taken
   * effect.
   */
  end(body: SentBody, response: ReceivedResponse | undefined): void
}

/** The body of a request; undefined if there is none. */
type SentBody = string | undefined | typeof UNKNOWN_BODY

/** Reads the traffic of others. */
export type Traffic = ReturnType<typeof readTraffic>

/** What only the source of the traffic knows of what is unknown. */
type Recording = Partial<UnknownCounts>

/**
 * Reads recorded traffic with the rules.
 *
 * @param postpone Runs a function later: reading need not be done when an exchange ends. Default: at once.
 * @throws {ContractError} if the contract cannot be read
 * @throws {TypeError} if the base URL is not absolute, or the contract has no such operation
 */
export function readTraffic(options: TrafficOptions, postpone?: (work: () => void) => unknown) {
  const { baseUrl, isComplete = false, operations } = options
  const contract = readContract(options.contract)
  requireOperations(operations ?? [], contract)
  const url = baseUrl ?? contract.server
  if (!URL.canParse(url))
    throw new TypeError(`baseUrl must be absolute, such as http://127.0.0.1:4020, got "${url}"`)
  const base = baseOf(url)
  const baseAddress = writeAddress(new URL(base)).replace(/\/$/, '')
  const rules = chooseRules(options)
  const builder = createResultBuilder({
    contract,
    rules,
    base,
    operations,
    isComplete,
    hidesEvents: true,
    postpone,
  })
  const { history, newFindings } = builder

  /**
   * Finds the path and query of a request to the service, relative to its base URL. Undefined for other
   * requests, and for those that a browser sends on its own.
   */
  function findPath(sent: RequestHead): string | undefined {
    return isPreflight(sent) ? undefined : findServiceTarget(baseAddress, contract, sent)
  }

  return {
    history,
    newFindings,
    findPath,
    readBody: contract.readBody,
    /** Whether a request is one to an operation of the contract, at whatever host. */
    isOfContract: (request: RequestHead) => isOfContract(contract, request),
    /** Whether a request is one of the control API of a sandbox that shows its clock or a reset. */
    isControl: (request: RequestHead) => isControl(baseAddress, request),
    readControlEvent,
    /** Begins an exchange that is under way; undefined if it is not judged. */
    begin(request: RequestHead): PendingExchange | undefined {
      const path = findPath(request)
      if (path !== undefined) return beginExchange(history, request, path)
      return isControl(baseAddress, request) ? beginControl(history, request) : undefined
    },
    /**
     * Builds the result of the traffic, so far or at its end. There is no run, so that no plan wanted a case
     * and nothing was sent.
     *
     * @param recording What a recording says of exchanges that it does not have.
     */
    result(when: ResultMoment, recording: Recording = {}): Result {
      const run: RunFacts = {
        target: 'traffic',
        seed: 0,
        wanted: [],
        inconclusive: [],
        notSent: [],
        leftovers: [],
      }
      const result = builder.result(run, when)
      // These two are added up: the recording counts bodies of responses that are not in the history.
      const responseBodies = result.unknown.responseBodies + (recording.responseBodies ?? 0)
      return { ...result, unknown: { ...result.unknown, ...recording, responseBodies } }
    },
  }
}

/** Chooses the rules that judge traffic: those about the service, and `requests-valid`, which judges the app. */
function chooseRules(options: TrafficOptions): readonly Rule[] {
  const serviceRules = chooseServiceRules(options.only)
  return areRequestsJudged(options) ? [...serviceRules, requestsValid] : serviceRules
}

/** Chooses the rules about the service: those that `only` names, by default all. */
function chooseServiceRules(only: readonly string[] | undefined): readonly Rule[] {
  // Without another name, `choosePlansAndRules` would choose all rules.
  const namesNoServiceRule = only?.every((name) => name === requestsValid.id)
  return namesNoServiceRule ? [] : choosePlansAndRules(only).rules
}

/** Whether the requests of the app are judged: if `only` names that rule; by default, unless `requests` is false. */
function areRequestsJudged({ only, requests = true }: TrafficOptions): boolean {
  return only === undefined ? requests : only.includes(requestsValid.id)
}

/** What is known of an exchange at its end. */
interface EndedExchange {
  readonly sentAt: number
  readonly completeAt: number
  readonly body: SentBody
  readonly response: ReceivedResponse | undefined
}

/**
 * Announces a request to the history, which then holds back later events.
 *
 * @param onEnd Called when the exchange has ended. It lets the history go on, by its `add` or its `forget`.
 */
function announce(history: History, onEnd: (ended: EndedExchange) => void): PendingExchange {
  const sentAt = now()
  let respondedAt: number | undefined
  history.expect(sentAt)
  return {
    respond() {
      respondedAt = now()
    },
    end(body, response) {
      onEnd({ sentAt, completeAt: respondedAt ?? now(), body, response })
    },
  }
}

/** Announces a request of an app to the history. The response of a cache is left out at the end. */
function beginExchange(
  history: History,
  { method, headers }: RequestHead,
  path: string,
): PendingExchange {
  return announce(history, ({ sentAt, completeAt, body, response }) => {
    if (response && isOfCache(method, response)) {
      history.forget(sentAt)
      return
    }
    history.add({
      type: 'exchange',
      sentAt,
      completeAt,
      request: { method, path, headers, ...buildBodyFields(body) },
      ...(response && { response }),
    })
  })
}

/**
 * Whether the client has the body of an earlier response (RFC 9110, section 15.4.5). It has none of a
 * request that writes.
 */
function isOfCache(method: string, { status }: ReceivedResponse): boolean {
  return status === 304 && isRead({ method })
}

/** Builds the fields of a recorded request that say what is known of its body. */
function buildBodyFields(body: SentBody): Pick<SentRequest, 'body' | 'unrecorded'> {
  if (body === UNKNOWN_BODY) return { unrecorded: { body: WHOLE_BODY } }
  return body === undefined ? {} : { body }
}

/**
 * Announces a request to the control API of a sandbox to the history. It is no exchange with the service:
 * its end only adds what it shows, a move of the clock or a reset.
 */
function beginControl(history: History, request: RequestHead): PendingExchange {
  return announce(history, ({ sentAt, completeAt, response }) => {
    history.forget(sentAt)
    const event = readControlEvent(request, response, completeAt)
    if (event) history.add(event)
  })
}

/** The rule that judges the client. It is not among the rules, which judge a service. */
export const requestsValid: Rule = {
  id: 'requests-valid',
  says: 'Every request is one that the contract describes.',
  advice: 'Send the request as the contract says; the service may refuse it otherwise.',
  needs: [],
  judges: 'every-response',
  /**
   * Judges the request of an app: it must have an operation of the contract, match its schemas, and have each
   * field of an object once. It passes only if all of it was recorded.
   */
  read(exchange, { contract }, report) {
    const { operation, request, path } = exchange
    // The contract declares neither: HEAD is a GET without a body, OPTIONS asks what is allowed.
    if (request.method === 'HEAD' || request.method === 'OPTIONS') return

    if (!operation) {
      const about = `${request.method} ${path}`
      const message = `The contract has no operation ${about}.`
      report.failed(exchange, { pointer: '/paths' }, message, { about })
      return
    }

    // An app may not send fields that the contract does not declare.
    const differences = listKnownDifferences(exchange, { withUndeclared: true })
    for (const difference of differences) reportDifference(exchange, difference, report)

    const hasRepeatedField = contract.readBody(request.body ?? '').repeatsAnyField()
    if (hasRepeatedField) {
      const message = 'The request: expected each field of an object once, got one twice.'
      report.failed(exchange, UNIQUE_NAMES, message, { about: 'repeated field', impact: 'high' })
    }

    // What was redacted or not recorded: of the body, and of the path and the query.
    const { requestBody, target } = exchange.unknown
    const isWholeRequestKnown = requestBody.length === 0 && !target
    const isValid = differences.length === 0 && !hasRepeatedField
    if (isValid && isWholeRequestKnown)
      report.passed(exchange, { pointer: operation.declaration.pointer })
  },
}

/** Reports where a request of an app differs from the contract: `The request, body /amount: expected string, …`. */
function reportDifference(
  exchange: Exchange,
  { contract, message, pointer, place, question }: Finding,
  report: Report,
): void {
  const cites = question === undefined ? { pointer: contract } : { question }
  const where = `${place} ${pointer}`.trim()
  const about = `${contract} ${pointer}`
  report.failed(exchange, cites, `The request, ${where}: ${message}.`, { about })
}

/** The paths of a sandbox whose responses show its clock, or that its records are gone. */
const CLOCK_PATH = '/_sandbox/clock'
const RESET_PATH = '/_sandbox/reset'

/** Whether a request is one to the control API of a sandbox at this base, about its clock or a reset. */
function isControl(baseAddress: string, { url }: RequestHead): boolean {
  const mayBeControl = url.includes(CLOCK_PATH) || url.includes(RESET_PATH)
  if (!mayBeControl || !URL.canParse(url)) return false
  const address = writeAddress(new URL(url))
  return address === baseAddress + CLOCK_PATH || address === baseAddress + RESET_PATH
}

/**
 * Reads what a response of the control API of a sandbox shows: the time of its clock, or that it was reset.
 * Undefined if it shows neither.
 */
function readControlEvent(
  { method, url }: RequestHead,
  response: ReceivedResponse | undefined,
  completeAt: number,
): ClockMove | Reset | undefined {
  // A reset returns 204, and the clock 200.
  const hasSucceeded = response?.status === 200 || response?.status === 204
  if (!hasSucceeded) return undefined

  const isOfReset = new URL(url).pathname.endsWith(RESET_PATH)
  if (isOfReset) return method === 'POST' ? { type: 'reset', completeAt } : undefined

  const time = Date.parse(String(stringAt(parsedJson(response.text), '/now')))
  return Number.isNaN(time) ? undefined : { type: 'clock', completeAt, now: time }
}

/**
 * Finds the path and query of a request below the base URL of the service: `/pix/keys?limit=2`. Undefined if
 * the URL is not below it, or is that of a page or a file of an app on the same host.
 */
function findServiceTarget(
  baseAddress: string,
  { operations, find }: Contract,
  { method, url }: RequestHead,
): string | undefined {
  if (!URL.canParse(url)) return undefined

  const target = new URL(url)
  const address = writeAddress(target)
  if (!address.startsWith(`${baseAddress}/`)) return undefined

  const path = address.slice(baseAddress.length)
  // Below `/mobile-bff/v1`, all is of the service, also a misspelt path. Some servers take it in upper case too.
  const root = readRoot(operations)
  const isBelowRoot = path.toLowerCase().startsWith(`${root}/`)
  const isOfService = isBelowRoot || find(method, path) !== undefined
  return isOfService ? path + target.search : undefined
}

/** Whether a request names an operation of the contract, below whatever base URL. */
function isOfContract({ operations, find }: Contract, { method, url }: RequestHead): boolean {
  if (!URL.canParse(url)) return false
  // Where the path of the contract begins in `/any/base/mobile-bff/v1/pix/keys`.
  const { pathname } = new URL(url)
  const start = pathname.indexOf(readRoot(operations))
  return start >= 0 && find(method, pathname.slice(start)) !== undefined
}

/** The first two segments, which all paths of the contract have: `/mobile-bff/v1`. */
function readRoot([operation]: Contract['operations']): string {
  return operation?.path.split('/', 3).join('/') ?? ''
}

/** Names of this machine. A service that runs on it has the same port under each. */
const THIS_MACHINE: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Writes the address of a request without its query, and one host in one way: `localhost` for this machine,
 * and no dot at the end (`api.example.`).
 */
function writeAddress({ protocol, hostname, port, pathname }: URL): string {
  const host = hostname.replace(/\.$/, '')
  const name = THIS_MACHINE.has(host) ? 'localhost' : host
  return `${protocol}//${name}:${port}${pathname}`
}

/** Whether a browser sent the request on its own (Fetch, "CORS-preflight request"). */
function isPreflight({ method, headers }: RequestHead): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

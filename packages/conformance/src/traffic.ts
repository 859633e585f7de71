import { type Contract, readContract } from './contract/contract.ts'
import { parsedJson, stringAt } from './contract/json.ts'
import { type ClockMove, now, type ReceivedResponse, type Reset } from './history.ts'
import { differencesOf } from './model/exchange.ts'
import { baseOf, type TrafficOptions } from './options.ts'
import { createResultBuilder, type Result } from './report/result.ts'
import type { Rule } from './rules/rule.ts'
import { chosen } from './run.ts'

interface Sent {
  readonly method: string
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** An exchange that is under way. */
export interface Begun {
  /**
   * The response has come. The client may send its next request before the end of this one has been
   * read.
   */
  respond(): void
  /**
   * Adds the exchange, without a response if its body is not known: the request may have taken
   * effect.
   */
  end(body: string | undefined, response: ReceivedResponse | undefined): void
}

/**
 * Reads recorded traffic with the rules.
 *
 * @throws {ContractError} if the contract cannot be read
 * @throws {TypeError} if the base URL is not absolute
 */
export function readTraffic(options: TrafficOptions) {
  const {
    contract: document,
    baseUrl,
    isComplete = false,
    requests: judgesRequests = true,
  } = options
  const { only, operations } = options
  const contract = readContract(document)
  const url = baseUrl ?? contract.server
  if (!URL.canParse(url))
    throw new TypeError(`baseUrl must be absolute, such as http://127.0.0.1:4020, got "${url}"`)
  const base = baseOf(url)
  const rules = [
    ...(only?.every((it) => it === requestsValid.id) ? [] : chosen(only).rules),
    ...((only?.includes(requestsValid.id) ?? judgesRequests) ? [requestsValid] : []),
  ]
  const builder = createResultBuilder({ contract, rules, base, operations, isComplete })
  const { history, newFindings } = builder
  /**
   * The path and query of a request to the service, relative to its base URL; undefined for other
   * requests, and for those that a browser sends on its own.
   */
  const pathOf = (sent: Sent) => (isPreflight(sent) ? undefined : pathBelow(base, contract, sent))
  return {
    history,
    newFindings,
    pathOf,
    /** Begins an exchange that is under way; undefined if it is not judged. */
    begin(request: Sent): Begun | undefined {
      const path = pathOf(request)
      const isControl = request.url.startsWith(base) && CONTROL.test(request.url.slice(base.length))
      if (path === undefined && !isControl) return undefined
      const { method, headers } = request
      const sentAt = now()
      let completeAt: number | undefined
      history.expect(sentAt)
      return {
        respond() {
          completeAt = now()
        },
        end(body, response) {
          const at = completeAt ?? now()
          if (path === undefined) {
            history.forget(sentAt)
            for (const event of controlEvents(request, response, at)) history.add(event)
            return
          }
          history.add({
            ...{ type: 'exchange', sentAt, completeAt: at },
            request: { method, path, headers, ...(body !== undefined && { body }) },
            ...(response && { response }),
          })
        },
      }
    },
    /** The result so far, or at the end of the traffic. */
    result(when: 'so far' | 'at the end'): Result {
      const nothing = { wanted: [], inconclusive: [], notSent: [], leftovers: [] }
      return builder.result({ ...nothing, target: 'traffic', seed: 0 }, when)
    },
  }
}

/** Judges the client, so it is not among the rules of a service. */
export const requestsValid: Rule = {
  id: 'requests-valid',
  says: 'Every request is one that the contract describes.',
  advice: 'Send the request as the contract says; the service may refuse it otherwise.',
  read(exchange, _, report) {
    const { operation, request, path } = exchange
    if (/^(HEAD|OPTIONS)$/.test(request.method)) return
    if (!operation) {
      const message = `The contract has no operation ${request.method} ${path}.`
      return report.failed(exchange, { pointer: '/paths' }, message, {
        about: `${request.method} ${path}`,
      })
    }
    const found = differencesOf(exchange, { unknown: true })
    for (const { contract, message, pointer, place, question } of found) {
      const cites = question === undefined ? { pointer: contract } : { question }
      const words = `The request, ${`${place} ${pointer}`.trim()}: ${message}.`
      report.failed(exchange, cites, words, { about: `${contract} ${pointer}` })
    }
    if (found.length === 0) report.passed(exchange, { pointer: operation.of.pointer })
  },
}

/**
 * Paths of the control API of a sandbox whose responses show its clock, or that its records are
 * gone.
 */
const CONTROL = /^\/_sandbox\/(clock|reset)$/

function controlEvents(
  { method, url }: Sent,
  response: ReceivedResponse | undefined,
  completeAt: number,
): readonly (ClockMove | Reset)[] {
  if (response?.status !== 200 && response?.status !== 204) return []
  if (url.endsWith('/reset')) return method === 'POST' ? [{ type: 'reset', completeAt }] : []
  const time = Date.parse(String(stringAt(parsedJson(response.text), '/now')))
  return Number.isNaN(time) ? [] : [{ type: 'clock', completeAt, now: time }]
}

/** Pages and files of an app on the same host are no part of the service. */
function pathBelow(
  base: string,
  { operations, find }: Contract,
  { method, url }: Sent,
): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { origin, pathname, search } = new URL(url)
  const path = `${origin}${pathname}`.startsWith(`${base}/`)
    ? `${origin}${pathname}`.slice(base.length)
    : ''
  const root = operations[0]?.path.split('/', 3).join('/')
  return path.startsWith(`${root}/`) || find(method, path) ? path + search : undefined
}

/** Whether a browser sent the request on its own (Fetch, "CORS-preflight request"). */
function isPreflight({ method, headers }: Sent): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

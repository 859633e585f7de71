import { type Contract, readContract } from './contract/contract.ts'
import type { History } from './history.ts'
import { requestDifferences } from './model/exchange.ts'
import { baseOf } from './options.ts'
import { createReader } from './read.ts'
import { createResultBuilder, type Finding, type Result } from './report/result.ts'
import { judge, type Rule } from './rules/rule.ts'
import { chosen } from './run.ts'

/** Options of all sources that record the traffic of others. */
export interface TrafficOptions {
  /** A changed copy of the contract, bundled. Default: the partner payments contract. */
  readonly contract?: object
  /**
   * Base URL of the service. Requests elsewhere, or outside the paths of the contract, are not judged. Default: the
   * first server of the contract.
   */
  readonly baseUrl?: string
  /** Whether requests are judged too. Default: true. */
  readonly requests?: boolean
  /**
   * Whether the traffic has every request that the service got since its records were empty or unknown. Then a change of a
   * record without a request is a finding. Default: false.
   */
  readonly isComplete?: boolean
}

/** Reads recorded traffic with the rules. */
export interface Traffic {
  readonly history: History
  /** The path and query of a request to the service, relative to its base URL; undefined for all other requests. */
  pathOf(method: string, url: string): string | undefined
  /** The findings so far, without those of some ids. */
  findings(but: ReadonlySet<string>): Finding[]
  /** The result so far, or at the end of the traffic. */
  result(when: 'so far' | 'at the end'): Result
}

interface Selection {
  readonly only?: readonly string[] | undefined
  readonly operations?: readonly string[] | undefined
}

/**
 * @throws {ContractError} if the contract cannot be read
 * @throws {TypeError} if the base URL is not absolute
 */
export function readTraffic(options: TrafficOptions, { only, operations }: Selection = {}): Traffic {
  const { contract: document, isComplete = false, requests: judgesRequests = true } = options
  const contract = readContract(document && { document })
  const base = baseUrlOf(contract, options.baseUrl)
  const rules = [...chosen(only).rules, ...(judgesRequests && !only ? [requestsValid] : [])]
  const builder = createResultBuilder({ contract, rules, base, operations })
  let requests = 0
  const reader = createReader({
    ...{ contract, isComplete, rules },
    onExchange(exchange) {
      requests++
      builder.see(exchange)
    },
  })
  const about = () => ({
    ...({ target: 'traffic', seed: 0, requests, inconclusive: [], notSent: [], leftovers: [] } as const),
  })
  const isJudged = ({ operation = '' }: { operation: string | undefined }) =>
    operations?.includes(operation) ?? true
  return {
    history: reader.history,
    pathOf: (method, url) => pathBelow(base, contract, { method, url }),
    findings(but) {
      const found = reader.look().findings.filter((it) => isJudged(it) && !but.has(it.id))
      return found.map(builder.finding)
    },
    result(when) {
      const summary = when === 'so far' ? reader.look() : reader.summary()
      return builder.build({ ...summary, findings: summary.findings.filter(isJudged) }, about())
    },
  }
}

/** Judges the client, so it is not among the rules of a service. */
const requestsValid: Rule = {
  id: 'requests-valid',
  says: 'Every request is one that the contract describes.',
  advice: 'Send the request as the contract says; the service may refuse it otherwise.',
  read(exchange, _, report) {
    const { operation, request } = exchange
    if (/^(HEAD|OPTIONS)$/.test(request.method)) return
    if (!operation) {
      const [path = ''] = request.path.split('?', 1)
      const message = `The contract has no operation ${request.method} ${path}.`
      return report.failed(exchange, { pointer: '/paths' }, message, { about: `${request.method} ${path}` })
    }
    const found = requestDifferences(exchange, { unknown: true })
    for (const { contract, message, pointer, place, question } of found) {
      const cites = question === undefined ? { pointer: contract } : { question }
      const words = `The request, ${`${place} ${pointer}`.trim()}: ${message}.`
      report.failed(exchange, cites, words, { about: `${contract} ${pointer}` })
    }
    if (found.length === 0)
      judge(report, exchange, { cites: { pointer: operation.of.pointer }, message: undefined })
  },
}

function baseUrlOf({ server }: Contract, given: string | undefined): string {
  const url = given ?? server
  if (URL.canParse(url)) return baseOf(url)
  throw new TypeError(`baseUrl must be absolute, such as http://127.0.0.1:4020, got "${url}"`)
}

/** Pages and files of an app on the same host are no part of the service. */
function pathBelow(
  base: string,
  { operations, find }: Contract,
  { method, url }: { method: string; url: string },
): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { origin, pathname, search } = new URL(url)
  const path = `${origin}${pathname}`.startsWith(`${base}/`) ? `${origin}${pathname}`.slice(base.length) : ''
  const root = operations[0]?.path.split('/', 3).join('/')
  return path.startsWith(`${root}/`) || find(method, path) ? path + search : undefined
}

/** Whether a browser sent the request on its own (Fetch, "CORS-preflight request"). */
export function isPreflight(method: string, headers: Readonly<Record<string, string>>): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

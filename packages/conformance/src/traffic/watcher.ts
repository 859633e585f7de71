import type { Finding as Fault } from '@partner-payments/validator'
import { appliesTo } from '../engine/assessed.ts'
import { evidenceOf } from '../engine/evidence.ts'
import { createJudging, type Judging, questionOf } from '../engine/judging.ts'
import type { LawResult, Result } from '../engine/result.ts'
import type { Law } from '../engine/rule.ts'
import type { Contract } from '../model/contract.ts'
import { below } from '../model/document.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { Source } from '../model/own.ts'
import type { KeyPlace } from '../model/security.ts'
import { laws } from '../rules/index.ts'
import { type Exchange, parsed } from '../transport/exchange.ts'
import { createMask } from '../transport/mask.ts'
import type { Call, Reply } from '../transport/transport.ts'
import { keyPlacesOf, learnSecrets } from './secrets.ts'

/** Judges traffic that others caused. */
export interface Watcher {
  /** Judges one exchange; the path of the call begins after the base URL. */
  see(call: Call, reply: Reply): void
  result(): Result
}

export interface WatcherOptions extends Source {
  /** Base URL, as reports show it. */
  readonly url: string
  /** Whether requests are judged too. Default: true. */
  readonly requests?: boolean
  /** Whether what is wrong at one place of the contract is told for each place of the answer. Default: false. */
  readonly isEach?: boolean
}

/** What a client is held to. It is none of the laws of a service, which is sent wrong requests on purpose. */
const REQUEST_LAW = {
  id: 'request-conforms',
  phase: 'every answer',
  title: 'Every request is one that the contract describes.',
  advice: 'Send the request as the contract says; the service may refuse it otherwise.',
} satisfies Law

export function createWatcher(options: WatcherOptions): Watcher {
  const { contract, register, behaviour, url, requests = true, isEach = false } = options
  const mask = createMask()
  const keys = keyPlacesOf(contract)
  const headers = keys.flatMap((it) => (it.in === 'header' ? [it.name.toLowerCase()] : []))
  const shown = new Set([...SHOWN, ...headers])
  // Nothing was sent, so that no law can be tried again.
  const show = (exchange: Exchange) => evidenceOf(exchange, { base: url, mask, contract })
  const judging = createJudging({ contract, options: {}, register, behaviour, show, isEach })
  const every = laws.filter((law) => law.everyAnswer && appliesTo(contract, law))
  const began = Date.now()
  let count = 0

  function judgeRequest(exchange: Exchange, call: Call): void {
    for (const fault of faultsOf(contract, exchange, call)) {
      if (isKey(fault, keys)) continue
      const { contract: at, keyword: about, message, pointer, place, question } = fault
      const text = `${place} ${pointer}`.trim()
      const broken = {
        operation: exchange.view?.id,
        contract: at,
        about,
        message: `The request, ${text}: ${message}.`,
      }
      judging.judge.add(REQUEST_LAW, { ...broken, question }, () => show(exchange))
    }
  }

  function results(): LawResult[] {
    const answers = every.map((law) =>
      lawResult(law, judging.tallies.get(law.id)?.cases ?? 0, contract, judging),
    )
    return requests ? [...answers, lawResult(REQUEST_LAW, count, contract, judging)] : answers
  }

  return {
    see(call, reply) {
      count++
      const exchange = exchangeOf(contract, call, reply, shown)
      learnSecrets(mask, call, exchange.body, keys)
      judging.observe(exchange)
      if (requests) judgeRequest(exchange, call)
    },
    result() {
      const held = results()
      return {
        target: 'traffic',
        url,
        contract: { title: contract.title, version: contract.version },
        strict: false,
        seed: 0,
        shard: undefined,
        startedAt: new Date(began).toISOString(),
        ms: Date.now() - began,
        requests: count,
        cases: count,
        laws: held,
        findings: judging.judge.findings(),
        baselined: [],
        verdicts: judging.verdicts.all(held),
        coverage: judging.coverage.result(),
      }
    },
  }
}

/** The operation that a request means; a HEAD means that of the GET (RFC 9110, section 9.3.2). */
function exchangeOf(contract: Contract, call: Call, reply: Reply, shown: ReadonlySet<string>): Exchange {
  const bare = call.path.split('?', 1)[0] ?? ''
  const found = contract.validator.findOperation(call.method === 'HEAD' ? 'GET' : call.method, bare)
  const view: OperationView | undefined = found.found
    ? contract.operations.find(({ operation }) => operation === found.operation)
    : undefined
  const path = found.found ? found.parameters : {}
  // What else a client sends, as its cookies, is no business of a report.
  const headers = Object.fromEntries(Object.entries(call.headers).filter(([name]) => shown.has(name)))
  return { view, input: { path }, call: { ...call, headers }, reply, body: parsed(reply) }
}

const SHOWN = ['accept', 'authorization', 'content-type']

/** Whether what the contract is said not to mention is where it has a key sent. */
function isKey({ keyword, place, pointer }: Fault, keys: readonly KeyPlace[]): boolean {
  return keyword === 'unknown' && keys.some((it) => it.in === place && pointer === below('', it.name))
}

function faultsOf({ validator }: Contract, { view }: Exchange, call: Call): readonly Fault[] {
  const { method, headers, body } = call
  if (method === 'HEAD' && view) return []
  const [path = '', query = ''] = call.path.split(/\?(.*)/s)
  const value = body === undefined || body === '' ? {} : { body: bodyOf(body, headers['content-type']) }
  return validator.validateRequest({ method, path, query, headers, ...value }, { unknown: true })
}

function bodyOf(text: string, type = ''): unknown {
  if (!/json/i.test(type)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function lawResult(law: Law, cases: number, contract: Contract, { judge, failed }: Judging): LawResult {
  const { id, title, phase } = law
  const isBroken = judge.count(id) > 0
  const nothing = cases === 0 ? 'no answer bore on it' : undefined
  const reason = isBroken ? undefined : (failed.get(id) ?? nothing)
  const status = isBroken ? 'broken' : reason === undefined ? 'held' : 'not-assessed'
  const question = questionOf(contract, law)
  return { law: id, title, phase, question, status, reason, cases, masked: 0, ms: 0 }
}

import type { Finding as Fault } from '@partner-payments/validator'
import type { Law } from '../law.ts'
import { laws } from '../laws/index.ts'
import type { LawResult, Result } from '../result.ts'
import { appliesTo } from '../run/assessed.ts'
import type { Contract } from '../run/contract.ts'
import { createCoverage } from '../run/coverage.ts'
import { nodeOf } from '../run/document.ts'
import { evidenceOf } from '../run/evidence.ts'
import { type Exchange, parsed } from '../run/exchange.ts'
import { createJudge } from '../run/judge.ts'
import { createMask } from '../run/mask.ts'
import type { OperationView } from '../run/operation-view.ts'
import { createVerdicts, type Register } from '../run/verdicts.ts'
import type { Call, Reply } from '../run/wire.ts'

/** Judges traffic that others caused. */
export interface Watcher {
  /** Judges one exchange; the path of the call begins after the base URL. */
  see(call: Call, reply: Reply): void
  result(): Result
}

export interface WatcherOptions {
  readonly contract: Contract
  readonly register: Register
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
  const { contract, register, url, requests = true, isEach = false } = options
  const judge = createJudge()
  const mask = createMask()
  const coverage = createCoverage(contract)
  const verdicts = createVerdicts(contract, register)
  const began = Date.now()
  const cases = new Map<string, number>()
  const every = laws.filter((law) => law.everyAnswer && appliesTo(contract, law))
  let count = 0

  function judgeAnswer(exchange: Exchange): void {
    for (const law of every) {
      if (exchange.reply.status === 0 && law.id !== 'answers-come') continue
      const found = law.everyAnswer?.(exchange, contract)
      if (!found) continue
      cases.set(law.id, (cases.get(law.id) ?? 0) + 1)
      for (const it of found) {
        const about = isEach ? { about: `${it.about} ${it.message}` } : {}
        const broken = { question: law.question, ...it, ...about }
        judge.add(law, broken, () => evidenceOf(exchange, { base: url, mask, contract }))
        verdicts.contradicted(broken.question, broken.message)
      }
    }
  }

  function judgeRequest(exchange: Exchange, call: Call): void {
    for (const fault of faultsOf(contract, exchange, call)) {
      const { contract: at, keyword: about, message, pointer, place, question } = fault
      const text = `${place} ${pointer}`.trim()
      const broken = {
        operation: exchange.view?.id,
        contract: at,
        about,
        message: `The request, ${text}: ${message}.`,
      }
      judge.add(REQUEST_LAW, { ...broken, question }, () =>
        evidenceOf(exchange, { base: url, mask, contract }),
      )
    }
  }

  return {
    see(call, reply) {
      count++
      const exchange = exchangeOf(contract, call, reply)
      learn(mask, call, exchange.body)
      coverage.see(exchange)
      verdicts.see(exchange)
      judgeAnswer(exchange)
      if (!requests) return
      cases.set(REQUEST_LAW.id, count)
      judgeRequest(exchange, call)
    },
    result() {
      const held = [...every, ...(requests ? [REQUEST_LAW] : [])]
      const results = held.map((law) => lawResult(law, judge.count(law.id), cases.get(law.id) ?? 0))
      return {
        target: 'live',
        url,
        contract: { title: contract.title, version: contract.version },
        strict: false,
        seed: 0,
        shard: undefined,
        startedAt: new Date(began).toISOString(),
        ms: Date.now() - began,
        requests: count,
        cases: count,
        laws: results,
        findings: judge.findings(),
        baselined: [],
        verdicts: verdicts.all(results),
        coverage: coverage.result(),
      }
    },
  }
}

/** The operation that a request means; a HEAD means that of the GET (RFC 9110, section 9.3.2). */
function exchangeOf(contract: Contract, call: Call, reply: Reply): Exchange {
  const bare = call.path.split('?', 1)[0] ?? ''
  const found = contract.validator.findOperation(call.method === 'HEAD' ? 'GET' : call.method, bare)
  const view: OperationView | undefined = found.found
    ? contract.operations.find(({ operation }) => operation === found.operation)
    : undefined
  const path = found.found ? found.parameters : {}
  // What else a client sends, as its cookies, is no business of a report.
  const headers = Object.fromEntries(Object.entries(call.headers).filter(([name]) => SHOWN.has(name)))
  return { view, input: { path }, call: { ...call, headers }, reply, body: parsed(reply) }
}

const SHOWN = new Set(['accept', 'authorization', 'content-type'])

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

function learn(mask: ReturnType<typeof createMask>, { headers }: Call, body: unknown): void {
  const [scheme = '', secret = ''] = (headers.authorization ?? '').split(/ +/, 2)
  mask.add(secret, scheme.toLowerCase() === 'basic' ? '$CREDENTIALS' : '$TOKEN')
  for (const name of ['access_token', 'refresh_token', 'secret']) {
    const value = nodeOf(body)[name]
    if (typeof value === 'string') mask.add(value, `$${name.toUpperCase()}`)
  }
}

function lawResult({ id, title, phase, question }: Law, broken: number, cases: number): LawResult {
  const status = broken > 0 ? 'broken' : cases > 0 ? 'held' : 'not-assessed'
  const reason = status === 'not-assessed' ? 'no answer bore on it' : undefined
  return { law: id, title, phase, question, status, reason, cases, masked: 0, ms: 0 }
}

import type { Behaviour } from '@partner-payments/spec/behaviour'
import type { Contract } from '../model/contract.ts'
import { laws } from '../rules/index.ts'
import type { Exchange } from '../transport/exchange.ts'
import { isAbout, isInside } from './assessed.ts'
import { createCoverage } from './coverage.ts'
import { type Broken, createJudge, type Judged } from './judge.ts'
import type { CheckOptions } from './options.ts'
import type { Evidence } from './result.ts'
import type { Law } from './rule.ts'
import { createTally, type Tally } from './tally.ts'
import { createVerdicts, type Register } from './verdicts.ts'

export type Judging = ReturnType<typeof createJudging>

interface Means {
  readonly contract: Contract
  readonly options: Pick<CheckOptions, 'only' | 'operations' | 'shard' | 'answerWithinMs' | 'target'>
  /** The open questions of the contract. */
  readonly register: Register
  /** What the contract declares beyond one request. */
  readonly behaviour: Behaviour
  /** An exchange as reports show it. */
  readonly show: (exchange: Exchange, law: Law) => Evidence
  /** Whether what is wrong at one place of the contract is told for each place of an answer. Default: false. */
  readonly isEach?: boolean
}

/** Gathers what is seen of a service, whoever asked it: findings, verdicts on the open questions, coverage, and the cases of each law. */
export function createJudging({ contract, options, register, behaviour, show, isEach = false }: Means) {
  const judge = createJudge()
  const verdicts = createVerdicts(contract, register)
  const coverage = createCoverage(contract, options.operations)
  const every = laws.filter(
    (law) =>
      law.everyAnswer && isInside({ contract, options }, law) && !(law.stateful && options.target === 'mock'),
  )
  const failed = new Map<string, string>()
  const memory = new Map<string, unknown>()
  const tallies = new Map<string, Tally>(laws.map(({ id }) => [id, createTally()]))

  function broken(law: Law, exchange: Exchange, seen: Broken): void {
    const it = placed(contract, isEach ? { ...seen, about: `${seen.about} ${seen.message}` } : seen)
    judge.add(law, it, () => show(exchange, law))
    verdicts.contradicted(it.question, it.message)
  }

  function judgeAnswer(law: Law, exchange: Exchange): void {
    if (exchange.reply.status === 0 && law.id !== 'answers-come') return
    const found = answered(law, exchange)?.filter(({ operation }) => isAbout(options, operation))
    if (!found || !isAbout(options, exchange.view?.id)) return
    const tally = tallies.get(law.id)
    if (tally) tally.cases++
    for (const { message, ...it } of found) {
      if (message === undefined) verdicts.confirmed(it.question, law.id)
      else broken(law, exchange, { question: law.question, ...it, message })
    }
  }

  function answered(law: Law, exchange: Exchange): readonly Judged[] | undefined {
    try {
      return law.everyAnswer?.(exchange, contract, { ...options, behaviour, memory })
    } catch (error) {
      failed.set(law.id, ownFault(error))
      return undefined
    }
  }

  return {
    judge,
    verdicts,
    coverage,
    tallies,
    /** Laws that ended with a fault of their own, and what it was. */
    failed,
    broken,
    /** Whether answers are judged for themselves, so that some have to be brought about. */
    judgesEvery: every.length > 0,
    /** Holds an answer to what is asked of every one. */
    observe(exchange: Exchange): void {
      // What a sandbox has beside the service is no part of it.
      if (exchange.call.path.startsWith('/_sandbox/')) return
      coverage.see(exchange)
      verdicts.see(exchange)
      for (const law of every) judgeAnswer(law, exchange)
    },
  }
}

/** Why a law that threw is not assessed: the checker is wrong, and no word is lost on the service. */
export function ownFault(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1)
  return `it ended with a fault of its own: ${line}`
}

/** The open question that a law is about, where the contract asks it. */
export function questionOf({ questions }: Contract, { question }: Law): string | undefined {
  return question !== undefined && questions.has(question) ? question : undefined
}

/** What a law asks beside the answer that it holds a service to, another contract has not promised: it is news. */
function placed({ questions }: Contract, broken: Broken): Broken {
  const isOurs = broken.question === undefined || questions.has(broken.question)
  return isOurs ? broken : { ...broken, question: undefined, isAddition: true }
}

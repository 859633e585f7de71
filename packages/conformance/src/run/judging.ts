import type { Law } from '../law.ts'
import { laws } from '../laws/index.ts'
import { isAbout, isInside } from './assessed.ts'
import type { Contract } from './contract.ts'
import { createCoverage } from './coverage.ts'
import { evidenceOf } from './evidence.ts'
import type { Exchange } from './exchange.ts'
import { type Broken, createJudge } from './judge.ts'
import type { Mask } from './mask.ts'
import type { CheckOptions } from './options.ts'
import { ownRegister } from './own.ts'
import { createTally, type Tally } from './tally.ts'
import { createVerdicts } from './verdicts.ts'

interface Means {
  readonly contract: Contract
  readonly options: CheckOptions
  /** Where the service is, for the commands that show a finding again. */
  readonly base: URL
  readonly mask: Mask
}

/** Gathers what a run sees: findings, verdicts on the open questions, coverage, and the cases of each law. */
export async function createJudging({ contract, options, base, mask }: Means) {
  const judge = createJudge()
  const verdicts = createVerdicts(contract, options.contract ? {} : await ownRegister())
  const coverage = createCoverage(contract, options.operations)
  const every = laws.filter((law) => law.everyAnswer && isInside({ contract, options }, law))
  const failed = new Map<string, string>()
  const tallies = new Map<string, Tally>(laws.map(({ id }) => [id, createTally()]))

  function broken(law: Law, exchange: Exchange, seen: Broken): void {
    const it = placed(contract, seen)
    judge.add(law, it, () => evidenceOf(exchange, { base: base.href, mask, contract, law }))
    verdicts.contradicted(it.question, it.message)
  }

  function judgeAnswer(law: Law, exchange: Exchange): void {
    if (exchange.reply.status === 0 && law.id !== 'answers-come') return
    const found = answered(law, exchange)?.filter(({ operation }) => isAbout(options, operation))
    if (!found || !isAbout(options, exchange.view?.id)) return
    const tally = tallies.get(law.id)
    if (tally) tally.cases++
    for (const it of found) broken(law, exchange, { question: law.question, ...it })
  }

  function answered(law: Law, exchange: Exchange): readonly Broken[] | undefined {
    try {
      return law.everyAnswer?.(exchange, contract, options)
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

/** What a law asks beside the answer that it holds a service to, another contract has not promised: it is news. */
function placed({ questions }: Contract, broken: Broken): Broken {
  const isOurs = broken.question === undefined || questions.has(broken.question)
  return isOurs ? broken : { ...broken, question: undefined, isAddition: true }
}

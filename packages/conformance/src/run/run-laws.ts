import { type Law, PHASES } from '../law.ts'
import { laws as allLaws } from '../laws/index.ts'
import { isAsked, notAssessed } from './assessed.ts'
import type { OperationView } from './contract.ts'
import { becomeCustomer } from './customer.ts'
import { NotSent } from './guard.ts'
import { CONCURRENCY, makerOf, type Run } from './prepare.ts'
import { reach } from './reach.ts'
import { apart } from './refusals.ts'
import { casesOf } from './result-of.ts'
import { createScene } from './scene.ts'
import { createTally } from './tally.ts'
import { createTelling, type Telling } from './telling.ts'
import { createUndo } from './undo.ts'

/** Tries every law that was asked for, phase by phase. */
export async function runLaws(run: Run): Promise<void> {
  await reach(run)
  await run.clock.look()
  await becomeCustomer({ ...run, maker: makerOf(run, run.undo) }).catch(unlessNotSent)
  const laws = allLaws.filter((law) => isTried(run, law))
  const telling = createTelling(laws.length, () => countsOf(run), run.options.onProgress)
  try {
    await inPhases(run, laws, telling)
  } finally {
    telling.end()
  }
}

async function inPhases(run: Run, laws: readonly Law[], telling: Telling): Promise<void> {
  const tried = (law: Law) => runLaw(run, law).then(() => telling.tried(law.id))
  const waiting = Promise.all(laws.filter(waits).map(tried))
  // Where another law fails first, that is what is told.
  waiting.catch(() => undefined)
  for (const phase of PHASES) {
    const own = laws.filter((it) => it.phase === phase && !waits(it))
    if (own.length > 0) telling.enter(phase)
    // From here on, what is counted must not be disturbed.
    if (phase === 'data') await waiting
    for (const law of own) if (!run.options.signal?.aborted) await tried(law)
  }
}

function countsOf(run: Run) {
  return { requests: run.sender.count, cases: casesOf(run), findings: run.judge.findings().length }
}

/** Whether a law sends something in this run: for itself, or for the laws of every answer that are asked for. */
function isTried(run: Run, law: Law): boolean {
  const isSilent = !isAsked(law, run.options)
  if (!law.run || (isSilent && !(law.isTraffic && run.judgesEvery))) return false
  return notAssessed(run, law, isSilent) === undefined
}

function waits({ phase, waits = phase === 'deliveries' }: Law): boolean {
  return waits
}

async function runLaw(run: Run, law: Law): Promise<void> {
  const tally = run.tallies.get(law.id)
  const isSilent = !isAsked(law, run.options)
  if (!tally) return
  const undo = createUndo(run.contract, run.sender)
  const { contract, target, sender, random, policy, broken, options, identities, schemas, clock } = run
  const began = performance.now()
  const scene = createScene({
    law,
    contract,
    target,
    sender,
    maker: makerOf(run, undo),
    random,
    schemas,
    identities,
    receiver: run.receiver,
    may: policy.may,
    clock,
    timeMs: options.timeMs ?? 1_000,
    isAsked: (view: OperationView) => options.operations?.includes(view.id) ?? true,
    remember: undo.remember,
    concurrency: CONCURRENCY,
    isOver: () => options.signal?.aborted ?? false,
    onBroken: isSilent ? () => {} : broken,
    onLink: run.coverage.link,
    onKeyword: ({ contract: pointer, keyword, how, question }) => {
      run.coverage.keyword(pointer, keyword, how)
      run.verdicts.confirmed(question, law.id)
    },
    tally: isSilent ? createTally() : tally,
  })
  try {
    await apart(() => law.run?.(scene) ?? Promise.resolve())
  } catch (error) {
    if (!(error instanceof NotSent)) throw error
    // What was not sent since the run ended says nothing of the service.
    if (!options.signal?.aborted) scene.masked(error.message)
  } finally {
    // At once, since every record that is left makes what follows slower.
    await undo.all()
  }
  if (!options.signal?.aborted) run.took.set(law.id, performance.now() - began)
}

function unlessNotSent(error: unknown): void {
  if (!(error instanceof NotSent)) throw error
}

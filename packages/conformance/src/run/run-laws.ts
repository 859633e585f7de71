import { type Law, PHASES } from '../law.ts'
import { laws as allLaws } from '../laws/index.ts'
import { isAsked, notAssessed } from './assessed.ts'
import type { OperationView } from './contract.ts'
import { becomeCustomer } from './customer.ts'
import { NotSent } from './guard.ts'
import { CONCURRENCY, makerOf, type Run } from './prepare.ts'
import { reach } from './reach.ts'
import { casesOf } from './result-of.ts'
import { createScene } from './scene.ts'
import { createTally } from './tally.ts'
import { createUndo } from './undo.ts'

/** Tries every law that was asked for, phase by phase. */
export async function runLaws(run: Run): Promise<void> {
  await reach(run)
  await becomeCustomer({ ...run, maker: makerOf(run, run.undo) }).catch(unlessNotSent)
  const waiting = Promise.all(allLaws.filter(waits).map((law) => runLaw(run, law)))
  // Where another law fails first, that is what is told.
  waiting.catch(() => undefined)
  for (const phase of PHASES) {
    // From here on, what is counted must not be disturbed.
    if (phase === 'data') await waiting
    for (const law of allLaws.filter((it) => it.phase === phase && !waits(it)))
      if (!run.options.signal?.aborted) await runLaw(run, law)
  }
}

function waits({ phase, waits = phase === 'deliveries' }: Law): boolean {
  return waits
}

async function runLaw(run: Run, law: Law): Promise<void> {
  const tally = run.tallies.get(law.id)
  const isSilent = !isAsked(law, run.options)
  if (!tally || !law.run || (isSilent && !law.isTraffic) || notAssessed(run, law, isSilent) !== undefined)
    return
  if (isSilent && !run.judgesEvery) return
  const undo = createUndo(run.contract, run.sender)
  const { contract, target, sender, random, policy, broken, options, identities, schemas } = run
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
    timeMs: options.timeMs ?? 1_000,
    isAsked: (view: OperationView) => options.operations?.includes(view.id) ?? true,
    remember: undo.remember,
    concurrency: CONCURRENCY,
    isOver: () => options.signal?.aborted ?? false,
    onBroken: isSilent ? () => {} : broken,
    onLink: run.coverage.link,
    onKeyword: ({ contract: pointer, keyword, how, question }) => {
      run.coverage.keyword(pointer, keyword, how)
      run.verdicts.confirmed(question)
    },
    tally: isSilent ? createTally() : tally,
  })
  try {
    await law.run(scene)
  } catch (error) {
    if (!(error instanceof NotSent)) throw error
    scene.masked(error.message)
  } finally {
    // At once, since every record that is left makes what follows slower.
    await undo.all()
  }
  run.took.set(law.id, performance.now() - began)
  const { count } = sender
  const cases = casesOf(run)
  options.onProgress?.({
    phase: law.phase,
    law: law.id,
    requests: count,
    cases,
    findings: run.judge.findings().length,
  })
}

function unlessNotSent(error: unknown): void {
  if (!(error instanceof NotSent)) throw error
}

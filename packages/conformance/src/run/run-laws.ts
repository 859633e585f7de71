import { type Law, PHASES } from '../law.ts'
import { laws as allLaws } from '../laws/index.ts'
import { isAsked, notAssessed } from './assessed.ts'
import { becomeCustomer } from './customer.ts'
import { oneDelivery } from './deliveries.ts'
import { NotSent } from './guard.ts'
import { ownFault } from './judging.ts'
import { makerOf, type Run } from './prepare.ts'
import { reach } from './reach.ts'
import { CannotRun } from './refused-sign-in.ts'
import { casesOf } from './result-of.ts'
import { sceneOf } from './scene-of.ts'
import { createUndo } from './undo.ts'

/** Tries every law that was asked for, phase by phase. */
export async function runLaws(run: Run): Promise<void> {
  if (!(await reach(run))) return
  run.options.onReached?.()
  await isDone(run, () => becomeCustomer({ ...run, maker: makerOf(run, run.undo) }))
  await tryReceiver(run)
  const waiting = Promise.all(allLaws.filter(waits).map((law) => runLaw(run, law)))
  for (const phase of PHASES) {
    // From here on, what is counted must not be disturbed.
    if (phase === 'data') await waiting
    for (const law of allLaws.filter((it) => it.phase === phase && !waits(it)))
      if (!run.stop.signal.aborted) await runLaw(run, law)
  }
  await waiting
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
  const began = performance.now()
  const scene = sceneOf(run, { law, isSilent, undo, tally: isSilent ? { cases: 0, masked: 0 } : tally })
  const { run: tryCases } = law
  if (!(await isDone(run, () => tryCases(scene), law))) scene.masked()
  // At once, since every record that is left makes what follows slower.
  await undo.all()
  run.took.set(law.id, performance.now() - began)
  run.options.onProgress?.({
    phase: law.phase,
    law: law.id,
    requests: run.sender.count,
    cases: casesOf(run),
    findings: run.judge.findings().length,
  })
}

/** Sees whether deliveries arrive, where that is not sure; where none does, no law of deliveries is assessed. */
async function tryReceiver(run: Run): Promise<void> {
  const law = allLaws.find((it) => it.phase === 'deliveries' && notAssessed(run, it) === undefined)
  if (!law || !run.receiver?.isUntried) return
  const { receiver, undo } = run
  const scene = sceneOf(run, { law, isSilent: true, undo, tally: { cases: 0, masked: 0 } })
  let isReached = false
  await isDone(run, async () => {
    isReached = (await oneDelivery(scene))?.delivery !== undefined
  })
  if (!isReached)
    run.unreached.reason = `no delivery arrived at ${receiver.url}: perhaps the service does not reach it, or it sends none`
}

/**
 * Whether a work came to its end. What a law throws ends the law alone; where nobody can sign in any more, the run ends
 * with what it has found.
 */
async function isDone(run: Run, work: () => Promise<void>, law?: Law): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof CannotRun) run.stop.now(error.message)
    else if (law && !(error instanceof NotSent)) run.failed.set(law.id, ownFault(error))
    return false
  }
}

import { oneDelivery } from '../profiles/pix/deliveries/helpers.ts'
import { becomeCustomer } from '../rules/customer.ts'
import { laws as allLaws } from '../rules/index.ts'
import { CannotRun } from '../transport/cannot-run.ts'
import { createUndo } from '../transport/cleanup.ts'
import { isAsked, notAssessed } from './assessed.ts'
import type { Scene } from './context.ts'
import { sceneOf } from './context-of.ts'
import { ownFault } from './judging.ts'
import { makerOf, type Run } from './prepare.ts'
import { createTelling, type Telling } from './progress.ts'
import { reach } from './reach.ts'
import { casesOf } from './result-of.ts'
import { type Law, PHASES } from './rule.ts'
import { createTally } from './tally.ts'

/** Tries every law that was asked for, phase by phase. */
export async function runLaws(run: Run): Promise<void> {
  if (!(await reach(run))) return
  run.options.onReached?.()
  await run.clock.look()
  await contained(run, () => becomeCustomer({ ...run, maker: makerOf(run, run.undo) }))
  await tryReceiver(run)
  const laws = allLaws.filter((law) => isTried(run, law))
  const telling = createTelling(laws.length, () => countsOf(run), run.options.onProgress, run.stop.now)
  try {
    await inPhases(run, laws, telling)
  } finally {
    telling.end()
  }
}

async function inPhases(run: Run, laws: readonly Law[], telling: Telling): Promise<void> {
  const tried = (law: Law) => runLaw(run, law).then(() => telling.tried(law.id))
  const [untilData, untilTime] = (['data', 'time'] as const).map((phase) => {
    const all = Promise.all(laws.filter((it) => waits(it) === phase).map(tried))
    // Where another law fails first, that is what is told.
    all.catch(() => undefined)
    return all
  })
  for (const phase of PHASES) {
    const own = laws.filter((it) => it.phase === phase && !waits(it))
    if (own.length > 0) telling.enter(phase)
    // From here on, what is counted must not be disturbed.
    if (phase === 'data') await untilData
    // The clock is not moved under what still waits.
    if (phase === 'time') await untilTime
    for (const law of own) if (!run.stop.signal.aborted) await tried(law)
  }
  await Promise.all([untilData, untilTime])
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

/** The phase until which a law may wait, beside the others; undefined where it does not. */
function waits({ phase, waits = phase === 'deliveries' ? 'data' : undefined }: Law): Law['waits'] {
  return waits
}

async function runLaw(run: Run, law: Law): Promise<void> {
  const tally = run.tallies.get(law.id)
  const isSilent = !isAsked(law, run.options)
  if (!tally) return
  const undo = createUndo(run.contract, run.sender)
  const began = performance.now()
  const scene = sceneOf(run, { law, isSilent, undo, tally: isSilent ? createTally() : tally })
  await contained(run, () => tryCases(law, scene), law)
  // At once, since every record that is left makes what follows slower.
  await undo.all()
  if (!run.stop.signal.aborted) run.took.set(law.id, performance.now() - began)
}

/** What must not be sent ends a law as it ends a case; since the run ended, it says nothing of the service. */
async function tryCases(law: Law, scene: Scene): Promise<void> {
  await scene.each([law], async ({ run }) => run?.(scene))
}

/** Sees whether deliveries arrive, where that is not sure; where none does, no law of deliveries is assessed. */
async function tryReceiver(run: Run): Promise<void> {
  const law = allLaws.find((it) => it.phase === 'deliveries' && notAssessed(run, it) === undefined)
  if (!law || !run.receiver?.isUntried) return
  const { receiver, undo } = run
  const scene = sceneOf(run, { law, isSilent: true, undo, tally: createTally() })
  let isReached = false
  await contained(run, async () => {
    isReached = (await oneDelivery(scene))?.delivery !== undefined
  })
  if (!isReached)
    run.unreached.reason = `no delivery arrived at ${receiver.url}: perhaps the service does not reach it, or it sends none`
}

/** What a law throws ends the law alone; where nobody can sign in any more, the run ends with what it has found. */
async function contained(run: Run, work: () => Promise<void>, law?: Law): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof CannotRun) run.stop.now(error.message)
    else if (law) run.failed.set(law.id, ownFault(error))
  }
}

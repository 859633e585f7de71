import { setTimeout as sleep } from 'node:timers/promises'
import type { Plan, PlanContext } from '../plans/plan.ts'
import type { Session } from './session.ts'

/**
 * Runs the plans stage by stage; the plans of a stage run at the same time. After each stage, removes the
 * records that it created. Returns the paths of the records that could not be removed.
 */
export async function runPlans(session: Session, context: PlanContext): Promise<readonly string[]> {
  let leftovers: readonly string[] = []
  try {
    await runStages(session, context)
  } finally {
    leftovers = await endRun(session)
  }
  return leftovers
}

/** Signs in, and runs the plans stage by stage, until the run is ended. */
async function runStages(session: Session, context: PlanContext): Promise<void> {
  const { settings, signal, identities, clock, isSlow } = session
  // Shows whether the clock can be moved, and what time it is there.
  if (settings.target === 'sandbox') await clock.look()
  await identities.signInPartners()

  let remainingPlans: readonly Plan[] = settings.plans
  while (remainingPlans.length > 0 && !signal.aborted) {
    const stage = chooseNextStage(remainingPlans, {
      isSlow: isSlow(),
      isClockMoved: clock.isControlled,
    })
    remainingPlans = remainingPlans.filter((plan) => !stage.includes(plan))
    await runStage(stage, session, context)
  }
}

/** Runs the plans of a stage at the same time, and then removes the records that they created. */
async function runStage(
  stage: readonly Plan[],
  session: Session,
  context: PlanContext,
): Promise<void> {
  const runs = stage.map((plan) => {
    reportProgress(session, plan)
    return plan.run(context)
  })
  await Promise.all(runs)

  if (!session.signal.aborted) await context.repeatLaggingReads()
  // A service may limit records, and would attempt deliveries to every webhook that is left.
  await session.send.cleanUp()
}

/**
 * Removes what is left of the run, sets the clock of a sandbox back, and closes the receiver, each even if the
 * run has failed. Returns the paths of the records that could not be removed.
 */
async function endRun(session: Session): Promise<readonly string[]> {
  const { send, clock, receiver } = session
  try {
    // This clean-up tries again what those of the stages have left.
    const leftovers = await send.cleanUp(chooseWaitForLag(session))
    await clock.restore()
    return leftovers
  } finally {
    await receiver?.close()
  }
}

/**
 * Chooses how the run waits at its end until a service that lags must find all records. Undefined after Ctrl-C: the run
 * then lists what is not found as left. A sandbox and a mock do not lag, so there is no wait.
 */
function chooseWaitForLag({ settings, signal }: Session): (() => Promise<unknown>) | undefined {
  if (settings.target !== 'live') return async () => {}
  return signal.aborted ? undefined : () => sleep(settings.lagMs)
}

/** What decides which plans run at the same time. */
interface Circumstances {
  readonly isSlow: boolean
  readonly isClockMoved: boolean
}

/**
 * Chooses the plans to run next, all at the same time: the first one and, if it may run beside others, those
 * directly after it with the same word in `beside`, which is `waits` or `edits`.
 */
export function chooseNextStage(
  plans: readonly Plan[],
  { isSlow, isClockMoved }: Circumstances,
): readonly Plan[] {
  const [first] = plans
  if (first?.beside === undefined) return plans.slice(0, 1)

  // Plans with `edits` read no records that others change: they run together while the service is slow. Those with
  // `waits` mostly wait, unless the clock can be moved in place of that.
  const mayRunBeside = first.beside === 'edits' ? isSlow : !isClockMoved
  if (!mayRunBeside) return plans.slice(0, 1)

  const firstOther = plans.findIndex(({ beside }) => beside !== first.beside)
  return plans.slice(0, firstOther === -1 ? plans.length : firstOther)
}

/** Reports which plan begins, and how many requests and findings there are so far. */
function reportProgress({ settings, builder }: Session, plan: Plan): void {
  settings.options.onProgress?.({
    plan: plan.id,
    number: settings.plans.indexOf(plan) + 1,
    plans: settings.plans.length,
    ...builder.count(),
  })
}

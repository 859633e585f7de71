import type { Plan, PlanContext } from '../plans/plan.ts'
import type { Session } from './session.ts'

/**
 * Runs the plans stage by stage; the plans of a stage run at the same time. After each stage, removes the
 * records that it created. Returns the paths of the records that could not be removed.
 */
export async function runPlans(session: Session, context: PlanContext): Promise<readonly string[]> {
  const { settings, signal, send, identities, receiver, clock, isSlow } = session
  let leftovers: readonly string[] = []
  try {
    // Shows whether the clock can be moved, and what time it is there.
    if (settings.target === 'sandbox') await clock.look()
    await identities.signInPartners()
    let remaining: readonly Plan[] = settings.plans
    while (remaining.length > 0 && !signal.aborted) {
      const stage = chooseNextStage(remaining, {
        isSlow: isSlow(),
        isClockMoved: clock.isControlled,
      })
      remaining = remaining.filter((plan) => !stage.includes(plan))
      await Promise.all(
        stage.map((plan) => {
          reportProgress(session, plan)
          return plan.run(context)
        }),
      )
      if (!signal.aborted) await context.repeatLaggingReads()
      // A service may limit records, and would attempt deliveries to every webhook that is left.
      await send.cleanUp()
    }
  } finally {
    try {
      // The last clean-up tries again what those of the stages have left.
      leftovers = await send.cleanUp()
      await clock.restore()
    } finally {
      await receiver?.close()
    }
  }
  return leftovers
}

/** What decides which plans run at the same time. */
interface Circumstances {
  readonly isSlow: boolean
  readonly isClockMoved: boolean
}

/**
 * Chooses the plans to run next, all at the same time: the first one, and those directly after it that may
 * run beside it. Plans that mostly wait may do so if the clock cannot be moved, and plans that read no
 * records of others while the service is slow.
 */
export function chooseNextStage(
  plans: readonly Plan[],
  { isSlow, isClockMoved }: Circumstances,
): readonly Plan[] {
  const [first] = plans
  // The other plans with neighbours mostly wait.
  const mayRunBeside = first?.beside === 'edits' ? isSlow : !isClockMoved
  if (first?.beside === undefined || !mayRunBeside) return plans.slice(0, 1)

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

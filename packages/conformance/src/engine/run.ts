import { CannotRun } from '../model/errors.ts'
import { createCleanup } from '../transport/cleanup.ts'
import { isSelected, notAssessedReason } from './applicability.ts'
import { casesOf } from './build-result.ts'
import type { Context } from './context.ts'
import { createContext } from './create-context.ts'
import { internalError } from './observer.ts'
import { type Run, requestBuilderOf } from './prepare.ts'
import { createProgressReporter, type ProgressReporter } from './progress.ts'
import { reach } from './reach.ts'
import { PHASES, type Rule } from './rule.ts'
import { createTally } from './tally.ts'

export async function runRules(run: Run): Promise<void> {
  if (!(await reach(run))) return
  run.options.onReached?.()
  await run.clock.look()
  await contain(run, () => becomeCustomer(run))
  await tryReceiver(run)
  const rules = run.profile.rules.filter((rule) => isScheduled(run, rule))
  const progress = createProgressReporter(
    rules.length,
    () => countsOf(run),
    run.options.onProgress,
    run.stop.now,
  )
  try {
    await runPhases(run, rules, progress)
  } finally {
    progress.end()
  }
}

async function runPhases(run: Run, rules: readonly Rule[], progress: ProgressReporter): Promise<void> {
  const runAndReport = (rule: Rule) => runRule(run, rule).then(() => progress.tried(rule.id))
  const [beforeLists, beforeLater] = (['lists', 'later'] as const).map((phase) => {
    const all = Promise.all(rules.filter((it) => waitsUntil(it) === phase).map(runAndReport))
    // Avoids an unhandled rejection; the promise is awaited below.
    all.catch(() => undefined)
    return all
  })
  for (const phase of PHASES) {
    const own = rules.filter((it) => it.phase === phase && !waitsUntil(it))
    if (own.length > 0) progress.enter(phase)
    // Rules on lists count records, so nothing else may create any.
    if (phase === 'lists') await beforeLists
    // Waiting rules would notice if the clock moved.
    if (phase === 'later') await beforeLater
    for (const rule of own) if (!run.stop.signal.aborted) await runAndReport(rule)
  }
  await Promise.all([beforeLists, beforeLater])
}

function countsOf(run: Run) {
  return { requests: run.sender.count, cases: casesOf(run), findings: run.findingStore.findings().length }
}

/**
 * Whether a rule runs: because it is selected, or to cause traffic for selected rules that judge responses.
 */
function isScheduled(run: Run, rule: Rule): boolean {
  const isTrafficOnly = !isSelected(run, rule)
  if (!rule.run || (isTrafficOnly && !(rule.isTraffic && run.judgesResponses))) return false
  return notAssessedReason(run, rule, isTrafficOnly) === undefined
}

function waitsUntil({ phase, waits = phase === 'deliveries' ? 'lists' : undefined }: Rule): Rule['waits'] {
  return waits
}

async function runRule(run: Run, rule: Rule): Promise<void> {
  const tally = run.tallies.get(rule.id)
  const isTrafficOnly = !isSelected(run, rule)
  if (!tally) return
  const cleanup = createCleanup(run.contract, run.sender)
  const began = performance.now()
  const context = createContext(run, {
    rule,
    isTrafficOnly,
    cleanup,
    tally: isTrafficOnly ? createTally() : tally,
  })
  await contain(run, () => tryCases(rule, context), rule)
  // Leftover records would slow down later rules.
  await cleanup.removeAll()
  if (!run.stop.signal.aborted) run.took.set(rule.id, performance.now() - began)
}

/** A `NotSent` error makes the rule inconclusive, as it does with a case. */
async function tryCases(rule: Rule, context: Context): Promise<void> {
  await context.each([rule], async ({ run }) => run?.(context))
}

/** Tests once whether deliveries arrive at a public URL. If not, no rule on deliveries is assessed. */
async function tryReceiver(run: Run): Promise<void> {
  const rule = run.profile.rules.find(
    (it) => it.phase === 'deliveries' && notAssessedReason(run, it) === undefined,
  )
  if (!rule || !run.receiver?.isUntried) return
  const { receiver, cleanup } = run
  const context = createContext(run, { rule, isTrafficOnly: true, cleanup, tally: createTally() })
  let isReached = false
  await contain(run, async () => {
    isReached = await run.profile.hasDelivery(context)
  })
  if (!isReached)
    run.unreached.reason = `no delivery arrived at ${receiver.url}: the service may not reach it, or may send none`
}

/** An error ends only the rule that threw it. `CannotRun` ends the run and keeps its findings. */
async function contain(run: Run, work: () => Promise<void>, rule?: Rule): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof CannotRun) run.stop.now(error.message)
    else if (rule) run.faults.set(rule.id, internalError(error))
  }
}

async function becomeCustomer(run: Run): Promise<void> {
  const { contract, identities, sender, profile } = run
  const builder = requestBuilderOf(run, run.cleanup)
  await profile.becomeCustomer({ contract, identities, builder, send: sender.send })
}

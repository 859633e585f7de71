import type { Finding, Result } from '../src/index.ts'
import { addDays, dayAt } from '../src/model/amounts.ts'
import { isNamed, mutants } from './mutants/index.ts'
import { checkService } from './services/check.ts'
import type { Service } from './services/wrap.ts'
import { type Variation, variations } from './variations/variations.ts'

/**
 * A service that is wrong, or right though it differs from the sandbox, and what is said of it
 * wrongly.
 */
export interface Subject {
  readonly id: string
  /** Runs the checker. Returns what is wrong with its result; an empty list if it is right. */
  run(): Promise<readonly string[]>
}

/** Services that are wrong: a finding must name each. */
export const wrong: readonly Subject[] = mutants.map((mutant) => ({
  id: `${mutant.places[0]}: ${mutant.says}`,
  async run() {
    const { findings } = await checkWhole(mutant.service)
    return isNamed(mutant, findings) ? [] : ['nothing names it', ...findings.map(inWords)]
  },
}))

/**
 * Services that are right: none may get a failure, nor a verdict about a question that they do not
 * touch.
 */
export const right: readonly Subject[] = variations.map((variation) => ({
  id: variation.id,
  run: () => findMistakes(variation),
}))

/** Milliseconds after which a slow service settles a payment: longer than the run waits before it reads again. */
const SLOWLY_MS = 600

/** The same services where payments settle slowly, but for those that settle in a way of their own. */
export const rightAndSlow: readonly Subject[] = variations
  .filter(({ service }) => service.options === undefined)
  .map((variation) => {
    const service = { ...variation.service, options: { settleAfterMs: SLOWLY_MS } }
    return { id: variation.id, run: () => findMistakes({ ...variation, service }) }
  })

/** Seconds from the start of a run to midnight in Brazil. A run takes about ten. */
const SECONDS_TO_MIDNIGHT = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

/** The sandbox, with midnight in Brazil at different moments of the run. */
export const rightAtMidnight: readonly Subject[] = SECONDS_TO_MIDNIGHT.map((seconds) => ({
  id: `${seconds} s before midnight`,
  async run() {
    const midnight = Date.parse(`${addDays(dayAt(Date.now()), 1)}T03:00:00Z`)
    const service: Service = { prepare: ({ app }) => app.clock.moveTo(midnight - seconds * 1000) }
    const { findings } = await checkWhole(service)
    return findings.map(inWords)
  },
}))

/** What the checker says wrongly of a service that is right. */
async function findMistakes(variation: Variation): Promise<readonly string[]> {
  const { findings, verdicts } = await checkWhole(variation.service)
  const failing = findings.filter((finding) => isFailing(finding, variation))
  const wrongly = verdicts.filter((verdict) => isWrong(verdict, variation))
  return [
    ...failing.map(inWords),
    ...wrongly.map(({ verdict, question, seen }) => `wrongly ${verdict}: ${question}: ${seen}`),
  ]
}

/** Failures and critical findings fail a run by default. */
function isFailing({ kind, severity }: Finding, { isCritical = false }: Variation): boolean {
  if (kind === 'failure') return true
  return severity === 'critical' && !isCritical
}

function isWrong(
  { verdict, question }: Result['verdicts'][number],
  { touches, near = [] }: Variation,
): boolean {
  const isTouched = touches.includes(question)
  if (verdict === 'confirmed') return isTouched
  if (verdict === 'contradicted') return !isTouched && !near.includes(question)
  return false
}

function checkWhole(service: Service): Promise<Result> {
  const { values = {} } = service
  return checkService(service, { timeMs: 300, values })
}

function inWords({ kind, rule, operation = 'all', message }: Finding): string {
  return `${kind} ${rule}@${operation}: ${message}`
}

import type { Finding, Result } from '../src/index.ts'
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
  async run() {
    const { findings, verdicts } = await checkWhole(variation.service)
    const failing = findings.filter((finding) => isFailing(finding, variation))
    const wrongly = verdicts.filter((verdict) => isWrong(verdict, variation))
    return [
      ...failing.map(inWords),
      ...wrongly.map(({ verdict, question, seen }) => `wrongly ${verdict}: ${question}: ${seen}`),
    ]
  },
}))

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

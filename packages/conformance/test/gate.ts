import { check, createFetchTransport, type Finding, type Result } from '../src/index.ts'
import { isNamed, mutants } from './mutants/index.ts'
import { partner as credentials, other } from './service.ts'
import { openService } from './services/service.ts'
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
    const { findings } = await resultOf(mutant.service)
    return isNamed(mutant, findings) ? [] : ['nothing names it', ...findings.map(inWords)]
  },
}))

/**
 * Services that are right: none may get a failure, nor a verdict about a question that they do not
 * touch.
 */
export const right: readonly Subject[] = variations.map((variation) => ({
  id: variation.id,
  run: async () => misjudged(variation, await resultOf(variation.service)),
}))

function misjudged(
  { touches, near = [], isCritical = false }: Variation,
  result: Result,
): string[] {
  // Both fail a run by default.
  const failing = result.findings.filter(
    ({ kind, severity }) => kind === 'failure' || (severity === 'critical' && !isCritical),
  )
  const verdicts = result.verdicts.filter(({ verdict, question }) =>
    verdict === 'contradicted'
      ? ![...touches, ...near].includes(question)
      : verdict === 'confirmed' && touches.includes(question),
  )
  const wrongly = verdicts.map(
    ({ verdict, question, seen }) => `wrongly ${verdict}: ${question}: ${seen}`,
  )
  return [...failing.map(inWords), ...wrongly]
}

/** Checks a service whole. */
async function resultOf(service: Service): Promise<Result> {
  const { fetch, close } = await openService(service)
  const transport = createFetchTransport(fetch)
  const { values = {} } = service
  const run = { url: 'http://127.0.0.1', credentials, other, transport, timeMs: 300, values }
  return check({ target: 'sandbox', ...run }).finally(close)
}

function inWords({ kind, rule, operation = 'all', message }: Finding): string {
  return `${kind} ${rule}@${operation}: ${message}`
}

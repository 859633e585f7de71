import {
  CannotRun,
  type CheckOptions,
  check,
  createFetchTransport,
  type Result,
  rules,
} from '../../src/index.ts'
import { CREDENTIALS } from '../faulty/fixtures.ts'
import { openService } from './service.ts'
import type { Variation } from './variations.ts'

/** The result of the checker for a variation. Only this file uses names of the checker. */
export interface Measured {
  readonly id: string
  /** Why there was no complete run. */
  readonly ended: readonly string[]
  readonly requests: number
  readonly seconds: number
  /** Must be empty. */
  readonly failures: readonly string[]
  /** Questions that are contradicted although the variation does not affect them. */
  readonly wronglyContradicted: readonly string[]
  /** The ones of those that are `near`. */
  readonly near: readonly string[]
  /** Questions that are confirmed although the variation contradicts them. */
  readonly wronglyConfirmed: readonly string[]
  readonly notExercised: readonly string[]
  readonly notAssessed: readonly string[]
}

const DELIVERIES = 'deliveries'
const OTHERS = [...new Set(rules.map(({ phase }) => phase))].filter((phase) => phase !== DELIVERIES)

/**
 * Runs the checker on a variation, as a user would on a sandbox. Deliveries have their own run, because on a busy
 * machine they would arrive too late otherwise.
 */
export async function measure(variation: Variation): Promise<Measured> {
  const runs = [await checked(variation, OTHERS), await checked(variation, [DELIVERIES])]
  return judged(
    variation,
    runs.flatMap((it) => (typeof it === 'string' ? [] : it)),
    runs.flatMap((it) => (typeof it === 'string' ? it : (it.interrupted ?? []))),
  )
}

/** The result of a run, or why it failed. */
export async function checked({ service }: Variation, only: readonly string[]): Promise<Result | string> {
  const { fetch, close } = await openService(service)
  const options: CheckOptions = {
    url: 'http://127.0.0.1',
    target: 'sandbox',
    seed: 1,
    timeMs: 300,
    deliveryWithinMs: 20_000,
    credentials: accessOf(CREDENTIALS.partner),
    other: accessOf(CREDENTIALS.other),
    transport: createFetchTransport(fetch),
    only,
    ...(service.values && { values: service.values }),
  }
  try {
    return await check(options)
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error
    return `could not run: ${error.message}`
  } finally {
    await close()
  }
}

function accessOf([clientKey, clientSecret]: readonly [string, string]) {
  return { clientKey, clientSecret }
}

function judged(
  { id, touches, near = [] }: Variation,
  results: readonly Result[],
  ended: readonly string[],
): Measured {
  const verdicts = results.flatMap((it) => it.verdicts)
  const findings = results.flatMap((it) => it.findings)
  const assessed = results.flatMap((it) => it.rules.filter(({ isOutside }) => !isOutside))
  const saying = (wanted: string) => verdicts.filter(({ verdict }) => verdict === wanted)
  const contradicted = new Map(
    saying('contradicted').map(({ question, seen }) => [question, `${question}: ${seen}`]),
  )
  const confirmed = new Set(saying('confirmed').map(({ question }) => question))
  const others = [...contradicted].filter(([question]) => !touches.includes(question))
  const touched = touches.filter((question) => !contradicted.has(question))
  return {
    id,
    ended,
    requests: results.reduce((sum, { requests }) => sum + requests, 0),
    seconds: Math.round(results.reduce((sum, { ms }) => sum + ms, 0) / 1000),
    failures: findings
      .filter(({ kind }) => kind === 'failure')
      .map(({ rule, operation = 'all', message }) => `${rule} ${operation}: ${message}`),
    wronglyContradicted: others.flatMap(([question, text]) => (near.includes(question) ? [] : text)),
    near: others.flatMap(([question, text]) => (near.includes(question) ? text : [])),
    wronglyConfirmed: touched.filter((question) => confirmed.has(question)),
    notExercised: touched.filter((question) => !confirmed.has(question)),
    notAssessed: assessed.flatMap(({ rule, status }) => (status === 'not-assessed' ? rule : [])),
  }
}

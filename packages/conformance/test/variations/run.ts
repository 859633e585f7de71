import {
  CannotRun,
  type CheckOptions,
  check,
  createFetchTransport,
  type Result,
  rules,
} from '../../src/index.ts'
import { CREDENTIALS } from '../faulty/cast.ts'
import { openService } from './service.ts'
import type { Variation } from './variations.ts'

/** What the checker said of a variation. All that the checker calls by a name is in this file. */
export interface Measured {
  readonly id: string
  /** Why there was no run, or not to its end. */
  readonly ended: readonly string[]
  readonly requests: number
  readonly seconds: number
  /** There may be none. */
  readonly failures: readonly string[]
  /** Questions that are contradicted, though the variation does not touch them. */
  readonly wronglyContradicted: readonly string[]
  /** Of those, the ones that are `near`. */
  readonly near: readonly string[]
  /** Questions that are confirmed, though the variation contradicts them. */
  readonly wronglyConfirmed: readonly string[]
  readonly notExercised: readonly string[]
  readonly notAssessed: readonly string[]
}

const DELIVERIES = 'deliveries'
const OTHERS = [...new Set(rules.map(({ phase }) => phase))].filter((phase) => phase !== DELIVERIES)

/**
 * Runs the checker on a variation, as a user would on a sandbox. Deliveries are checked in a run of their own, since on a
 * busy machine they come too late beside everything else.
 */
export async function measure(variation: Variation): Promise<Measured> {
  const runs = [await checked(variation, OTHERS), await checked(variation, [DELIVERIES])]
  return judged(
    variation,
    runs.flatMap((it) => (typeof it === 'string' ? [] : it)),
    runs.flatMap((it) => (typeof it === 'string' ? it : (it.interrupted ?? []))),
  )
}

/** The result of a run, or why there is none. */
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

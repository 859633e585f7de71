import {
  CannotRun,
  type CheckOptions,
  check,
  createFetchTransport,
  type Result,
  rules,
} from '../../src/index.ts'
import { CREDENTIALS } from '../faulty/fixtures.ts'
import type { RunResult } from '../gate/gate.ts'
import { namedBy } from '../gate/named.ts'
import { secondsSince } from '../gate/seconds.ts'
import { openService } from './service.ts'
import type { Variation } from './variations.ts'

/** The result of the checker for a variation. */
export interface Measurement extends RunResult {
  /** Questions that are contradicted although the variation does not affect them. */
  readonly wronglyContradicted: readonly string[]
  /** The ones of those that are `near`. */
  readonly near: readonly string[]
  /** Questions that are confirmed although the variation contradicts them. */
  readonly wronglyConfirmed: readonly string[]
  readonly notExercised: readonly string[]
  readonly notAssessed: readonly string[]
  /** Each failure and each wrong contradiction, in full. */
  readonly texts: readonly string[]
}

const DELIVERIES = 'deliveries'
const OTHERS = [...new Set(rules.map(({ phase }) => phase))].filter((phase) => phase !== DELIVERIES)

/**
 * Runs the checker on a variation, as a user would on a sandbox. Deliveries have their own run, because on a busy
 * machine they would arrive too late otherwise.
 *
 * @throws {Error} if a run does not complete
 */
export async function measure(variation: Variation): Promise<Measurement> {
  const began = process.cpuUsage()
  const results = [await completed(variation, OTHERS), await completed(variation, [DELIVERIES])]
  return { ...judged(variation, results), seconds: secondsSince(began) }
}

async function completed(variation: Variation, only: readonly string[]): Promise<Result> {
  const result = await checked(variation, only)
  if (typeof result === 'string') throw new Error(result)
  if (result.interrupted) throw new Error(`the run ended early: ${result.interrupted}`)
  return result
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

function judged({ touches, near = [] }: Variation, results: readonly Result[]): Omit<Measurement, 'seconds'> {
  const verdicts = results.flatMap((it) => it.verdicts)
  const findings = results.flatMap((it) => it.findings)
  const assessed = results.flatMap((it) => it.rules.filter(({ isOutside }) => !isOutside))
  const saying = (wanted: string) =>
    new Map(verdicts.flatMap(({ question, verdict, seen }) => (verdict === wanted ? [[question, seen]] : [])))
  const [contradicted, confirmed] = [saying('contradicted'), saying('confirmed')]
  const others = [...contradicted.keys()].filter((question) => !touches.includes(question))
  const touched = touches.filter((question) => !contradicted.has(question))
  const wronglyContradicted = others.filter((question) => !near.includes(question))
  return {
    named: namedBy(findings),
    wronglyContradicted,
    near: others.filter((question) => near.includes(question)),
    wronglyConfirmed: touched.filter((question) => confirmed.has(question)),
    notExercised: touched.filter((question) => !confirmed.has(question)),
    notAssessed: assessed.flatMap(({ rule, status }) => (status === 'not-assessed' ? rule : [])),
    requests: results.reduce((sum, { requests }) => sum + requests, 0),
    texts: [
      ...findings
        .filter(({ kind }) => kind === 'failure')
        .map(({ rule, operation = 'all', message }) => `failure ${rule}@${operation}: ${message}`),
      ...wronglyContradicted.map(
        (question) => `wrongly contradicted ${question}: ${contradicted.get(question)}`,
      ),
    ],
  }
}

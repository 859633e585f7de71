import { type App, createApp } from '@partner-payments/sandbox'
import { afterAll, beforeAll } from 'vitest'
import { check } from '../../src/check.ts'
import type { CheckOptions } from '../../src/engine/check-options.ts'
import type { Result } from '../../src/engine/result.ts'
import { inProcess } from '../in-process-transport.ts'
import { broken, type Fault } from './broken.ts'

/** The status of a rule, and each finding of the run as one line: kind, rule, operation. */
export interface Outcome {
  readonly status: string | undefined
  readonly found: readonly string[]
}

export const PASSED: Outcome = { status: 'passed', found: [] }

/** All operations on a webhook and on a charge: a run reports findings only about included operations. */
export const WEBHOOKS = [
  ...['createWebhook', 'listWebhooks', 'getWebhook'],
  ...['updateWebhook', 'deleteWebhook', 'rotateWebhookSecret'],
]
export const CHARGES = ['createImmediateQrCode', 'listImmediateQrCodes', 'cancelImmediateQrCode']

/** The outcome of a rule that has nothing to judge, or whose cases were all inconclusive. */
export const NOT_ASSESSED: Outcome = { status: 'not-assessed', found: [] }

export type Options = Pick<
  CheckOptions,
  'contract' | 'target' | 'operations' | 'timeMs' | 'responseWithinMs' | 'rate'
> & {
  /** Further rules whose requests are needed. */
  readonly beside?: readonly string[]
}

/** Runs one rule against the correct sandbox, or against one with a fault in front of it. */
export function runOf(
  rule: string,
  options: Options = {},
): (fault?: Fault, operations?: Options['operations']) => Promise<Outcome> {
  const resultOf = resultsOf(rule, options)
  return async (fault, operations) => outcomeOf(rule, await resultOf(fault, operations))
}

/** As {@link runOf}, with the complete result. */
export function resultsOf(
  rule: string,
  options: Options = {},
): (fault?: Fault, operations?: Options['operations']) => Promise<Result> {
  const run = openSandbox()
  return (fault, operations = options.operations) =>
    run(rule, { ...options, ...(operations && { operations }) }, fault)
}

/** Opens one sandbox for all tests of a file. */
export function openSandbox(): (rule: string, options?: Options, fault?: Fault) => Promise<Result> {
  let sandbox: App | undefined
  beforeAll(async () => {
    // Webhooks remain where a fault hides their creation.
    sandbox = await createApp({ allowLoopback: true, limitsRates: false, maxWebhooks: 10_000 })
  })
  afterAll(() => sandbox?.close())
  return async (rule, options = {}, fault) => {
    if (!sandbox) throw new Error('the sandbox opens before the tests')
    const correct = inProcess(sandbox.fetch)
    return checked(rule, { ...options, transport: fault ? broken(correct, fault) : correct })
  }
}

export function outcomeOf(rule: string, { rules, findings }: Result): Outcome {
  const found = findings.map((it) => `${it.kind} ${it.rule} ${it.operation ?? 'all'}`)
  return { status: rules.find((it) => it.rule === rule)?.status, found: [...new Set(found)] }
}

function checked(
  rule: string,
  { beside = [], ...options }: Options & Pick<CheckOptions, 'transport'>,
): Promise<Result> {
  return check({
    url: 'http://in.process',
    target: 'sandbox',
    credentials: { clientKey: 'partner', clientSecret: 'secret' },
    other: { clientKey: 'other', clientSecret: 'secret' },
    only: [rule, ...beside],
    ...(options.target === 'live' && { rate: 10_000 }),
    ...options,
  })
}

/** The outcome of a service that breaks a rule. */
export function found(...lines: readonly string[]): Outcome {
  return { status: 'failed', found: lines }
}

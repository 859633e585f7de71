import { type App, createApp } from '@partner-payments/sandbox'
import { afterAll, beforeAll } from 'vitest'
import { check } from '../../src/check.ts'
import type { CheckOptions } from '../../src/engine/options.ts'
import type { Result } from '../../src/engine/result.ts'
import { inProcess } from '../wire.ts'
import { broken, type Fault } from './broken.ts'

/** What became of a rule, and each finding of the run as one line: kind, rule, operation. */
export interface Seen {
  readonly status: string | undefined
  readonly found: readonly string[]
}

export const HELD: Seen = { status: 'passed', found: [] }

/** All that can be done with a webhook, or a charge: what is found of an operation is told where it was asked for. */
export const WEBHOOKS = [
  ...['createWebhook', 'listWebhooks', 'getWebhook'],
  ...['updateWebhook', 'deleteWebhook', 'rotateWebhookSecret'],
]
export const CHARGES = ['createImmediateQrCode', 'listImmediateQrCodes', 'cancelImmediateQrCode']

/** What is seen of a rule that has nothing to judge, or whose cases were all masked. */
export const UNJUDGED: Seen = { status: 'not-assessed', found: [] }

type Options = Pick<
  CheckOptions,
  'contract' | 'target' | 'operations' | 'timeMs' | 'responseWithinMs' | 'rate'
> & {
  /** Rules besides, for the requests that they send. */
  readonly beside?: readonly string[]
}

/** Runs one rule against the right sandbox, or against one with a fault in front of it. */
export function runOf(
  rule: string,
  options: Options = {},
): (fault?: Fault, operations?: Options['operations']) => Promise<Seen> {
  const resultOf = resultsOf(rule, options)
  return async (fault, operations) => {
    const { rules, findings } = await resultOf(fault, operations)
    const found = findings.map((it) => `${it.kind} ${it.rule} ${it.operation ?? 'all'}`)
    return { status: rules.find((it) => it.rule === rule)?.status, found: [...new Set(found)] }
  }
}

/** As {@link runOf}, with all that a run says. */
export function resultsOf(
  rule: string,
  options: Options = {},
): (fault?: Fault, operations?: Options['operations']) => Promise<Result> {
  let sandbox: App | undefined
  beforeAll(async () => {
    sandbox = await createApp({ allowLoopback: true, limitsRates: false })
  })
  afterAll(() => sandbox?.close())
  return async (fault, operations = options.operations) => {
    if (!sandbox) throw new Error('the sandbox opens before the tests')
    const right = inProcess(sandbox.fetch)
    const transport = fault ? broken(right, fault) : right
    return checked(rule, { ...options, ...(operations && { operations }), transport })
  }
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

/** What is seen of a service that breaks a rule. */
export function found(...lines: readonly string[]): Seen {
  return { status: 'failed', found: lines }
}

import { type App, createApp } from '@partner-payments/sandbox'
import { afterAll, beforeAll } from 'vitest'
import type { RuleResult } from '../../src/engine/result.ts'
import type { HttpResponse } from '../../src/model/http.ts'
import { checkInProcess, inProcess } from '../in-process-transport.ts'
import { broken, type Fault, problem } from '../rules/broken.ts'

let sandbox: App
/** Opens a sandbox for the tests of a file. */
export function useSandbox(): void {
  beforeAll(async () => {
    sandbox = await createApp({ allowLoopback: true, limitsRates: false })
  })
  afterAll(() => sandbox.close())
}

/** Runs rules on a sandbox with changed responses for some calls. */
export async function resultsOf(
  rules: readonly string[],
  fault: Fault,
  operations?: readonly string[],
): Promise<readonly RuleResult[]> {
  const result = await checkInProcess(broken(inProcess(sandbox.fetch), fault), {
    credentials: { clientKey: 'partner', clientSecret: 'secret' },
    other: { clientKey: 'other', clientSecret: 'secret' },
    only: rules,
    ...(operations && { operations }),
  })
  return result.rules.filter(({ rule }) => rules.includes(rule))
}

/** The status of each rule. */
export async function statusOf(rules: readonly string[], fault: Fault): Promise<Record<string, string>> {
  const results = await resultsOf(rules, fault)
  return Object.fromEntries(results.map(({ rule, status }) => [rule, status]))
}

export type Call = Parameters<Fault>[0]

/** Responds to some calls with one status; 0 is no response. */
export function respondingTo(
  status: number,
  isMeant: (operation: string | undefined, call: Call) => boolean,
): Fault {
  const response: HttpResponse =
    status === 0 ? { status, headers: {}, text: 'socket hang up', ms: 0 } : problem(status)
  return async (call, next, operation) => (isMeant(operation, call) ? response : next(call))
}

/**
 * The rules that pass on a sandbox with one status for some calls, without rules that move the clock. Rules about all
 * responses are excluded, because the sign-in always has a response.
 */
export async function passedBy(
  tried: readonly string[],
  status: number,
  isMeant: Parameters<typeof respondingTo>[1],
): Promise<string[]> {
  const fault = respondingTo(
    status,
    (operation, call) => !call.path.startsWith('/_sandbox/') && isMeant(operation, call),
  )
  // Each rule has its own run, because a run ends if nothing responds.
  const held: string[] = []
  for (const rule of tried) if ((await statusOf([rule], fault))[rule] === 'passed') held.push(rule)
  return held
}

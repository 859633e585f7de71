import type { Finding } from './result.ts'
import type { Locate } from './source-location.ts'

/** What fails a run, from the strictest condition to the widest. */
export const FAIL_ON = ['critical', 'failure', 'deviation'] as const
export type FailOn = (typeof FAIL_ON)[number]

/** Options of all reports. */
export interface ReportOptions {
  /** Default: `failure`. */
  readonly failOn?: FailOn
  /** Finds source locations in the contract. */
  readonly locate?: Locate | undefined
  /** URL of the docs, without a trailing slash. */
  readonly docs?: string | undefined
  /** Builds the command that checks for a finding again. Default: none is shown. */
  readonly repeat?: ((finding: Finding) => string) | undefined
  /** Version of this package. */
  readonly version?: string
}

/** Whether a finding fails the run. A critical deviation counts as a failure. */
export function isFailing({ kind, severity }: Finding, { failOn = 'failure' }: ReportOptions): boolean {
  if (failOn === 'deviation' || severity === 'critical') return true
  return failOn === 'failure' && kind === 'failure'
}

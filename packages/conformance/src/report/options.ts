import type { Finding } from '../engine/result.ts'
import type { Locate } from './locate.ts'

/** The least severe kind of finding that fails a run. */
export const FAIL_ON = ['critical', 'failure', 'deviation'] as const
export type FailOn = (typeof FAIL_ON)[number]

/** What a report needs besides the result. */
export interface ReportOptions {
  /** Default: failure. */
  readonly failOn?: FailOn
  /** Finds the lines of the contract that findings name. */
  readonly locate?: Locate
  /** Address of the docs, without a slash at the end. */
  readonly docs?: string | undefined
  /** The command that replays a finding. Default: without flags. */
  readonly replay?: (id: string) => string
  /** The version of this package. */
  readonly version?: string
}

/** Whether a finding fails the run. A critical deviation counts like a failure. */
export function fails({ kind, severity }: Finding, { failOn = 'failure' }: ReportOptions): boolean {
  if (failOn === 'deviation' || severity === 'critical') return true
  return failOn === 'failure' && kind === 'failure'
}

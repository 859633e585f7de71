import { timestamp } from '../time.ts'

export type AttemptRow = {
  readonly event_id: string
  readonly webhook_id: string
  readonly number: bigint
  readonly at: bigint
  readonly ok: bigint
  readonly status: bigint | null
  readonly reason: string
  readonly detail: string
  readonly duration_ms: bigint
}

/**
 * A delivery attempt for display. `status` is null if no response arrived; `reason` is empty if the attempt succeeded.
 */
export function attemptOf({ number, at, ok, status, reason, detail, duration_ms }: AttemptRow) {
  return {
    number: Number(number),
    at: timestamp(at),
    ok: ok === 1n,
    status: status === null ? null : Number(status),
    reason,
    detail,
    duration_ms: Number(duration_ms),
  }
}

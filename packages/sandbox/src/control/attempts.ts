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

/** An attempt as people see it: `status` is null where no answer came, `reason` is empty where it was taken. */
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

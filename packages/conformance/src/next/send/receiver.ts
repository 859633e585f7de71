import type { RecordedDelivery } from '../history.ts'

/** What a receiver returns for a delivery: a status, with a delay or a redirect, or no response at all. */
export type DeliveryResponse =
  | number
  | { readonly status: number; readonly location?: string; readonly afterMs?: number }
  | 'broken off'

/** An endpoint for one webhook. */
export interface Inbox {
  readonly url: string
  readonly deliveries: readonly RecordedDelivery[]
  /** Waits until a delivery passes the test. Returns it; undefined if none does within `withinMs` (default: that of the run). */
  waitFor(
    test: (delivery: RecordedDelivery) => boolean,
    withinMs?: number,
  ): Promise<RecordedDelivery | undefined>
}

/** Receives deliveries during a run, and adds each to the history. */
export interface Receiver {
  /** Base URL, without a trailing slash. */
  readonly url: string
  /** Opens an inbox. Default response: 204. `count` begins with 1. */
  open(respond?: (delivery: RecordedDelivery, count: number) => DeliveryResponse): Inbox
  close(): Promise<void>
}

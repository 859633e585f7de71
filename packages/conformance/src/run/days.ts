import { nodeOf } from './document.ts'
import type { Exchange } from './exchange.ts'

const DAY = 86_400_000

/** The day in Brazil, three hours behind UTC, on which a service made a record, by its own clock. */
export function dayOf(created: Exchange | undefined): string {
  const at = Date.parse(String(nodeOf(created?.body).created_at))
  return new Date((Number.isNaN(at) ? Date.now() : at) - 3 * 3_600_000).toISOString().slice(0, 10)
}

/** So many days after a full-date. */
export function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)
}

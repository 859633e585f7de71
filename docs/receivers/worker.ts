import type { WebhookEvent } from '@partner-payments/webhooks'
import { inbox } from './inbox.ts'

type Work = (event: WebhookEvent) => Promise<void>

/**
 * One round: works once on each event that waits. One that fails, or takes longer than the limit in
 * milliseconds, waits for a later round, and stops none behind it.
 */
export async function workOff(work: Work, limit = 60_000): Promise<void> {
  try {
    for (const { id, body } of inbox.waiting()) {
      // Twice the limit: where a busy machine fires the timer late, the event is still ours alone.
      if (!inbox.begin(id, 2 * limit)) continue
      if (await succeeds(id, () => limitTime(limit, work(JSON.parse(body))))) inbox.done(id)
    }
  } catch (error) {
    console.error('the inbox failed, and with it this round of work', error)
  }
}

/** Whether an attempt resolved. Its error is logged, since the event waits for a later round. */
async function succeeds(id: string, attempt: () => Promise<void>): Promise<boolean> {
  try {
    await attempt()
    return true
  } catch (error) {
    console.error(`the work on event ${id} failed`, error)
    return false
  }
}

/** Waits for work, and rejects if it takes longer than the limit in milliseconds. */
async function limitTime(limit: number, working: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no end of the work within ${limit} ms`)), limit)
  try {
    await Promise.race([working, late])
  } finally {
    clearTimeout(timer)
  }
}

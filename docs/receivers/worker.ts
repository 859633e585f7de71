import type { WebhookEvent } from '@partner-payments/webhooks'
import { inbox } from './inbox.ts'

/** One round: works once on each event that waits. One that fails waits for the next round, and stops none behind it. */
export async function workOff(work: (event: WebhookEvent) => Promise<void>): Promise<void> {
  for (const { id, event } of inbox.waiting()) {
    inbox.begin(id)
    try {
      await work(event)
      inbox.done(id)
    } catch (error) {
      console.error(`no work was done on event ${id}`, error)
    }
  }
}

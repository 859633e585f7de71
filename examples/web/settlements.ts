import type { WebhookEvent } from '@partner-payments/client/webhooks'

/** How a transfer ended. */
export interface Settlement {
  readonly status: string
  /** Why, where it was rejected. */
  readonly rejection_message: string
}

/** How many are kept. An application keeps them with its payments, in a database. */
const MOST = 1000

/** The results of transfers, from webhooks: no operation of the service returns a transfer later. */
export function createSettlements() {
  const known = new Map<string, Settlement>()
  return {
    record({ type, data }: WebhookEvent): void {
      if (type !== 'transfer.settled' && type !== 'transfer.rejected') return
      const { id, status, rejection_message } = data
      known.set(id, { status, rejection_message })
      for (const oldest of known.keys()) if (known.size > MOST) known.delete(oldest)
    },
    /** Undefined until its webhook arrives. */
    of: (id: string): Settlement | undefined => known.get(id),
  }
}

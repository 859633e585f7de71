import { fromCentavos } from '@partner-payments/client'
import type { Handler } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Activity, Payment } from '../shared/payment.ts'
import type { Backend } from './backend.ts'

/** What the page needs of a payment. */
const COLUMNS = `id, direction, state, name, document, amount, reason, at,
  end_to_end_id, request_id, emv, image, receipt`

/** A payment, without what the page does not need. */
export function paymentOf({ database }: Backend, id: string): Payment | undefined {
  const row = database.prepare(`SELECT ${COLUMNS} FROM payments WHERE id = ?`).get(id)
  return row && withReceipt(row as unknown as Row)
}

/** A payment as the database has it. */
type Row = Omit<Payment, 'receipt'> & { readonly receipt: string | null }

function withReceipt(row: Row): Payment {
  const receipt = row.receipt === null ? null : JSON.parse(row.receipt)
  return { ...row, receipt }
}

function activityOf({ database }: Backend): Activity {
  const rows = database.prepare(NEWEST).all() as unknown as Row[]
  const totalOf = (direction: Payment['direction']) => {
    const row = database.prepare(TOTAL).get(direction)
    return fromCentavos(BigInt(`${row?.centavos}`))
  }
  return { payments: rows.map(withReceipt), paid: totalOf('out'), received: totalOf('in') }
}

const NEWEST = `SELECT ${COLUMNS} FROM payments WHERE state <> 'checked'
  ORDER BY at DESC, rowid DESC LIMIT 20`

// Without the dot, an amount with two decimals is centavos.
const TOTAL = `SELECT coalesce(sum(CAST(replace(amount, '.', '') AS INTEGER)), 0) AS centavos
  FROM payments WHERE state = 'settled' AND direction = ?`

const PAGES = 100
const HEARTBEAT_MS = 15_000

/**
 * Server-Sent Events: the activity, at once and after each change. There is no queue: a slow page
 * gets the newest when its last one has left.
 */
export function live(backend: Backend): Handler {
  const { feed } = backend
  feed.setMaxListeners(PAGES)
  return (context) => {
    if (feed.listenerCount('change') >= PAGES) return context.text('Too many pages are open.', 503)
    return streamSSE(context, async (stream) => {
      let change = Promise.withResolvers<void>()
      const wake = () => change.resolve()
      feed.on('change', wake)
      stream.onAbort(wake)
      // A comment, which browsers ignore. It keeps proxies from closing the connection.
      const heartbeat = setInterval(() => stream.write(':\n\n'), HEARTBEAT_MS)
      try {
        while (!stream.aborted) {
          // Before the state is read, so that no change is missed.
          change = Promise.withResolvers()
          await stream.writeSSE({ event: 'activity', data: JSON.stringify(activityOf(backend)) })
          await change.promise
        }
      } finally {
        clearInterval(heartbeat)
        feed.off('change', wake)
      }
    })
  }
}

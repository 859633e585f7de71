import type { Posted } from '../services/listen.ts'
import type { Relay } from '../services/sandbox.ts'
import { callerOf, rowOf, signed } from '../services/state.ts'
import type { Service } from '../services/wrap.ts'
import { createTrigger, type Mutants, relay, trigger } from './tools.ts'

/** Changes the body of each event of a type, or of all, before it is signed. */
function body(expression: string, type = '%'): Service {
  const change = `UPDATE events SET body = json_set(body, ${expression}) WHERE id = NEW.id`
  return trigger(`AFTER INSERT ON events WHEN NEW.type LIKE '${type}'`, change)
}

/** Counts the attempts per event and receiver. */
function byAttempt(
  change: (attempt: number, ...rest: Parameters<Relay>) => Promise<number>,
): Service {
  return relay((posted, send, sandbox) => {
    const key = `${posted.url} ${idOf(posted)}`
    const attempt = Number(sandbox.memory.get(key) ?? 0) + 1
    sandbox.memory.set(key, attempt)
    return change(attempt, posted, send, sandbox)
  })
}

const escaped = (it: string) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`
const idOf = ({ headers }: Posted) => headers['webhook-id']

/** Mutants of deliveries. */
export const deliveries: Mutants = {
  deliveries: {
    'For a day after a rotation, only the old secret signs.': relay((posted, send) => {
      const old = String(posted.headers['webhook-signature']?.split(' ').at(-1))
      return send({ ...posted, headers: { ...posted.headers, 'webhook-signature': old } })
    }),
    'Webhooks of type qrcode receive transfer.rejected too.': trigger(
      `AFTER INSERT ON events WHEN NEW.type = 'transfer.rejected'`,
      `INSERT INTO deliveries (event_id, webhook_id, status, due_at, lane)
          SELECT NEW.id, id, 'pending', NEW.created_at, lane FROM webhooks
          WHERE partner_id = NEW.partner_id AND type = 'qrcode' AND status = 'active' AND deleted_at IS NULL`,
    ),
    'Cancelling a cancelled code sends qrcode.cancelled again, with another id.': {
      operations: /^cancel/,
      wrap: async (call, next, sandbox) => {
        const isMeant = await callerOf(call, sandbox)
        const sql = `SELECT id FROM events WHERE type = 'qrcode.cancelled' AND record_id = ?`
        const first = isMeant && (await rowOf(sandbox, sql, call.path.id))
        if (!first) return next(call)
        const [id, now] = [`msg_${crypto.randomUUID()}`, sandbox.app.clock.now()]
        const event = `INSERT INTO events (id, partner_id, type, record_id, body, created_at)
          SELECT ?, partner_id, type, record_id, body, ? FROM events WHERE id = ?`
        const deliveries = `INSERT INTO deliveries (event_id, webhook_id, status, due_at, lane)
          SELECT ?, webhook_id, 'pending', ?, lane FROM deliveries WHERE event_id = ?`
        for (const insert of [event, deliveries]) await sandbox.run(insert, id, now, first.id)
        return next(call)
      },
    },
    'timestamp of an event is in the time of Brasília, with a Z.': body(
      `'$.timestamp', strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0 - 10800, 'unixepoch')`,
    ),
    'transfer.rejected has an empty rejection_message.': body(
      `'$.data.rejection_message', ''`,
      'transfer.rejected',
    ),
    'A delivery that gets a 4xx is not tried again.': relay(async (posted, send) => {
      const status = await send(posted)
      return status >= 400 && status < 500 ? 200 : status
    }),
    'A delivery that is tried again has another webhook-id.': byAttempt(
      async (attempt, posted, send, sandbox) =>
        send(
          attempt > 1 ? await signed(sandbox, posted, { id: `${idOf(posted)}${attempt}` }) : posted,
        ),
    ),
    'Each event is sent twice, each time with an id of its own.': relay(
      async (posted, send, sandbox) => {
        const status = await send(posted)
        if (status < 300)
          await send(
            await signed(sandbox, posted, { id: `msg_again${String(idOf(posted)).slice(4)}` }),
          )
        return status
      },
    ),
    'A delivery that is tried again carries no signature.': byAttempt(
      async (attempt, posted, send) => {
        const { 'webhook-signature': signature, ...headers } = posted.headers
        return send(attempt > 1 || !signature ? { ...posted, headers } : posted)
      },
    ),
    'The body is signed, then written in ASCII.': relay((posted, send) =>
      send({ ...posted, body: posted.body.replaceAll(/[^\0-\x7f]/g, escaped) }),
    ),
    'qrcode.paid carries the charge as it was before: ATIVA, with its old revision.': body(
      `'$.data.status', 'ATIVA', '$.data.revision', 0, '$.data.updated_at', body ->> '$.data.created_at'`,
      'qrcode.paid',
    ),
    'The old secret no longer signs once the secret was regenerated.': trigger(
      'AFTER UPDATE OF secret ON webhooks',
      'UPDATE webhooks SET old_secret = NULL WHERE id = NEW.id',
    ),
    'The old secret signs for a year after a regeneration.': trigger(
      'AFTER UPDATE OF secret ON webhooks',
      'UPDATE webhooks SET old_secret_until = old_secret_until + 31536000000 WHERE id = NEW.id',
    ),
    'Deliveries go on to the url that a webhook had first: the update does not reach the sender.': {
      prepare: async (sandbox) => {
        await sandbox.run('CREATE TABLE first_urls (id TEXT PRIMARY KEY, url TEXT)')
        await sandbox.run(
          createTrigger(
            'AFTER INSERT ON webhooks',
            'INSERT INTO first_urls VALUES (NEW.id, NEW.url)',
          ),
        )
      },
      relay: async (posted, send, sandbox) => {
        const sql = `SELECT f.url FROM webhooks w JOIN first_urls f ON f.id = w.id WHERE w.url = ? AND f.url <> w.url`
        const row = await rowOf(sandbox, sql, posted.url)
        return send({ ...posted, url: String(row?.url ?? posted.url) })
      },
    },
  },
}

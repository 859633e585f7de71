import type { Posted } from '../services/listen.ts'
import type { Relay } from '../services/sandbox.ts'
import { callerOf, rowOf, signed } from '../services/state.ts'
import type { Service } from '../services/wrap.ts'
import { createTrigger, eventBody, type Mutant, relay, trigger } from './tools.ts'

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

/** The escape of JSON for a character, in ASCII. */
function escaped(character: string): string {
  const hex = character.charCodeAt(0).toString(16)
  return `\\u${hex.padStart(4, '0')}`
}

function idOf({ headers }: Posted): string {
  return String(headers['webhook-id'])
}

/** Mutants of deliveries. */
export const deliveries: readonly Mutant[] = [
  {
    says: 'For a day after a rotation, only the old secret signs.',
    places: ['deliveries'],
    service: relay((posted, send) => {
      const old = String(posted.headers['webhook-signature']?.split(' ').at(-1))
      return send({ ...posted, headers: { ...posted.headers, 'webhook-signature': old } })
    }),
  },
  {
    says: 'Webhooks of type qrcode receive transfer.rejected too.',
    places: ['deliveries'],
    service: trigger(
      `AFTER INSERT ON events WHEN NEW.type = 'transfer.rejected'`,
      `INSERT INTO deliveries (event_id, webhook_id, status, due_at, lane)
        SELECT NEW.id, id, 'pending', NEW.created_at, lane FROM webhooks
        WHERE partner_id = NEW.partner_id AND type = 'qrcode'
          AND status = 'active' AND deleted_at IS NULL`,
    ),
  },
  {
    says: 'Cancelling a cancelled code sends qrcode.cancelled again, with another id.',
    places: ['deliveries'],
    service: {
      operations: new Set(['cancelImmediateQrCode', 'cancelDueDateQrCode']),
      async wrap(call, next, sandbox) {
        const caller = await callerOf(call, sandbox)
        if (!caller) return next(call)
        const sql = `SELECT id FROM events WHERE type = 'qrcode.cancelled' AND record_id = ?`
        const first = await rowOf(sandbox, sql, call.path.id)
        if (!first) return next(call)

        const id = `msg_${crypto.randomUUID()}`
        const now = sandbox.app.clock.now()
        const copyEvent = `INSERT INTO events (id, partner_id, type, record_id, body, created_at)
          SELECT ?, partner_id, type, record_id, body, ? FROM events WHERE id = ?`
        const copyDeliveries = `INSERT INTO deliveries (event_id, webhook_id, status, due_at, lane)
          SELECT ?, webhook_id, 'pending', ?, lane FROM deliveries WHERE event_id = ?`
        await sandbox.run(copyEvent, id, now, first.id)
        await sandbox.run(copyDeliveries, id, now, first.id)
        return next(call)
      },
    },
  },
  {
    says: 'timestamp of an event is in the time of Brasília, with a Z.',
    places: ['deliveries'],
    service: eventBody(
      `'$.timestamp', strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0 - 10800, 'unixepoch')`,
    ),
  },
  {
    says: 'transfer.rejected has an empty rejection_message.',
    places: ['deliveries'],
    service: eventBody(`'$.data.rejection_message', ''`, 'transfer.rejected'),
  },
  {
    says: 'A delivery that gets a 4xx is not tried again.',
    places: ['deliveries'],
    service: relay(async (posted, send) => {
      const status = await send(posted)
      const isRefused = status >= 400 && status < 500
      return isRefused ? 200 : status
    }),
  },
  {
    says: 'A delivery that is tried again has another webhook-id.',
    places: ['deliveries'],
    service: byAttempt(async (attempt, posted, send, sandbox) => {
      if (attempt === 1) return send(posted)
      const id = `${idOf(posted)}${attempt}`
      return send(await signed(sandbox, posted, { id }))
    }),
  },
  {
    says: 'Each event is sent twice, each time with an id of its own.',
    places: ['deliveries'],
    service: relay(async (posted, send, sandbox) => {
      const status = await send(posted)
      if (status >= 300) return status
      const id = idOf(posted).replace('msg_', 'msg_again')
      await send(await signed(sandbox, posted, { id }))
      return status
    }),
  },
  {
    says: 'A delivery that is tried again carries no signature.',
    places: ['deliveries'],
    service: byAttempt(async (attempt, posted, send) => {
      const { 'webhook-signature': signature, ...headers } = posted.headers
      const isSigned = attempt === 1 && signature
      return send(isSigned ? posted : { ...posted, headers })
    }),
  },
  {
    says: 'The body is signed, then written in ASCII.',
    places: ['deliveries'],
    service: relay((posted, send) => {
      const body = posted.body.replaceAll(/[^\0-\x7f]/g, escaped)
      return send({ ...posted, body })
    }),
  },
  {
    says: 'qrcode.paid carries the charge as it was before: ATIVA, with its old revision.',
    places: ['deliveries'],
    service: eventBody(
      `'$.data.status', 'ATIVA',
        '$.data.revision', 0,
        '$.data.updated_at', body ->> '$.data.created_at'`,
      'qrcode.paid',
    ),
  },
  {
    says: 'The old secret no longer signs once the secret was regenerated.',
    places: ['deliveries'],
    service: trigger(
      'AFTER UPDATE OF secret ON webhooks',
      'UPDATE webhooks SET old_secret = NULL WHERE id = NEW.id',
    ),
  },
  {
    says: 'The old secret signs for a year after a regeneration.',
    places: ['deliveries'],
    service: trigger(
      'AFTER UPDATE OF secret ON webhooks',
      'UPDATE webhooks SET old_secret_until = old_secret_until + 31536000000 WHERE id = NEW.id',
    ),
  },
  {
    says: 'Deliveries go on to the url that a webhook had first: the update does not reach the sender.',
    places: ['deliveries'],
    service: {
      async prepare({ run }) {
        await run('CREATE TABLE first_urls (id TEXT PRIMARY KEY, url TEXT)')
        const remember = 'INSERT INTO first_urls VALUES (NEW.id, NEW.url)'
        await run(createTrigger('AFTER INSERT ON webhooks', remember))
      },
      async relay(posted, send, sandbox) {
        const sql = `SELECT f.url FROM webhooks w JOIN first_urls f ON f.id = w.id
          WHERE w.url = ? AND f.url <> w.url`
        const row = await rowOf(sandbox, sql, posted.url)
        return send({ ...posted, url: String(row?.url ?? posted.url) })
      },
    },
  },
]

import { verify } from '@partner-payments/webhooks'
import type { Posted } from '../../faulty/relay.ts'
import type { Relay } from '../../faulty/sandbox.ts'
import { after } from '../../faulty/wrap.ts'
import type { Mutants } from '../mutant.ts'
import type { Inbox, Stage } from '../stage.ts'
import { remembering, rowOf, signed } from '../tools.ts'
import { IMMEDIATE, immediate, payCode, payKey } from './orders.ts'

/** Changes the body of each event before it is signed. */
function body(expression: string, when: string): string[] {
  return [
    `CREATE TRIGGER mutant AFTER INSERT ON events WHEN ${when} BEGIN
      UPDATE events SET body = ${expression} WHERE id = NEW.id; END`,
  ]
}

/** Delivers an event to additional webhooks. */
function also(webhooks: string, when: string): string[] {
  return [
    `CREATE TRIGGER mutant AFTER INSERT ON events WHEN ${when} BEGIN
      INSERT OR IGNORE INTO deliveries (event_id, webhook_id, status, due_at)
      SELECT NEW.id, w.id, 'pending', NEW.created_at FROM webhooks w
      WHERE w.status = 'active' AND w.deleted_at IS NULL AND ${webhooks}; END`,
  ]
}

/** Counts the attempts per event and receiver. */
function byAttempt(
  change: (posted: Posted, attempt: number, ...rest: Parameters<Relay>) => Promise<number>,
): Relay {
  const attempts = new Map<string, number>()
  return (posted, ...rest) => {
    const key = `${posted.url} ${posted.headers['webhook-id']}`
    attempts.set(key, (attempts.get(key) ?? 0) + 1)
    return change(posted, attempts.get(key) ?? 1, posted, ...rest)
  }
}

const typeOf = (posted: Posted) => String(JSON.parse(posted.body).type)
const _dataOf = (posted: Posted) => JSON.parse(posted.body).data
const idOf = ({ headers }: Posted) => headers['webhook-id']

/** The deliveries of a webhook after a customer has paid a charge of the partner. */
async function _paid(stage: Stage, type = 'all', statuses: readonly number[] = [200]): Promise<Inbox> {
  const inbox = await stage.receive(stage.partner, type, statuses)
  const { emv } = (await stage.partner(IMMEDIATE, immediate())).body
  await payCode(stage.customer, emv, '35.90')
  await stage.wait(10)
  return inbox
}

/** How many of the deliveries have no valid signature. */
async function _unsigned({ posted, secret }: Inbox): Promise<number> {
  const outcomes = await Promise.allSettled(
    posted.map(({ body: text, headers }) => {
      const now = () => Number(headers['webhook-timestamp']) * 1000
      return verify(text, new Headers(headers), secret, { now })
    }),
  )
  return outcomes.filter(({ status }) => status === 'rejected').length
}

export const deliveries: Mutants = {
  'delivery-new-id-for-each-attempt': {
    describe: 'A delivery that is tried again has another webhook-id.',
    operation: 'deliveries',
    expects: 'webhook-id of the second attempt differs from that of the first.',
    relay: byAttempt(async (posted, attempt, _, send, sandbox) =>
      send(attempt > 1 ? await signed(sandbox, posted, { id: `${idOf(posted)}${attempt}` }) : posted),
    ),
  },
  'delivery-twice-with-two-ids': {
    describe: 'Each event is sent twice, each time with an id of its own.',
    operation: 'deliveries',
    expects: 'An event arrives twice with two webhook-id.',
    relay: async (posted, send, sandbox) => {
      const status = await send(posted)
      if (status < 300)
        await send(await signed(sandbox, posted, { id: `msg_again${String(idOf(posted)).slice(4)}` }))
      return status
    },
  },
  'delivery-unsigned-when-tried-again': {
    describe: 'A delivery that is tried again carries no signature.',
    operation: 'deliveries',
    expects: 'webhook-signature is missing from the second attempt.',
    relay: byAttempt(async (posted, attempt, _, send) => {
      const { 'webhook-signature': signature, ...headers } = posted.headers
      return send(attempt > 1 || !signature ? { ...posted, headers } : posted)
    }),
  },
  'delivery-signed-before-escaping': {
    describe: 'The body is signed, then written anew in ASCII: with accents in it, the signature is wrong.',
    operation: 'deliveries',
    expects: 'The signature of a delivery is wrong whose data has accents (Almoço).',
    relay: (posted, send) =>
      send({
        ...posted,
        body: posted.body.replaceAll(
          /[^\0-\x7f]/g,
          (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`,
        ),
      }),
  },
  'delivery-of-the-charge-before-payment': {
    describe: 'qrcode.paid carries the charge as it was before: ATIVA, with its old revision.',
    operation: 'deliveries',
    expects: 'data.status of qrcode.paid must be CONCLUIDA.',
    state: body(
      `json_set(body, '$.data.status', 'ATIVA', '$.data.revision', 0, '$.data.updated_at', json_extract(body, '$.data.created_at'))`,
      `NEW.type = 'qrcode.paid'`,
    ),
  },
  'delivery-timestamp-of-the-first-attempt': {
    describe:
      'Every attempt carries the time of the first one, so that later attempts are refused as too old.',
    operation: 'deliveries',
    expects: 'webhook-timestamp of an attempt minutes later is that of the first attempt.',
    relay: (() => {
      const times = new Map<unknown, number>()
      return async (posted, send, sandbox) => {
        const at = times.get(idOf(posted)) ?? Number(posted.headers['webhook-timestamp']) * 1000
        times.set(idOf(posted), at)
        return send(await signed(sandbox, posted, { at }))
      }
    })(),
  },
  'delivery-not-again-after-400': {
    describe: 'A receiver that responds 400 to 499 is not tried again.',
    operation: 'deliveries',
    expects: 'A delivery that a receiver refused with 4xx is not tried again.',
    relay: async (posted, send) => {
      const status = await send(posted)
      return status >= 400 && status < 500 ? 200 : status
    },
  },
  'delivery-redirect-is-success': {
    describe: 'A receiver that responds with a redirect is taken to have the event.',
    operation: 'deliveries',
    expects: 'A delivery with a 3xx response is not retried.',
    relay: async (posted, send) => {
      const status = await send(posted)
      return status >= 300 && status < 400 ? 200 : status
    },
  },
  'delivery-of-cancellations-to-transfer': {
    describe: 'Webhooks of type transfer get qrcode.cancelled too.',
    operation: 'deliveries',
    expects: 'A webhook of type transfer receives qrcode.cancelled.',
    state: also(`w.type = 'transfer' AND w.partner_id = NEW.partner_id`, `NEW.type = 'qrcode.cancelled'`),
  },
  'delivery-of-transfers-to-the-payee': {
    describe:
      'transfer.settled is delivered to the partner who was paid as well, with the data of the payer.',
    operation: 'deliveries',
    expects: 'A partner receives transfer.settled of a transfer that another partner sent.',
    state: also(
      `w.type IN ('all', 'transfer') AND w.partner_id <> NEW.partner_id AND w.partner_id = (SELECT p.id FROM transfers t JOIN partners p ON p.account_id = t.payee_id WHERE t.id = NEW.record_id)`,
      `NEW.type = 'transfer.settled'`,
    ),
    shows: async (stage) => {
      const { posted } = await stage.receive(stage.other, 'transfer')
      await payKey(stage.partner, {}, '7d9f0335-8dcc-4054-9bf9-0dbd61d36906')
      await stage.wait(10)
      return posted.map(typeOf)
    },
  },
  'delivery-of-rejections-as-settled': {
    describe: 'A rejected transfer is delivered as transfer.settled.',
    operation: 'deliveries',
    expects: 'A rejected transfer is delivered as transfer.settled.',
    state: body(`json_set(body, '$.type', 'transfer.settled')`, `NEW.type = 'transfer.rejected'`),
  },
  'delivery-not-for-customers': {
    describe: 'Transfers that the partner sends for a customer are not delivered.',
    operation: 'deliveries',
    expects: 'No transfer.settled arrives for a transfer with an impersonated token.',
    state: [
      `CREATE TRIGGER mutant AFTER INSERT ON deliveries
        WHEN EXISTS (SELECT 1 FROM events e JOIN transfers t ON t.id = e.record_id JOIN customers c ON c.account_id = t.account_id
          WHERE e.id = NEW.event_id) BEGIN
        DELETE FROM deliveries WHERE position = NEW.position; END`,
    ],
  },
  'delivery-old-secret-ends-at-once': {
    describe: 'The old secret no longer signs once the secret was regenerated.',
    operation: 'deliveries',
    also: ['rotateWebhookSecret'],
    expects: 'A delivery right after rotateWebhookSecret is not signed with the old secret.',
    service: after('rotateWebhookSecret', async ({ id }, _, sandbox) =>
      sandbox.run('UPDATE webhooks SET old_secret = NULL WHERE id = ?', [String(id)]),
    ),
  },
  'delivery-old-secret-never-ends': {
    describe: 'The old secret signs for a year after a regeneration.',
    operation: 'deliveries',
    also: ['rotateWebhookSecret'],
    expects: 'A delivery more than 24 hours after rotateWebhookSecret is still signed with the old secret.',
    service: after('rotateWebhookSecret', async ({ id }, _, sandbox) =>
      sandbox.run('UPDATE webhooks SET old_secret_until = old_secret_until + 31536000000 WHERE id = ?', [
        String(id),
      ]),
    ),
  },
  'delivery-again-when-cancelled-again': {
    describe: 'Cancelling a cancelled charge sends qrcode.cancelled again.',
    operation: 'deliveries',
    also: ['cancelImmediateQrCode'],
    expects: 'qrcode.cancelled arrives twice for one charge that was cancelled twice.',
    service: remembering(
      () => new Set<unknown>(),
      async (cancelled, call, next, sandbox) => {
        const response = await next(call)
        const id =
          call.operation === 'cancelImmediateQrCode' && response.ok ? (call.path.id ?? '') : undefined
        if (id === undefined) return response
        if (cancelled.has(id)) await again(sandbox, id)
        cancelled.add(id)
        return response
      },
    ),
  },
  'delivery-of-what-came-while-inactive': {
    describe: 'A webhook that is made active again gets the events of the time when it was inactive.',
    operation: 'deliveries',
    also: ['updateWebhook'],
    expects: 'Events that happened while a webhook was inactive arrive once it is active.',
    service: (sandbox) => async (call, next) => {
      const id = call.operation === 'updateWebhook' ? (call.path.webhook_id ?? '') : ''
      const row = await rowOf<{ status: string; updated_at: bigint; partner_id: string }>(
        sandbox,
        'SELECT status, updated_at, partner_id FROM webhooks WHERE id = ?',
        [id],
      )
      const response = await next(call)
      if (!response.ok || row?.status !== 'inactive' || call.json?.status !== 'active') return response
      const sql = `INSERT OR IGNORE INTO deliveries (event_id, webhook_id, status, due_at)
        SELECT id, ?, 'pending', ? FROM events WHERE partner_id = ? AND created_at >= ?`
      await sandbox.run(sql, [id, sandbox.app.clock.now(), row.partner_id, row.updated_at])
      sandbox.app.worker.poke()
      return response
    },
    shows: async (stage) => {
      const { id, url, posted } = await stage.receive(stage.partner)
      const update = (status: string) =>
        stage.partner(`PATCH /partner/webhook/${id}`, { status, type: 'all', url })
      await update('inactive')
      await payKey(stage.partner)
      await stage.wait(10)
      await update('active')
      await stage.wait(10)
      return posted.length
    },
  },
  'delivery-settled-at-empty': {
    describe: 'settled_at of transfer.settled is empty: the event is written before the time is.',
    operation: 'deliveries',
    expects: 'data.settled_at of transfer.settled must be filled.',
    state: body(`json_set(body, '$.data.settled_at', '')`, `NEW.type = 'transfer.settled'`),
  },
  'delivery-of-another-amount': {
    describe: 'data.amount of transfer.settled lacks its centavos: 35.90 is delivered as 35.',
    operation: 'deliveries',
    expects: 'data.amount of transfer.settled differs from that of the transfer.',
    state: body(
      `json_set(body, '$.data.amount', CAST(CAST(json_extract(body, '$.data.amount') AS INTEGER) AS TEXT))`,
      `NEW.type = 'transfer.settled'`,
    ),
  },
  'delivery-as-a-form': {
    describe: 'Deliveries say that they are application/x-www-form-urlencoded.',
    operation: 'deliveries',
    expects: 'content-type of a delivery must be application/json.',
    relay: (posted, send) =>
      send({
        ...posted,
        headers: { ...posted.headers, 'content-type': 'application/x-www-form-urlencoded' },
      }),
  },
  'delivery-to-the-url-before': {
    describe: 'Deliveries go on to the url that a webhook had first: the update does not reach the sender.',
    operation: 'deliveries',
    also: ['updateWebhook'],
    expects: 'After updateWebhook deliveries go to the old url.',
    state: [
      'CREATE TABLE first_urls (id TEXT PRIMARY KEY, url TEXT)',
      'CREATE TRIGGER mutant AFTER INSERT ON webhooks BEGIN INSERT INTO first_urls VALUES (NEW.id, NEW.url); END',
    ],
    relay: async (posted, send, sandbox) => {
      const sql = `SELECT f.url FROM webhooks w JOIN first_urls f ON f.id = w.id WHERE w.url = ? AND f.url <> w.url`
      const row = await rowOf<{ url: string }>(sandbox, sql, [posted.url])
      return send({ ...posted, url: row?.url ?? posted.url })
    },
  },
  'delivery-without-tx-id': {
    describe:
      'transfer.settled lacks the tx_id of the code that was paid; the response to the transfer had it.',
    operation: 'deliveries',
    expects: 'data.tx_id of transfer.settled is empty for a dynamic code.',
    state: body(`json_set(body, '$.data.tx_id', '')`, `NEW.type = 'transfer.settled'`),
  },
}

/** Delivers the last event of a record again, as a new event. */
async function again(sandbox: Stage['sandbox'], record: string): Promise<void> {
  const id = `msg_${crypto.randomUUID().replaceAll('-', '').slice(0, 22)}`
  const source = '(SELECT id FROM events WHERE record_id = ? ORDER BY position DESC LIMIT 1)'
  await sandbox.run(
    `INSERT INTO events (id, partner_id, type, record_id, body, created_at)
     SELECT ?, partner_id, type, record_id, body, created_at FROM events WHERE id = ${source}`,
    [id, record],
  )
  await sandbox.run(
    `INSERT INTO deliveries (event_id, webhook_id, status, due_at)
     SELECT ?, w.id, 'pending', ? FROM webhooks w JOIN events e ON e.id = ? AND e.partner_id = w.partner_id
     WHERE w.status = 'active' AND w.deleted_at IS NULL AND w.type IN ('all', 'qrcode')`,
    [id, sandbox.app.clock.now(), id],
  )
  sandbox.app.worker.poke()
}

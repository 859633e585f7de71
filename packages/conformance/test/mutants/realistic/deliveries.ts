import type { Posted } from '../../services/relay.ts'
import type { Relay } from '../../services/sandbox.ts'
import { after } from '../../services/wrap.ts'
import type { Mutants } from '../mutant.ts'
import { rowOf, signed } from '../tools.ts'

/** Changes the body of each event before it is signed. */
function body(expression: string, when: string): string[] {
  return [
    `CREATE TRIGGER mutant AFTER INSERT ON events WHEN ${when} BEGIN
      UPDATE events SET body = ${expression} WHERE id = NEW.id; END`,
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

const idOf = ({ headers }: Posted) => headers['webhook-id']

export const deliveries: Mutants = {
  'delivery-new-id-for-each-attempt': {
    describe: 'A delivery that is tried again has another webhook-id.',
    operation: 'deliveries',
    relay: byAttempt(async (posted, attempt, _, send, sandbox) =>
      send(attempt > 1 ? await signed(sandbox, posted, { id: `${idOf(posted)}${attempt}` }) : posted),
    ),
  },
  'delivery-twice-with-two-ids': {
    describe: 'Each event is sent twice, each time with an id of its own.',
    operation: 'deliveries',
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
    relay: byAttempt(async (posted, attempt, _, send) => {
      const { 'webhook-signature': signature, ...headers } = posted.headers
      return send(attempt > 1 || !signature ? { ...posted, headers } : posted)
    }),
  },
  'delivery-signed-before-escaping': {
    describe: 'The body is signed, then written anew in ASCII: with accents in it, the signature is wrong.',
    operation: 'deliveries',
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
    state: body(
      `json_set(body, '$.data.status', 'ATIVA', '$.data.revision', 0, '$.data.updated_at', json_extract(body, '$.data.created_at'))`,
      `NEW.type = 'qrcode.paid'`,
    ),
  },
  'delivery-old-secret-ends-at-once': {
    describe: 'The old secret no longer signs once the secret was regenerated.',
    operation: 'deliveries',
    also: ['rotateWebhookSecret'],
    service: after('rotateWebhookSecret', async ({ id }, _, sandbox) =>
      sandbox.run('UPDATE webhooks SET old_secret = NULL WHERE id = ?', [String(id)]),
    ),
  },
  'delivery-old-secret-never-ends': {
    describe: 'The old secret signs for a year after a regeneration.',
    operation: 'deliveries',
    also: ['rotateWebhookSecret'],
    service: after('rotateWebhookSecret', async ({ id }, _, sandbox) =>
      sandbox.run('UPDATE webhooks SET old_secret_until = old_secret_until + 31536000000 WHERE id = ?', [
        String(id),
      ]),
    ),
  },
  'delivery-to-the-url-before': {
    describe: 'Deliveries go on to the url that a webhook had first: the update does not reach the sender.',
    operation: 'deliveries',
    also: ['updateWebhook'],
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
}

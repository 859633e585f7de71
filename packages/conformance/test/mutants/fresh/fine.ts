import { sign } from '@partner-payments/webhooks'
import { by, keepsContract } from '../../services/call.ts'
import { change } from '../../services/json.ts'
import { bodyOf, problem, remade, withJson } from '../../services/responses.ts'
import { asOwner } from '../../services/wrap.ts'
import type { Mutant, Mutants } from '../mutant.ts'
import {
  callerOf,
  centavosOf,
  chargeOf,
  isRefused,
  jsonOf,
  listOf,
  remembering,
  rowOf,
  todayOf,
  withMore,
} from '../tools.ts'

/** Operations that take a token. */
const WITH_TOKEN: Mutant['also'] = [
  'impersonate',
  'checkCode',
  'checkKey',
  'createTransfer',
  'listDueDateQrCodes',
  'createDueDateQrCode',
  'cancelDueDateQrCode',
  'listImmediateQrCodes',
  'createImmediateQrCode',
  'cancelImmediateQrCode',
  'createStaticQrCode',
  'listUsers',
  'getUser',
  'createWebhook',
  'listWebhooks',
  'getWebhook',
  'updateWebhook',
  'rotateWebhookSecret',
  'deleteWebhook',
]

const CANCELLED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'

/** Small bugs, spread over all operations and deliveries. */
export const fine: Mutants = {
  'client-key-in-any-case': {
    describe: 'The client key is compared without regard to capitals.',
    operation: 'signIn',
    call: (call) => {
      const [, encoded] = /^basic +(.+)$/i.exec(call.headers.get('authorization') ?? '') ?? []
      if (!encoded) return call
      const text = Buffer.from(encoded, 'base64').toString()
      const folded = text.replace(/^[^:]*/, (key) => key.toLowerCase())
      return by(call, `Basic ${Buffer.from(folded).toString('base64')}`)
    },
  },
  'token-lives-a-minute-more': {
    describe: 'A token works for a minute after its expiration.',
    operation: 'signIn',
    also: WITH_TOKEN,
    state: [
      `CREATE TRIGGER mutant AFTER INSERT ON tokens BEGIN
        UPDATE tokens SET expires_at = expires_at + 60000 WHERE hash = NEW.hash; END`,
    ],
  },
  'fine-rounded-to-the-nearest': {
    describe: 'A fine in percent is rounded to the nearest centavo.',
    operation: 'checkCode',
    also: ['createTransfer'],
    success: async (body, call, sandbox) => {
      const { charge = {} } = (await chargeOf(sandbox, call.json?.emv)) ?? {}
      const { modality, amount } = jsonOf(jsonOf(charge.amount).fine)
      const base = centavosOf(body.original_amount) - centavosOf(body.deduction)
      const isUp = (base * centavosOf(amount)) % 10_000n >= 5_000n
      return isUp && modality === '2' && body.fine !== '0' ? withMore(body, 'fine', 1n) : body
    },
  },
  'check-expires-in-local-time': {
    describe: 'The check of an immediate code shows its expiration in the time of Brasília, with a Z.',
    operation: 'checkCode',
    success: (body) => ({ ...body, expiration: inLocalTime(body.expiration) }),
  },
  'check-counts-looks': {
    describe: 'Each check of a code raises the revision that the next check shows.',
    operation: 'checkCode',
    service: remembering(
      () => new Map<string, number>(),
      async (looks, call, next) => {
        const response = await next(call)
        const body = call.operation === 'checkCode' && response.ok ? await bodyOf(response) : undefined
        if (!body) return response
        const count = looks.get(String(call.json?.emv)) ?? 0
        looks.set(String(call.json?.emv), count + 1)
        return withJson(response, { ...body, revision: Number(body.revision) + count })
      },
    ),
  },
  'email-in-any-case': {
    describe: 'An e-mail with capitals is looked up in lower case.',
    operation: 'checkKey',
    request: (body) =>
      String(body.dict_key).includes('@') ? { ...body, dict_key: String(body.dict_key).toLowerCase() } : body,
  },
  'initiation-for-28-minutes': {
    describe: 'An initiation_id expires after 28 minutes.',
    operation: 'createTransfer',
    service: remembering(
      () => new Map<unknown, number>(),
      async (issued, call, next, sandbox) => {
        const now = sandbox.app.clock.now()
        const at = call.operation === 'createTransfer' ? issued.get(call.json?.initiation_id) : undefined
        if (at !== undefined && now - at > 28 * 60_000 && (await callerOf(call, sandbox)))
          return problem(422, 'initiation_invalid')
        const response = await next(call)
        if (call.operation === 'checkKey') issued.set((await bodyOf(response))?.initiation_id, now)
        return response
      },
    ),
  },
  'initiation-again-after-rejection': {
    describe: 'The rejection of a transfer makes its initiation_id valid again.',
    operation: 'createTransfer',
    state: [
      `CREATE TRIGGER mutant AFTER UPDATE OF status ON transfers WHEN NEW.status = 'rejected' BEGIN
        UPDATE transfers SET initiation = NULL WHERE id = NEW.id; END`,
    ],
  },
  'expired-code-paid-for-five-seconds': {
    describe: 'An immediate code can be paid for five seconds after it expired.',
    operation: 'createTransfer',
    service: (sandbox) => async (call, next) => {
      const response = await next(call)
      if (call.operation !== 'createTransfer' || !(await isRefused(response, 'code_expired'))) return response
      const emv = String(call.json?.emv)
      await sandbox.run('UPDATE qrcodes SET created_at = created_at + 5000 WHERE emv = ?', [emv])
      const again = await next(call)
      await sandbox.run('UPDATE qrcodes SET created_at = created_at - 5000 WHERE emv = ?', [emv])
      return again
    },
  },
  'due-today-refused-in-the-evening': {
    describe: 'A due date is compared with the day in UTC.',
    operation: 'createDueDateQrCode',
    service: (sandbox) => async (call, next) => {
      const { here, utc } = todayOf(sandbox)
      const isMeant = call.operation === 'createDueDateQrCode' && here !== utc
      const isLate = isMeant && jsonOf(call.json?.calendar).due_date === here && keepsContract(call)
      return isLate && (await callerOf(call, sandbox)) ? problem(422, 'invalid_charge') : next(call)
    },
  },
  'tx-id-in-any-case': {
    describe: 'A tx_id is taken if it differs from that of another code in capitals only.',
    operation: 'createDueDateQrCode',
    service: (sandbox) => async (call, next) => {
      const caller = call.operation === 'createDueDateQrCode' ? await callerOf(call, sandbox) : undefined
      const tx_id = String(call.json?.tx_id)
      const sql = 'SELECT id FROM qrcodes WHERE partner_id = ? AND lower(tx_id) = lower(?) AND tx_id <> ?'
      const like = caller && (await rowOf(sandbox, sql, [caller.partner_id, tx_id, tx_id]))
      return like && keepsContract(call) ? problem(409, 'tx_id_taken') : next(call)
    },
  },
  'refused-charge-takes-its-tx-id': {
    describe: 'A creation that is refused by a business rule takes its tx_id.',
    operation: 'createImmediateQrCode',
    service: remembering(
      () => new Set<string>(),
      async (taken, call, next, sandbox) => {
        if (call.operation !== 'createImmediateQrCode') return next(call)
        const key = `${(await callerOf(call, sandbox))?.partner_id} ${call.json?.tx_id}`
        if (taken.has(key) && keepsContract(call)) return problem(409, 'tx_id_taken')
        const response = await next(call)
        if (response.status === 422) taken.add(key)
        return response
      },
    ),
  },
  'payer-document-as-a-number': {
    describe: 'The document of a payer is stored without the zeros at its beginning.',
    operation: 'createImmediateQrCode',
    also: ['listImmediateQrCodes', 'cancelImmediateQrCode', 'checkCode'],
    state: [
      `CREATE TRIGGER mutant AFTER INSERT ON qrcodes
        WHEN NEW.kind = 'Immediate' AND NEW.payer_tax_id LIKE '0%' BEGIN
        UPDATE qrcodes SET charge = json_set(charge, '$.payer.tax_id', ltrim(payer_tax_id, '0'))
          WHERE id = NEW.id; END`,
    ],
  },
  'message-of-25-characters': {
    describe: 'The message of a static code is cut after 25 characters.',
    operation: 'createStaticQrCode',
    request: (body) =>
      typeof body.message === 'string' ? { ...body, message: body.message.slice(0, 25) } : body,
  },
  'cursor-after-the-last-page': {
    describe: 'A last page that is full has a next_cursor, which leads to an empty page.',
    operation: 'listDueDateQrCodes',
    success: async (body, { url }, sandbox) => {
      const last = listOf(body.data).at(Number(url.searchParams.get('limit') ?? 20) - 1)
      const sql = 'SELECT position FROM qrcodes WHERE id = ?'
      const row = await rowOf<{ position: bigint }>(sandbox, sql, [String(last?.id)])
      if (body.next_cursor !== null || !row) return body
      return { ...body, next_cursor: `c_${Buffer.from(`${row.position}`).toString('base64url')}` }
    },
  },
  'list-ends-with-its-second-page': {
    describe: 'The list ends with its second page, so that it forgets the oldest records.',
    operation: 'listImmediateQrCodes',
    success: (body, { url }) => (url.searchParams.has('cursor') ? { ...body, next_cursor: null } : body),
  },
  'cancelled-again': {
    describe: 'Cancelling a cancelled due-date code changes its revision and updated_at again.',
    operation: 'cancelDueDateQrCode',
    service: (sandbox) => async (call, next) => {
      const isMeant = call.operation === 'cancelDueDateQrCode'
      const caller = isMeant ? await callerOf(call, sandbox) : undefined
      const sql = `UPDATE qrcodes SET revision = revision + 1, updated_at = ?
        WHERE kind = 'DueDate' AND status = '${CANCELLED}' AND id = ? AND account_id = ?`
      const values = [sandbox.app.clock.now(), String(call.path.id), caller?.account_id ?? '']
      await sandbox.run(sql, values)
      return next(call)
    },
  },
  'expired-code-not-cancelled': {
    describe: 'An immediate code that has expired cannot be cancelled.',
    operation: 'cancelImmediateQrCode',
    service: (sandbox) => async (call, next) => {
      const isMeant = call.operation === 'cancelImmediateQrCode'
      const caller = isMeant ? await callerOf(call, sandbox) : undefined
      const sql = `SELECT id FROM qrcodes WHERE id = ? AND account_id = ? AND status = 'ATIVA'
        AND created_at + 1000 * (charge ->> '$.calendar.expiration') < ?`
      const values = [String(call.path.id), caller?.account_id ?? '', sandbox.app.clock.now()]
      return (await rowOf(sandbox, sql, values)) ? problem(409, 'qrcode_paid') : next(call)
    },
  },
  'customer-updated-by-a-look': {
    describe: 'The look-up of a user shows the time of the request as updated_at of the customers.',
    operation: 'getUser',
    success: (body, _, { app }) =>
      change('/customers/*/updated_at', () => new Date(app.clock.now()).toISOString())(body),
  },
  'url-without-its-slash': {
    describe: 'A webhook loses the slash at the end of its url.',
    operation: 'createWebhook',
    also: ['getWebhook', 'listWebhooks'],
    request: (body) => (typeof body.url === 'string' ? { ...body, url: body.url.replace(/\/$/, '') } : body),
  },
  'ten-webhooks-listed': {
    describe: 'The list of webhooks shows the newest ten.',
    operation: 'listWebhooks',
    success: (body) => ({ data: listOf(body.data).slice(0, 10) }),
  },
  'foreign-inactive-webhook-shown': {
    describe: 'A webhook of another partner can be read by its id while it is inactive.',
    operation: 'getWebhook',
    service: (sandbox) => {
      const open = asOwner('getWebhook')(sandbox)
      return async (call, next) => {
        const sql = `SELECT id FROM webhooks WHERE id = ? AND status = 'inactive'`
        const isInactive = await rowOf(sandbox, sql, [String(call.path.webhook_id)])
        const isCaller = await callerOf(call, sandbox)
        return isInactive && isCaller?.customer_id === null ? open(call, next) : next(call)
      }
    },
  },
  'webhook-updated-by-a-look': {
    describe: 'The look-up of a webhook moves its updated_at.',
    operation: 'getWebhook',
    also: ['listWebhooks'],
    afterwards: ({ id }, _, { app, run }) =>
      run('UPDATE webhooks SET updated_at = ? WHERE id = ?', [app.clock.now(), String(id)]),
  },
  'pause-resets-the-type': {
    describe: 'An update to inactive sets the type to all.',
    operation: 'updateWebhook',
    request: (body) => (body.status === 'inactive' && body.type ? { ...body, type: 'all' } : body),
  },
  'pause-leaves-updated-at': {
    describe: 'updated_at stays if an update changes only the status.',
    operation: 'updateWebhook',
    also: ['getWebhook', 'listWebhooks'],
    state: [
      `CREATE TRIGGER mutant AFTER UPDATE OF status ON webhooks
        WHEN NEW.status <> OLD.status AND NEW.url = OLD.url AND NEW.type = OLD.type BEGIN
        UPDATE webhooks SET updated_at = OLD.updated_at WHERE id = NEW.id; END`,
    ],
  },
  'refused-update-pauses': {
    describe: 'An update that is refused for its url still changes the status.',
    operation: 'updateWebhook',
    also: ['getWebhook', 'listWebhooks'],
    response: async (response, call, sandbox) => {
      const caller = await callerOf(call, sandbox)
      const sql = 'UPDATE webhooks SET status = ? WHERE id = ? AND partner_id = ?'
      const values = [String(call.json?.status), String(call.path.webhook_id), caller?.partner_id ?? '']
      if (response.status === 422) await sandbox.run(sql, values)
      return response
    },
  },
  'rotation-resumes': {
    describe: 'The rotation of its secret sets an inactive webhook to active.',
    operation: 'rotateWebhookSecret',
    also: ['getWebhook', 'listWebhooks'],
    afterwards: ({ id }, _, { run }) =>
      run(`UPDATE webhooks SET status = 'active' WHERE id = ?`, [String(id)]),
  },
  'rotation-not-found-without-id': {
    describe: 'The rotation of an unknown webhook responds without x-request-id.',
    operation: 'rotateWebhookSecret',
    response: (response) =>
      response.status === 404 ? remade(response, { headers: { 'x-request-id': null } }) : response,
  },
  'signed-with-the-old-secret': {
    describe: 'In the day after a rotation, deliveries are signed with the old secret only.',
    operation: 'deliveries',
    relay: async (posted, send, sandbox) => {
      const now = sandbox.app.clock.now()
      const sql =
        'SELECT old_secret FROM webhooks WHERE url = ? AND old_secret_until > ? ORDER BY position DESC'
      const row = await rowOf<{ old_secret: string }>(sandbox, sql, [posted.url, now])
      const id = String(posted.headers['webhook-id'])
      const signed = row && (await sign(posted.body, [row.old_secret], { id, now: () => now }))
      return send({ ...posted, headers: { ...posted.headers, ...signed } })
    },
  },
  'rejections-for-qrcode-webhooks': {
    describe: 'Webhooks of type qrcode receive transfer.rejected too.',
    operation: 'deliveries',
    state: [
      `CREATE TRIGGER mutant AFTER INSERT ON events WHEN NEW.type = 'transfer.rejected' BEGIN
        INSERT INTO deliveries (event_id, webhook_id, status, due_at, lane)
          SELECT NEW.id, id, 'pending', NEW.created_at, lane FROM webhooks
          WHERE partner_id = NEW.partner_id AND type = 'qrcode' AND status = 'active' AND deleted_at IS NULL; END`,
    ],
  },
  'cancelled-again-is-an-event': {
    describe: 'Cancelling a cancelled code sends qrcode.cancelled again, with another id.',
    operation: 'deliveries',
    service: (sandbox) => async (call, next) => {
      const isMeant = call.operation?.startsWith('cancel') && (await callerOf(call, sandbox))
      const sql = `SELECT id FROM events WHERE type = 'qrcode.cancelled' AND record_id = ?`
      const first = isMeant && (await rowOf<{ id: string }>(sandbox, sql, [String(call.path.id)]))
      if (!first) return next(call)
      const [id, now] = [`msg_${crypto.randomUUID()}`, sandbox.app.clock.now()]
      const event = `INSERT INTO events (id, partner_id, type, record_id, body, created_at)
        SELECT ?, partner_id, type, record_id, body, ? FROM events WHERE id = ?`
      const deliveries = `INSERT INTO deliveries (event_id, webhook_id, status, due_at, lane)
        SELECT ?, webhook_id, 'pending', ?, lane FROM deliveries WHERE event_id = ?`
      for (const insert of [event, deliveries]) await sandbox.run(insert, [id, now, first.id])
      return next(call)
    },
  },
  'event-in-local-time': {
    describe: 'timestamp of an event is in the time of Brasília, with a Z.',
    operation: 'deliveries',
    state: [
      `CREATE TRIGGER mutant AFTER INSERT ON events BEGIN
        UPDATE events SET body = json_set(body, '$.timestamp',
          strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0 - 10800, 'unixepoch')) WHERE id = NEW.id; END`,
    ],
  },
  'rejected-without-a-reason': {
    describe: 'transfer.rejected has an empty rejection_message.',
    operation: 'deliveries',
    state: [
      `CREATE TRIGGER mutant AFTER INSERT ON events WHEN NEW.type = 'transfer.rejected' BEGIN
        UPDATE events SET body = json_set(body, '$.data.rejection_message', '') WHERE id = NEW.id; END`,
    ],
  },
  'receiver-errors-not-retried': {
    describe: 'A delivery that gets a 4xx is not tried again.',
    operation: 'deliveries',
    relay: async (posted, send) => {
      const status = await send(posted)
      return status >= 400 && status < 500 ? 200 : status
    },
  },
}

/** A date-time three hours earlier, still written as UTC: the time of Brasília with a Z. */
function inLocalTime(time: unknown): unknown {
  return typeof time === 'string' ? new Date(Date.parse(time) - 3 * 3_600_000).toISOString() : time
}

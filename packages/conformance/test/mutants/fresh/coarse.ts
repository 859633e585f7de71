import { by, type Call, withHeaders } from '../../faulty/call.ts'
import { basic, CREDENTIALS } from '../../faulty/fixtures.ts'
import { bodyOf, withJson } from '../../faulty/responses.ts'
import type { Mutants } from '../mutant.ts'
import { callerOf, centavosOf, listOf, ownerOf, rowOf } from '../tools.ts'

/** Bugs of a whole operation, one for each. */
export const coarse: Mutants = {
  'every-partner-is-other': {
    describe: 'Every valid sign-in returns the token of one partner.',
    operation: 'signIn',
    also: ['listWebhooks', 'getWebhook', 'updateWebhook', 'rotateWebhookSecret', 'deleteWebhook', 'getUser'],
    expects: 'The two partners see the same records, by record-owners.',
    service: () => async (call, next) => {
      const response = await next(call)
      const isMeant = call.operation === 'signIn' && response.ok
      return isMeant ? next(by(call, basic(CREDENTIALS.other))) : response
    },
  },
  'impersonation-of-nobody': {
    describe: 'Impersonation returns a token that acts for the partner.',
    operation: 'impersonate',
    also: ['createTransfer', 'listUsers', 'getUser', 'createWebhook', 'listWebhooks', 'getWebhook'],
    expects: 'The token is accepted by users and webhooks, and pays from the partner, by token-permissions.',
    success: async (body, call, sandbox) => ({
      ...body,
      access_token: (await ownerOf(call, sandbox)).replace('Bearer ', ''),
    }),
  },
  'check-in-centavos': {
    describe: 'The check of a code shows amounts in centavos, without a dot.',
    operation: 'checkCode',
    expects: 'original_amount of a check is 100 times the amount of the code, by charge-fields and currency.',
    success: (body) => ({
      ...body,
      original_amount: `${centavosOf(body.original_amount)}`,
      final_amount: `${centavosOf(body.final_amount)}`,
    }),
  },
  'one-key-for-all': {
    describe: 'The look-up ignores the key of the request, and shows one company.',
    operation: 'checkKey',
    expects: 'dict_key of the response differs from the request (Key check result), and no key is not_found.',
    request: (body) => ({ ...body, dict_key: '11222333000181' }),
  },
  'hundredfold-transfer': {
    describe: 'A transfer to a key pays 100 times the amount.',
    operation: 'createTransfer',
    expects: 'data/amount of the response is 100 times the amount of the request (Transfer-out response).',
    request: (body) =>
      body.type === 'dict' && typeof body.amount === 'string'
        ? { ...body, amount: `${body.amount.replace('.', '')}.00` }
        : body,
  },
  'due-date-list-empty': {
    describe: 'The list of due-date codes is always empty.',
    operation: 'listDueDateQrCodes',
    expects: 'A code that was created is not listed, by paging and list-lag.',
    success: () => ({ data: [], next_cursor: null }),
  },
  'due-date-not-stored': {
    describe: 'A due-date code is returned, but not stored.',
    operation: 'createDueDateQrCode',
    also: ['listDueDateQrCodes', 'cancelDueDateQrCode', 'checkCode', 'createTransfer'],
    expects: 'The new code is not listed, its check is refused, and its id is not_found (qr-codes-created).',
    afterwards: ({ id }, _, { run }) => run('DELETE FROM qrcodes WHERE id = ?', [String(id)]),
  },
  'due-date-cancel-lost': {
    describe: 'The cancellation of a due-date code is shown in the response, but not stored.',
    operation: 'cancelDueDateQrCode',
    also: ['listDueDateQrCodes', 'checkCode', 'createTransfer'],
    expects: 'The list shows ATIVA after the cancellation, and the code can be checked, by qr-statuses.',
    afterwards: ({ id }, _, { run }) =>
      run(`UPDATE qrcodes SET status = 'ATIVA' WHERE id = ? AND status <> 'CONCLUIDA'`, [String(id)]),
  },
  'immediate-list-of-other': {
    describe: 'The list of immediate codes shows those of one partner to everybody.',
    operation: 'listImmediateQrCodes',
    expects: 'The list shows the codes of another partner, and not those of the caller, by record-owners.',
    call: async (call, sandbox) =>
      (await callerOf(call, sandbox)) ? by(call, await sandbox.bearer('other')) : call,
  },
  'immediate-same-id': {
    describe: 'The creation of an immediate code always returns the same id.',
    operation: 'createImmediateQrCode',
    also: ['cancelImmediateQrCode', 'listImmediateQrCodes'],
    expects: 'Two codes have one id, by identifiers, and the list shows another id.',
    success: (body) => ({ ...body, id: '00000000-0000-4000-8000-000000000001' }),
  },
  'immediate-cancels-the-newest': {
    describe: 'The cancellation of an immediate code cancels the newest open one of the account.',
    operation: 'cancelImmediateQrCode',
    also: ['listImmediateQrCodes'],
    expects: 'The response shows another id, and another code is cancelled, by qr-record.',
    call: async (call, sandbox) => {
      const sql = `SELECT id FROM qrcodes WHERE kind = 'Immediate' AND status = 'ATIVA' AND account_id = ?
        ORDER BY position DESC`
      const caller = await callerOf(call, sandbox)
      const newest = await rowOf<{ id: string }>(sandbox, sql, [caller?.account_id ?? ''])
      return newest ? withId(call, newest.id) : call
    },
  },
  'static-created': {
    describe: 'The creation of a static code responds with 201.',
    operation: 'createStaticQrCode',
    expects: 'The status is 200 in the table of endpoints.',
    remake: { status: 201 },
  },
  'users-of-all-partners': {
    describe: 'The list of users shows those of all partners.',
    operation: 'listUsers',
    also: ['getUser', 'impersonate'],
    expects: 'The list shows a user of another partner, whose look-up is not_found, by record-owners.',
    success: async (body, _, { bearer, send }) => {
      const lists = (['other', 'partner'] as const).map(async (who) =>
        listOf((await send('GET', '/partner/user', { authorization: await bearer(who) })).users),
      )
      return { ...body, users: (await Promise.all(lists)).flat() }
    },
  },
  'any-user-is-the-newest': {
    describe: 'The look-up of a user ignores the id, and shows the newest user of the partner.',
    operation: 'getUser',
    expects: 'An unknown id is shown (200), although record-owners says 404.',
    call: async (call, sandbox) => {
      const sql = 'SELECT id FROM users WHERE partner_id = ? ORDER BY position DESC'
      const caller = await callerOf(call, sandbox)
      const newest = await rowOf<{ id: string }>(sandbox, sql, [caller?.partner_id ?? ''])
      return newest ? withId(call, newest.id) : call
    },
  },
  'webhook-not-stored': {
    describe: 'A webhook gets an id and a secret, but is not stored.',
    operation: 'createWebhook',
    also: ['listWebhooks', 'getWebhook', 'updateWebhook', 'rotateWebhookSecret', 'deleteWebhook'],
    expects: 'The new id is neither listed nor found (webhooks-managed).',
    afterwards: ({ id }, _, { run }) => run('DELETE FROM webhooks WHERE id = ?', [String(id)]),
  },
  'webhook-list-for-nobody': {
    describe: 'The list of webhooks refuses every token.',
    operation: 'listWebhooks',
    expects: 'A token of the partner gets 403 wrong_token_kind, although token-permissions allows it.',
    refuse: [() => true, [403, 'wrong_token_kind']],
  },
  'webhook-inside-data': {
    describe: 'The look-up of a webhook returns it inside an array, as the list does.',
    operation: 'getWebhook',
    expects: 'The body is no webhook (table of endpoints): id, url and the other fields are missing.',
    success: (body) => ({ data: [body] }),
  },
  'webhook-update-ignores-the-body': {
    describe: 'An update of a webhook changes nothing, and shows the webhook.',
    operation: 'updateWebhook',
    expects: 'status, type and url of the response are not those of the request (webhooks-managed).',
    call: (call) => ({
      ...withHeaders(call, { 'content-type': null, 'content-length': null }),
      method: 'GET',
      bytes: new Uint8Array(),
    }),
  },
  'same-secret-again': {
    describe: 'A rotation returns the secret that the webhook has, and keeps it.',
    operation: 'rotateWebhookSecret',
    expects: 'The secret after the rotation equals the one before, by secret-rotation.',
    service: (sandbox) => async (call, next) => {
      const [sql, id] = ['SELECT secret FROM webhooks WHERE id = ?', String(call.path.webhook_id)]
      const before = await rowOf<{ secret: string }>(sandbox, sql, [id])
      const response = await next(call)
      if (call.operation !== 'rotateWebhookSecret' || !response.ok || !before) return response
      await sandbox.run('UPDATE webhooks SET secret = ?, old_secret = NULL WHERE id = ?', [before.secret, id])
      return withJson(response, { ...(await bodyOf(response)), ...before })
    },
  },
  'all-webhooks-deleted': {
    describe: 'The deletion of a webhook deletes all webhooks of the partner.',
    operation: 'deleteWebhook',
    also: ['listWebhooks', 'getWebhook', 'updateWebhook', 'rotateWebhookSecret'],
    expects: 'Another webhook is not_found after the deletion (webhooks-managed, effects).',
    afterwards: (_, { path }, { app, run }) =>
      run(
        `UPDATE webhooks SET deleted_at = ? WHERE deleted_at IS NULL
          AND partner_id = (SELECT partner_id FROM webhooks WHERE id = ?)`,
        [app.clock.now(), String(path.webhook_id)],
      ),
  },
}

/** The same call for another record, whose id ends the path. */
function withId(call: Call, id: string): Call {
  const url = new URL(call.url)
  url.pathname = url.pathname.replace(/[^/]+$/, id)
  return { ...call, url }
}

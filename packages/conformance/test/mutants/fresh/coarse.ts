import { by, type Call, withHeaders } from '../../services/call.ts'
import { bodyOf, withJson } from '../../services/responses.ts'
import { basic, CREDENTIALS } from '../../services/sandbox.ts'
import type { Mutants } from '../mutant.ts'
import { callerOf, centavosOf, listOf, ownerOf, rowOf } from '../tools.ts'

/** Bugs of a whole operation, one for each. */
export const coarse: Mutants = {
  'every-partner-is-other': {
    describe: 'Every valid sign-in returns the token of one partner.',
    operation: 'signIn',
    also: ['listWebhooks', 'getWebhook', 'updateWebhook', 'rotateWebhookSecret', 'deleteWebhook', 'getUser'],
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
    success: async (body, call, sandbox) => ({
      ...body,
      access_token: (await ownerOf(call, sandbox)).replace('Bearer ', ''),
    }),
  },
  'check-in-centavos': {
    describe: 'The check of a code shows amounts in centavos, without a dot.',
    operation: 'checkCode',
    success: (body) => ({
      ...body,
      original_amount: `${centavosOf(body.original_amount)}`,
      final_amount: `${centavosOf(body.final_amount)}`,
    }),
  },
  'one-key-for-all': {
    describe: 'The look-up ignores the key of the request, and shows one company.',
    operation: 'checkKey',
    request: (body) => ({ ...body, dict_key: '11222333000181' }),
  },
  'hundredfold-transfer': {
    describe: 'A transfer to a key pays 100 times the amount.',
    operation: 'createTransfer',
    request: (body) =>
      body.type === 'dict' && typeof body.amount === 'string'
        ? { ...body, amount: `${body.amount.replace('.', '')}.00` }
        : body,
  },
  'due-date-list-empty': {
    describe: 'The list of due-date codes is always empty.',
    operation: 'listDueDateQrCodes',
    success: () => ({ data: [], next_cursor: null }),
  },
  'due-date-not-stored': {
    describe: 'A due-date code is returned, but not stored.',
    operation: 'createDueDateQrCode',
    also: ['listDueDateQrCodes', 'cancelDueDateQrCode', 'checkCode', 'createTransfer'],
    afterwards: ({ id }, _, { run }) => run('DELETE FROM qrcodes WHERE id = ?', [String(id)]),
  },
  'due-date-cancel-lost': {
    describe: 'The cancellation of a due-date code is shown in the response, but not stored.',
    operation: 'cancelDueDateQrCode',
    also: ['listDueDateQrCodes', 'checkCode', 'createTransfer'],
    afterwards: ({ id }, _, { run }) =>
      run(`UPDATE qrcodes SET status = 'ATIVA' WHERE id = ? AND status <> 'CONCLUIDA'`, [String(id)]),
  },
  'immediate-list-of-other': {
    describe: 'The list of immediate codes shows those of one partner to everybody.',
    operation: 'listImmediateQrCodes',
    call: async (call, sandbox) =>
      (await callerOf(call, sandbox)) ? by(call, await sandbox.bearer('other')) : call,
  },
  'immediate-same-id': {
    describe: 'The creation of an immediate code always returns the same id.',
    operation: 'createImmediateQrCode',
    also: ['cancelImmediateQrCode', 'listImmediateQrCodes'],
    success: (body) => ({ ...body, id: '00000000-0000-4000-8000-000000000001' }),
  },
  'immediate-cancels-the-newest': {
    describe: 'The cancellation of an immediate code cancels the newest open one of the account.',
    operation: 'cancelImmediateQrCode',
    also: ['listImmediateQrCodes'],
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
    remake: { status: 201 },
  },
  'users-of-all-partners': {
    describe: 'The list of users shows those of all partners.',
    operation: 'listUsers',
    also: ['getUser', 'impersonate'],
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
    afterwards: ({ id }, _, { run }) => run('DELETE FROM webhooks WHERE id = ?', [String(id)]),
  },
  'webhook-list-for-nobody': {
    describe: 'The list of webhooks refuses every token.',
    operation: 'listWebhooks',
    refuse: [() => true, [403, 'wrong_token_kind']],
  },
  'webhook-inside-data': {
    describe: 'The look-up of a webhook returns it inside an array, as the list does.',
    operation: 'getWebhook',
    success: (body) => ({ data: [body] }),
  },
  'webhook-update-ignores-the-body': {
    describe: 'An update of a webhook changes nothing, and shows the webhook.',
    operation: 'updateWebhook',
    call: (call) => ({
      ...withHeaders(call, { 'content-type': null, 'content-length': null }),
      method: 'GET',
      bytes: new Uint8Array(),
    }),
  },
  'same-secret-again': {
    describe: 'A rotation returns the secret that the webhook has, and keeps it.',
    operation: 'rotateWebhookSecret',
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

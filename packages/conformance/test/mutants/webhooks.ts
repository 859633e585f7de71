import { withBody, withHeaders } from '../services/call.ts'
import { bodyOf, codeOf, type Json, problem, remade, withJson } from '../services/responses.ts'
import type { TestSandbox } from '../services/sandbox.ts'
import { callerOf, rowOf, rowsOf } from '../services/state.ts'
import { handle, onCall, onRequest, onResponse, onSuccess, refuse } from '../services/wrap.ts'
import { listOf, type Mutants, trigger } from './tools.ts'

function secretOf(sandbox: TestSandbox, id: unknown) {
  return rowOf(sandbox, 'SELECT secret FROM webhooks WHERE id = ?', id)
}

/** A row as responses show it. */
function webhookOf({ id, partner_id, url, type, status, ...row }: Json): Json {
  const at = (name: string) => new Date(Number(row[name])).toISOString()
  const times = {
    created_at: at('created_at'),
    updated_at: at('updated_at'),
    deleted_at: at('deleted_at'),
  }
  return { id, partner_id, url, type, status, ...times }
}

/** Mutants of webhooks. */
export const webhooks: Mutants = {
  'createWebhook listWebhooks getWebhook updateWebhook rotateWebhookSecret deleteWebhook': {
    'A webhook gets an id and a secret, but is not stored.': onSuccess(({ id }, _, { run }) =>
      run('DELETE FROM webhooks WHERE id = ?', id),
    ),
  },
  'createWebhook getWebhook listWebhooks': {
    'The url of a webhook is saved without its query.': onRequest((body) => {
      const { url } = body
      return typeof url === 'string' && url.includes('?') && URL.canParse(url) && url.length <= 2048
        ? { ...body, url: url.slice(0, url.indexOf('?')) }
        : body
    }),
  },
  listWebhooks: {
    'The list of webhooks refuses every token.': refuse([403, 'wrong_token_kind'], () => true),
    'The list of webhooks shows the secret of each.': onSuccess(async (body, _, sandbox) => {
      const data = await Promise.all(
        listOf(body.data).map(async (it) => ({
          ...it,
          secret: (await secretOf(sandbox, it.id))?.secret,
        })),
      )
      return { data }
    }),
    'Webhooks are listed oldest first.': onSuccess((body) => ({
      data: listOf(body.data).toReversed(),
    })),
  },
  getWebhook: {
    'The look-up of a webhook returns it inside an array, as the list does.': onSuccess((body) => ({
      data: [body],
    })),
    'The look-up of a webhook shows a part of its secret.': onSuccess(async (body, _, sandbox) => ({
      ...body,
      secret_hint: String((await secretOf(sandbox, body.id))?.secret).slice(-8),
    })),
    "Reading another partner's webhook responds with 403.": onResponse(
      async (response, call, sandbox) => {
        const isThere = response.status === 404 && (await secretOf(sandbox, call.path.webhook_id))
        return isThere ? problem(403, 'wrong_token_kind') : response
      },
    ),
  },
  'getWebhook listWebhooks': {
    'The look-up of a webhook moves its updated_at.': onSuccess(({ id }, _, { app, run }) =>
      run('UPDATE webhooks SET updated_at = ? WHERE id = ?', app.clock.now(), id),
    ),
  },
  updateWebhook: {
    'An update of a webhook changes nothing, and shows the webhook.': onCall((call) => ({
      ...withHeaders(call, { 'content-type': null, 'content-length': null }),
      method: 'GET',
      bytes: new Uint8Array(),
    })),
    'An update to inactive sets the type to all.': onRequest((body) =>
      body.status === 'inactive' && body.type ? { ...body, type: 'all' } : body,
    ),
    'An update that pauses a webhook does not check its url.': handle(
      async (call, next, { run }) => {
        const response = await next(call)
        const url = String(call.json?.url)
        const isMeant = call.json?.status === 'inactive' && URL.canParse(url)
        if (!isMeant || (await codeOf(response)) !== 'url_not_allowed') return response
        const updated = await next(withBody(call, { ...call.json, url: 'https://taken.example/' }))
        if (!updated.ok) return updated
        const body = await bodyOf(updated)
        await run('UPDATE webhooks SET url = ? WHERE id = ?', url, body?.id)
        return withJson(updated, { ...body, url })
      },
    ),
  },
  'updateWebhook getWebhook listWebhooks': {
    'updated_at stays if an update changes only the status.': trigger(
      `AFTER UPDATE OF status ON webhooks WHEN NEW.status <> OLD.status AND NEW.url = OLD.url AND NEW.type = OLD.type`,
      `UPDATE webhooks SET updated_at = OLD.updated_at WHERE id = NEW.id`,
    ),
    'An update that is refused for its url changes the status.': onResponse(
      async (response, call, sandbox) => {
        const caller = await callerOf(call, sandbox)
        const sql = 'UPDATE webhooks SET status = ? WHERE id = ? AND partner_id = ?'
        const values = [call.json?.status, call.path.webhook_id, caller?.partner_id]
        if (response.status === 422) await sandbox.run(sql, ...values)
        return response
      },
    ),
  },
  'updateWebhook getWebhook': {
    'An update leaves the type of an inactive webhook.': onRequest(
      async (body, { path }, sandbox) => {
        const sql = 'SELECT type, status FROM webhooks WHERE id = ?'
        const row = await rowOf(sandbox, sql, path.webhook_id)
        const isMeant =
          row?.status === 'inactive' && ['all', 'transfer', 'qrcode'].includes(String(body.type))
        return isMeant ? { ...body, type: row.type } : body
      },
    ),
  },
  rotateWebhookSecret: {
    'A rotation returns the secret that the webhook has.': handle(async (call, next, sandbox) => {
      const id = String(call.path.webhook_id)
      const before = await secretOf(sandbox, id)
      const response = await next(call)
      if (!response.ok || !before) return response
      const sql = 'UPDATE webhooks SET secret = ?, old_secret = NULL WHERE id = ?'
      await sandbox.run(sql, before.secret, id)
      return withJson(response, { ...(await bodyOf(response)), ...before })
    }),
    'The rotation of an unknown webhook responds without x-request-id.': onResponse((response) =>
      response.status === 404 ? remade(response, { headers: { 'x-request-id': null } }) : response,
    ),
  },
  deleteWebhook: {
    'Deleting a webhook that was deleted responds 204 again.': handle(
      async (call, next, sandbox) => {
        const response = await next(call)
        if (response.status !== 404) return response
        const caller = await callerOf(call, sandbox)
        const sql = 'SELECT 1 AS found FROM webhooks WHERE id = ? AND partner_id = ?'
        const row = await rowOf(sandbox, sql, call.path.webhook_id, caller?.partner_id)
        return row ? remade(response, { status: 204, headers: { 'content-type': null } }) : response
      },
    ),
  },
  'deleteWebhook listWebhooks getWebhook updateWebhook rotateWebhookSecret': {
    'The deletion of a webhook deletes all webhooks of the partner.': onSuccess(
      (_, { path }, { app, run }) =>
        run(
          `UPDATE webhooks SET deleted_at = ? WHERE deleted_at IS NULL
            AND partner_id = (SELECT partner_id FROM webhooks WHERE id = ?)`,
          app.clock.now(),
          path.webhook_id,
        ),
    ),
  },
  'deleteWebhook listWebhooks': {
    'A deleted webhook stays in the list, with its deleted_at.': {
      operations: 'listWebhooks',
      ...onSuccess(async (body, call, sandbox) => {
        const caller = await callerOf(call, sandbox)
        const sql = `SELECT * FROM webhooks WHERE partner_id = ? AND deleted_at IS NOT NULL ORDER BY position DESC`
        const rows = await rowsOf(sandbox, sql, caller?.partner_id)
        return { data: [...listOf(body.data), ...rows.map(webhookOf)] }
      }),
    },
  },
}

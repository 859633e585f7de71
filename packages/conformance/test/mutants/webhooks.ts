import { by, withBody, withHeaders } from '../services/call.ts'
import { bodyOf, codeOf, type Json, problem, remade, withJson } from '../services/responses.ts'
import type { TestSandbox } from '../services/sandbox.ts'
import { callerOf, rowOf, rowsOf } from '../services/state.ts'
import { handle, onCall, onRequest, onResponse, onSuccess, refuse } from '../services/wrap.ts'
import { listOf, type Mutant, trigger } from './tools.ts'

/** The secret of a webhook, also of a deleted one. */
async function secretOf(sandbox: TestSandbox, id: unknown): Promise<unknown> {
  const row = await rowOf(sandbox, 'SELECT secret FROM webhooks WHERE id = ?', id)
  return row?.secret
}

/** A row as responses show it. */
function webhookOf({ id, partner_id, url, type, status, ...row }: Json): Json {
  const timeAt = (name: string) => new Date(Number(row[name])).toISOString()
  return {
    id,
    partner_id,
    url,
    type,
    status,
    created_at: timeAt('created_at'),
    updated_at: timeAt('updated_at'),
    deleted_at: timeAt('deleted_at'),
  }
}

const TYPES: ReadonlySet<unknown> = new Set(['all', 'transfer', 'qrcode'])

/** Mutants of webhooks. */
export const webhooks: readonly Mutant[] = [
  {
    says: 'A webhook gets an id and a secret, but is not stored.',
    places: [
      'createWebhook',
      'listWebhooks',
      'getWebhook',
      'updateWebhook',
      'rotateWebhookSecret',
      'deleteWebhook',
    ],
    service: onSuccess(({ id }, _, { run }) => run('DELETE FROM webhooks WHERE id = ?', id)),
  },
  {
    says: 'The url of a webhook is saved without its query.',
    places: ['createWebhook', 'getWebhook', 'listWebhooks'],
    service: onRequest((body) => {
      const { url } = body
      if (typeof url !== 'string' || url.length > 2048) return body
      if (!url.includes('?') || !URL.canParse(url)) return body
      return { ...body, url: url.slice(0, url.indexOf('?')) }
    }),
  },
  {
    says: 'The list of webhooks refuses every token.',
    places: ['listWebhooks'],
    service: refuse([403, 'wrong_token_kind'], () => true),
  },
  {
    says: 'The list of webhooks shows the secret of each.',
    places: ['listWebhooks'],
    service: onSuccess(async (body, _, sandbox) => {
      const data: Json[] = []
      for (const webhook of listOf(body.data)) {
        const secret = await secretOf(sandbox, webhook.id)
        data.push({ ...webhook, secret })
      }
      return { data }
    }),
  },
  {
    says: 'The list of webhooks shows those of all partners.',
    places: ['listWebhooks'],
    service: handle(async (call, next, { bearer }) => {
      const response = await next(call)
      if (!response.ok) return response
      const ofPartner = await bodyOf(await next(by(call, await bearer('partner'))))
      const ofOther = await bodyOf(await next(by(call, await bearer('other'))))
      return withJson(response, { data: [...listOf(ofPartner?.data), ...listOf(ofOther?.data)] })
    }),
  },
  {
    says: 'Webhooks are listed oldest first.',
    places: ['listWebhooks'],
    service: onSuccess((body) => ({ data: listOf(body.data).toReversed() })),
  },
  {
    says: 'The look-up of a webhook returns it inside an array, as the list does.',
    places: ['getWebhook'],
    service: onSuccess((body) => ({ data: [body] })),
  },
  {
    says: 'The look-up of a webhook shows a part of its secret.',
    places: ['getWebhook'],
    service: onSuccess(async (body, _, sandbox) => {
      const secret = String(await secretOf(sandbox, body.id))
      return { ...body, secret_hint: secret.slice(-8) }
    }),
  },
  {
    says: "Reading another partner's webhook responds with 403.",
    places: ['getWebhook'],
    service: onResponse(async (response, call, sandbox) => {
      if (response.status !== 404) return response
      const secret = await secretOf(sandbox, call.path.webhook_id)
      return secret ? problem(403, 'wrong_token_kind') : response
    }),
  },
  {
    says: 'The look-up of a webhook moves its updated_at.',
    places: ['getWebhook', 'listWebhooks'],
    service: onSuccess(({ id }, _, { app, run }) =>
      run('UPDATE webhooks SET updated_at = ? WHERE id = ?', app.clock.now(), id),
    ),
  },
  {
    says: 'An update of a webhook changes nothing, and shows the webhook.',
    places: ['updateWebhook'],
    service: onCall((call) => ({
      ...withHeaders(call, { 'content-type': null, 'content-length': null }),
      method: 'GET',
      bytes: new Uint8Array(),
    })),
  },
  {
    says: 'An update to inactive sets the type to all.',
    places: ['updateWebhook'],
    service: onRequest((body) => {
      const isPaused = body.status === 'inactive' && body.type
      return isPaused ? { ...body, type: 'all' } : body
    }),
  },
  {
    says: 'An update that pauses a webhook does not check its url.',
    places: ['updateWebhook'],
    service: handle(async (call, next, { run }) => {
      const response = await next(call)
      const url = String(call.json?.url)
      const isMeant = call.json?.status === 'inactive' && URL.canParse(url)
      if (!isMeant || (await codeOf(response)) !== 'url_not_allowed') return response

      const updated = await next(withBody(call, { ...call.json, url: 'https://taken.example/' }))
      if (!updated.ok) return updated

      const body = await bodyOf(updated)
      await run('UPDATE webhooks SET url = ? WHERE id = ?', url, body?.id)
      return withJson(updated, { ...body, url })
    }),
  },
  {
    says: 'updated_at stays if an update changes only the status.',
    places: ['updateWebhook', 'getWebhook', 'listWebhooks'],
    service: trigger(
      `AFTER UPDATE OF status ON webhooks
        WHEN NEW.status <> OLD.status AND NEW.url = OLD.url AND NEW.type = OLD.type`,
      `UPDATE webhooks SET updated_at = OLD.updated_at WHERE id = NEW.id`,
    ),
  },
  {
    says: 'An update that is refused for its url changes the status.',
    places: ['updateWebhook', 'getWebhook', 'listWebhooks'],
    service: onResponse(async (response, call, sandbox) => {
      if (response.status !== 422) return response
      const caller = await callerOf(call, sandbox)
      const sql = 'UPDATE webhooks SET status = ? WHERE id = ? AND partner_id = ?'
      await sandbox.run(sql, call.json?.status, call.path.webhook_id, caller?.partner_id)
      return response
    }),
  },
  {
    says: 'An update leaves the type of an inactive webhook.',
    places: ['updateWebhook', 'getWebhook'],
    service: onRequest(async (body, { path }, sandbox) => {
      const sql = 'SELECT type, status FROM webhooks WHERE id = ?'
      const row = await rowOf(sandbox, sql, path.webhook_id)
      if (row?.status !== 'inactive' || !TYPES.has(body.type)) return body
      return { ...body, type: row.type }
    }),
  },
  {
    says: 'A rotation returns the secret that the webhook has.',
    places: ['rotateWebhookSecret'],
    service: handle(async (call, next, sandbox) => {
      const id = String(call.path.webhook_id)
      const secret = await secretOf(sandbox, id)
      const response = await next(call)
      if (!response.ok || !secret) return response

      const sql = 'UPDATE webhooks SET secret = ?, old_secret = NULL WHERE id = ?'
      await sandbox.run(sql, secret, id)
      const body = await bodyOf(response)
      return withJson(response, { ...body, secret })
    }),
  },
  {
    says: 'The rotation of an unknown webhook responds without x-request-id.',
    places: ['rotateWebhookSecret'],
    service: onResponse((response) => {
      if (response.status !== 404) return response
      return remade(response, { headers: { 'x-request-id': null } })
    }),
  },
  {
    says: 'Deleting a webhook that was deleted responds 204 again.',
    places: ['deleteWebhook'],
    service: handle(async (call, next, sandbox) => {
      const response = await next(call)
      if (response.status !== 404) return response
      const caller = await callerOf(call, sandbox)
      const sql = 'SELECT 1 AS found FROM webhooks WHERE id = ? AND partner_id = ?'
      const row = await rowOf(sandbox, sql, call.path.webhook_id, caller?.partner_id)
      if (!row) return response
      return remade(response, { status: 204, headers: { 'content-type': null } })
    }),
  },
  {
    says: 'The deletion of a webhook deletes all webhooks of the partner.',
    places: ['deleteWebhook', 'listWebhooks', 'getWebhook', 'updateWebhook', 'rotateWebhookSecret'],
    service: onSuccess((_, { path }, { app, run }) =>
      run(
        `UPDATE webhooks SET deleted_at = ? WHERE deleted_at IS NULL
          AND partner_id = (SELECT partner_id FROM webhooks WHERE id = ?)`,
        app.clock.now(),
        path.webhook_id,
      ),
    ),
  },
  {
    says: 'A deleted webhook stays in the list, with its deleted_at.',
    places: ['deleteWebhook', 'listWebhooks'],
    service: {
      operations: 'listWebhooks',
      ...onSuccess(async (body, call, sandbox) => {
        const caller = await callerOf(call, sandbox)
        const sql = `SELECT
            id, partner_id, url, type, status, created_at, updated_at, deleted_at
          FROM webhooks WHERE partner_id = ? AND deleted_at IS NOT NULL ORDER BY position DESC`
        const rows = await rowsOf(sandbox, sql, caller?.partner_id)
        return { data: [...listOf(body.data), ...rows.map(webhookOf)] }
      }),
    },
  },
]

import { type Call, withBody } from '../../services/call.ts'
import { bodyOf, problem, remade, withJson } from '../../services/responses.ts'
import type { TestSandbox } from '../../services/sandbox.ts'
import { changeSuccess, isPartner, type Wrap } from '../../services/wrap.ts'
import type { Mutants } from '../mutant.ts'
import { callerOf, isRefused, listOf, rowOf, rowsOf } from '../tools.ts'

/** Accepts URLs that the service refuses. */
function takes(id: 'createWebhook' | 'updateWebhook', isTaken: (url: URL, call: Call) => boolean): Wrap {
  return (sandbox) => async (call, next) => {
    const response = await next(call)
    const url = String(call.json?.url)
    const isMeant = call.operation === id && URL.canParse(url) && isTaken(new URL(url), call)
    if (!isMeant || !(await isRefused(response, 'url_not_allowed'))) return response
    const made = await next(withBody(call, { ...call.json, url: 'https://taken.example/' }))
    const body = made.ok ? await bodyOf(made) : undefined
    if (!body) return made
    await sandbox.run('UPDATE webhooks SET url = ? WHERE id = ?', [url, String(body.id)])
    return 'url' in body ? withJson(made, { ...body, url }) : made
  }
}

function secretOf(sandbox: TestSandbox, id: unknown): Promise<{ secret: string } | undefined> {
  return rowOf<{ secret: string }>(sandbox, 'SELECT secret FROM webhooks WHERE id = ?', [String(id)])
}

export const webhooks: Mutants = {
  'webhook-list-shows-secret': {
    describe: 'The list of webhooks shows the secret of each.',
    operation: 'listWebhooks',
    success: async (body, _, sandbox) => {
      const data = await Promise.all(
        listOf(body.data).map(async (it) => ({ ...it, secret: (await secretOf(sandbox, it.id))?.secret })),
      )
      return { data }
    },
  },
  'webhook-read-hints-at-secret': {
    describe:
      'The look-up of a webhook shows the last eight characters of its secret in a field secret_hint.',
    operation: 'getWebhook',
    success: async (body, _, sandbox) => ({
      ...body,
      secret_hint: (await secretOf(sandbox, body.id))?.secret.slice(-8),
    }),
  },
  'webhook-once-per-url': {
    describe: 'A second webhook for the same url is not created: the first one is responded with.',
    operation: 'createWebhook',
    service: (sandbox) => async (call, next) => {
      const caller = call.operation === 'createWebhook' ? await callerOf(call, sandbox) : undefined
      const sql = `SELECT id, partner_id, secret FROM webhooks
        WHERE url = ? AND partner_id = ? AND deleted_at IS NULL ORDER BY position LIMIT 1`
      const row = caller && (await rowOf(sandbox, sql, [String(call.json?.url), caller.partner_id]))
      const response = await next(call)
      if (!row || !response.ok) return response
      await sandbox.run('UPDATE webhooks SET deleted_at = created_at WHERE id = ?', [
        String((await bodyOf(response))?.id),
      ])
      return withJson(response, row)
    },
  },
  'webhook-url-of-2048-refused': {
    describe: 'A url of 2,001 to 2,048 characters is refused.',
    operation: 'createWebhook',
    refuse: [({ url }) => String(url).length > 2000, [400, 'invalid_request']],
  },
  'webhook-url-loses-query': {
    describe: 'The url of a webhook is saved without its query.',
    operation: 'createWebhook',
    also: ['getWebhook', 'listWebhooks'],
    request: (body) => {
      const { url } = body
      return typeof url === 'string' && url.includes('?') && URL.canParse(url) && url.length <= 2048
        ? { ...body, url: url.slice(0, url.indexOf('?')) }
        : body
    },
  },
  'webhook-update-to-private-while-inactive': {
    describe: 'The url of a webhook is not checked where the update makes it inactive.',
    operation: 'updateWebhook',
    service: takes('updateWebhook', (_, { json }) => json?.status === 'inactive'),
  },
  'webhook-deleted-still-listed': {
    describe: 'A deleted webhook stays in the list, with its deleted_at.',
    operation: 'deleteWebhook',
    also: ['listWebhooks'],
    service: changeSuccess('listWebhooks', async (body, call, sandbox) => {
      const caller = await callerOf(call, sandbox)
      const sql = `SELECT * FROM webhooks WHERE partner_id = ? AND deleted_at IS NOT NULL ORDER BY position DESC`
      const rows = await rowsOf<Record<string, string | bigint>>(sandbox, sql, [caller?.partner_id ?? ''])
      const at = (ms: unknown) => new Date(Number(ms)).toISOString()
      const deleted = rows.map(
        ({ id, partner_id, url, type, status, created_at, updated_at, deleted_at }) => {
          const times = { created_at: at(created_at), updated_at: at(updated_at), deleted_at: at(deleted_at) }
          return { id, partner_id, url, type, status, ...times }
        },
      )
      return { data: [...listOf(body.data), ...deleted] }
    }),
  },
  'webhook-delete-again-204': {
    describe: 'Deleting a webhook that was deleted responds 204 again.',
    operation: 'deleteWebhook',
    service: (sandbox) => async (call, next) => {
      const response = await next(call)
      if (call.operation !== 'deleteWebhook' || response.status !== 404) return response
      const caller = await callerOf(call, sandbox)
      const sql = 'SELECT 1 AS found FROM webhooks WHERE id = ? AND partner_id = ?'
      const row = await rowOf(sandbox, sql, [call.path.webhook_id ?? '', caller?.partner_id ?? ''])
      return row ? remade(response, { status: 204, headers: { 'content-type': null }, body: null }) : response
    },
  },
  'webhook-update-ignores-type-of-inactive': {
    describe: 'The type of an inactive webhook cannot be changed: the update responds 200 and leaves it.',
    operation: 'updateWebhook',
    also: ['getWebhook'],
    request: async (body, { path }, sandbox) => {
      const sql = 'SELECT type, status FROM webhooks WHERE id = ?'
      const row = await rowOf<{ type: string; status: string }>(sandbox, sql, [path.webhook_id ?? ''])
      const isMeant = row?.status === 'inactive' && ['all', 'transfer', 'qrcode'].includes(String(body.type))
      return isMeant ? { ...body, type: row.type } : body
    },
  },
  'webhook-update-null-url-500': {
    describe: 'A url of null passes the validation and fails in the database: 500.',
    operation: 'updateWebhook',
    service: (sandbox) => async (call, next) => {
      const isMeant = call.operation === 'updateWebhook' && call.json?.url === null
      return isMeant && (await isPartner(call, sandbox)) ? problem(500, 'internal_error') : next(call)
    },
  },
  'webhook-rotate-inactive-404': {
    describe: 'The secret of an inactive webhook cannot be regenerated: 404.',
    operation: 'rotateWebhookSecret',
    service: (sandbox) => async (call, next) => {
      const sql = `SELECT 1 AS found FROM webhooks WHERE id = ? AND status = 'inactive'`
      const isMeant = call.operation === 'rotateWebhookSecret' && (await isPartner(call, sandbox))
      const row = isMeant ? await rowOf(sandbox, sql, [call.path.webhook_id ?? '']) : undefined
      return row ? problem(404, 'not_found') : next(call)
    },
  },
  'webhook-list-oldest-first': {
    describe: 'Webhooks are listed oldest first.',
    operation: 'listWebhooks',
    success: (body) => ({ data: listOf(body.data).toReversed() }),
  },
  'webhook-of-others-is-403': {
    describe: 'Reading a webhook of another partner responds 403, and so tells that it is there.',
    operation: 'getWebhook',
    response: async (response, call, sandbox) => {
      const isThere = response.status === 404 && (await secretOf(sandbox, call.path.webhook_id))
      return isThere ? problem(403, 'wrong_token_kind') : response
    },
  },
}

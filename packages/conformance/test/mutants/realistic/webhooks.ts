import { type Call, withBody } from '../../faulty/call.ts'
import type { Json } from '../../faulty/json.ts'
import { bodyOf, problem, remade, withJson } from '../../faulty/responses.ts'
import type { TestSandbox } from '../../faulty/sandbox.ts'
import { changeSuccess, isPartner, type Wrap } from '../../faulty/wrap.ts'
import type { Mutants } from '../mutant.ts'
import type { Actor } from '../stage.ts'
import { cached, callerOf, isRefused, listOf, remembering, rowOf, rowsOf } from '../tools.ts'

const CREATE = 'POST /partner/webhook'
const _LIST = 'GET /partner/webhook/'
const URL_OF = 'https://loja.example/pix'
const webhook = (line: string, id: unknown) => line.replace('ID', String(id))
const _READ = 'GET /partner/webhook/ID'
const UPDATE = 'PATCH /partner/webhook/ID'
const _DELETE = 'DELETE /partner/webhook/ID'
const ROTATE = 'PATCH /partner/webhook/ID/secret'

async function created(actor: Actor, more: Json = {}): Promise<Json> {
  return (await actor(CREATE, { type: 'all', url: URL_OF, ...more })).body
}

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
    expects: 'data/0/secret of listWebhooks: a secret is shown once only.',
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
    expects: 'getWebhook shows part of the secret (secret_hint).',
    success: async (body, _, sandbox) => ({
      ...body,
      secret_hint: (await secretOf(sandbox, body.id))?.secret.slice(-8),
    }),
  },
  'webhook-once-per-url': {
    describe: 'A second webhook for the same url is not created: the first one is responded with.',
    operation: 'createWebhook',
    expects: 'createWebhook returns the id and secret of another webhook, where the url is the same.',
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
    expects: 'createWebhook refuses a url of 2048 characters (maxLength).',
    refuse: [({ url }) => String(url).length > 2000, [400, 'invalid_request']],
  },
  'webhook-url-loses-query': {
    describe: 'The url of a webhook is saved without its query.',
    operation: 'createWebhook',
    also: ['getWebhook', 'listWebhooks'],
    expects: 'url of a webhook lacks the query that it was created with.',
    request: (body) => {
      const { url } = body
      return typeof url === 'string' && url.includes('?') && URL.canParse(url) && url.length <= 2048
        ? { ...body, url: url.slice(0, url.indexOf('?')) }
        : body
    },
  },
  'webhook-type-is-always-all': {
    describe: 'The type of a new webhook is saved as all, whatever was asked for.',
    operation: 'createWebhook',
    also: ['getWebhook', 'listWebhooks'],
    expects: 'type of a webhook is all where transfer or qrcode was sent.',
    request: (body) => (['transfer', 'qrcode'].includes(String(body.type)) ? { ...body, type: 'all' } : body),
  },
  'webhook-in-half-a-private-network': {
    describe:
      'Of the private network 172.16.0.0/12, the addresses from 172.24.0.0 on are taken: the mask is wrong.',
    operation: 'createWebhook',
    expects: 'createWebhook takes the private address https://172.31.0.1/.',
    service: takes('createWebhook', ({ hostname }) => /^172\.(2[4-9]|3[01])\./.test(hostname)),
    shows: async ({ partner }) =>
      (await partner(CREATE, { type: 'all', url: 'https://172.31.0.1/pix' })).status,
  },
  'webhook-update-to-private-while-inactive': {
    describe: 'The url of a webhook is not checked where the update makes it inactive.',
    operation: 'updateWebhook',
    expects: 'updateWebhook with status inactive takes a url in a private network.',
    service: takes('updateWebhook', (_, { json }) => json?.status === 'inactive'),
  },
  'webhook-deleted-still-listed': {
    describe: 'A deleted webhook stays in the list, with its deleted_at.',
    operation: 'deleteWebhook',
    also: ['listWebhooks'],
    expects: 'listWebhooks shows a webhook after it was deleted.',
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
    expects: 'deleteWebhook of a deleted webhook must be refused (404).',
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
    expects: 'type of a webhook is not what updateWebhook was sent, where it was inactive.',
    request: async (body, { path }, sandbox) => {
      const sql = 'SELECT type, status FROM webhooks WHERE id = ?'
      const row = await rowOf<{ type: string; status: string }>(sandbox, sql, [path.webhook_id ?? ''])
      const isMeant = row?.status === 'inactive' && ['all', 'transfer', 'qrcode'].includes(String(body.type))
      return isMeant ? { ...body, type: row.type } : body
    },
  },
  'webhook-update-leaves-updated-at': {
    describe: 'An update does not move updated_at.',
    operation: 'updateWebhook',
    also: ['getWebhook', 'listWebhooks'],
    expects: 'updated_at of a webhook is still that of its creation after updateWebhook.',
    afterwards: async ({ id }, _, sandbox) =>
      sandbox.run('UPDATE webhooks SET updated_at = created_at WHERE id = ?', [String(id)]),
  },
  'webhook-update-brings-old-secret-back': {
    describe:
      'An update writes the whole webhook as it was first loaded, so a secret that was regenerated is the old one again.',
    operation: 'updateWebhook',
    also: ['rotateWebhookSecret'],
    expects: 'After rotateWebhookSecret and updateWebhook, deliveries are signed with the old secret.',
    service: remembering(
      () => new Map<unknown, unknown>(),
      async (first, call, next, sandbox) => {
        const response = await next(call)
        const body = response.ok ? await bodyOf(response) : undefined
        if (body && call.operation === 'createWebhook') first.set(body.id, body.secret)
        const secret = call.operation === 'updateWebhook' ? first.get(body?.id) : undefined
        if (secret)
          await sandbox.run('UPDATE webhooks SET secret = ?, old_secret = NULL WHERE id = ?', [
            String(secret),
            String(body?.id),
          ])
        return response
      },
    ),
    shows: async ({ partner, sandbox }) => {
      const { id, secret } = await created(partner)
      await partner(webhook(ROTATE, id))
      await partner(webhook(UPDATE, id), { status: 'active', type: 'all', url: URL_OF })
      return (await secretOf(sandbox, id))?.secret === secret
    },
  },
  'webhook-update-null-url-500': {
    describe: 'A url of null passes the validation and fails in the database: 500.',
    operation: 'updateWebhook',
    expects: 'updateWebhook responds 500 to url: null.',
    service: (sandbox) => async (call, next) => {
      const isMeant = call.operation === 'updateWebhook' && call.json?.url === null
      return isMeant && (await isPartner(call, sandbox)) ? problem(500, 'internal_error') : next(call)
    },
  },
  'webhook-update-without-status': {
    describe: 'An update without status is taken, and leaves the status as it is.',
    operation: 'updateWebhook',
    expects: 'updateWebhook takes a body without the required status.',
    request: async (body, { path }, sandbox) => {
      const sql = 'SELECT status FROM webhooks WHERE id = ?'
      const row =
        'status' in body ? undefined : await rowOf<{ status: string }>(sandbox, sql, [path.webhook_id ?? ''])
      return { ...row, ...body }
    },
  },
  'webhook-rotate-inactive-404': {
    describe: 'The secret of an inactive webhook cannot be regenerated: 404.',
    operation: 'rotateWebhookSecret',
    expects: 'rotateWebhookSecret responds 404 to an inactive webhook of the partner.',
    service: (sandbox) => async (call, next) => {
      const sql = `SELECT 1 AS found FROM webhooks WHERE id = ? AND status = 'inactive'`
      const isMeant = call.operation === 'rotateWebhookSecret' && (await isPartner(call, sandbox))
      const row = isMeant ? await rowOf(sandbox, sql, [call.path.webhook_id ?? '']) : undefined
      return row ? problem(404, 'not_found') : next(call)
    },
  },
  'webhook-rotate-activates': {
    describe: 'Regenerating the secret of an inactive webhook makes it active.',
    operation: 'rotateWebhookSecret',
    also: ['getWebhook'],
    expects: 'status of a webhook changes from inactive to active by rotateWebhookSecret.',
    afterwards: async ({ id }, _, sandbox) =>
      sandbox.run(`UPDATE webhooks SET status = 'active' WHERE id = ?`, [String(id)]),
  },
  'webhook-read-cached': {
    describe: 'The lookup of a webhook is cached for half a minute, and an update does not empty the cache.',
    operation: 'getWebhook',
    also: ['updateWebhook', 'deleteWebhook', 'rotateWebhookSecret'],
    expects: 'getWebhook shows what the webhook was before updateWebhook, or shows a deleted one.',
    service: cached(30, ({ operation, path, headers }) =>
      operation === 'getWebhook' ? `${headers.get('authorization')} ${path.webhook_id}` : undefined,
    ),
  },
  'webhook-list-oldest-first': {
    describe: 'Webhooks are listed oldest first.',
    operation: 'listWebhooks',
    expects: 'listWebhooks is not newest first.',
    success: (body) => ({ data: listOf(body.data).toReversed() }),
  },
  'webhook-list-ends-at-twenty': {
    describe: 'The list of webhooks shows the newest twenty, and there is no way to the others.',
    operation: 'listWebhooks',
    expects: 'listWebhooks lacks webhooks, once there are more than 20.',
    success: (body) => ({ data: listOf(body.data).slice(0, 20) }),
  },
  'webhook-of-others-is-403': {
    describe: 'Reading a webhook of another partner responds 403, and so tells that it is there.',
    operation: 'getWebhook',
    expects: 'getWebhook must respond 404 to the webhook of another partner, not 403.',
    response: async (response, call, sandbox) => {
      const isThere = response.status === 404 && (await secretOf(sandbox, call.path.webhook_id))
      return isThere ? problem(403, 'wrong_token_kind') : response
    },
  },
}

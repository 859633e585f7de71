import type { Call } from '../call.ts'
import type { Faults } from '../fault.ts'
import { change, type Json, set } from '../json.ts'
import { bodyOf, problem, withJson } from '../responses.ts'
import type { TestSandbox } from '../sandbox.ts'
import { changeSuccess, retry, type Wrap } from '../wrap.ts'

type Items = readonly Json[]

const alone = ['record-changes'] as const
const shown = ['record-shown'] as const
const paid = ['used-records'] as const

/** Records that are changed, shown or ended incorrectly. */
export const records: Faults = {
  'listed-as-another-type': {
    operation: 'listWebhooks',
    rule: shown,
    describe: 'The list of webhooks shows each as one of the type all.',
    success: change('/data/*/type', () => 'all'),
  },
  'listed-with-another-url': {
    operation: 'listWebhooks',
    rule: shown,
    describe: 'The list of webhooks shows their URLs without the path.',
    success: change('/data/*/url', (it) => new URL(String(it)).origin),
  },
  'code-listed-with-another-amount': {
    operation: 'listDueDateQrCodes',
    elsewhere: ['createDueDateQrCode'],
    rule: shown,
    describe: 'The list of due-date codes shows their amounts in whole reais.',
    success: change('/data/*/amount/original', (it) => String(it).replace(/\d\d$/, '00')),
  },
  'list-behind-updates': {
    operation: 'listWebhooks',
    elsewhere: ['updateWebhook'],
    rule: ['record-changes', 'record-shown'],
    describe: 'The list of webhooks shows them as they were created.',
    service: listedAsCreated,
  },
  'update-changes-all': {
    operation: 'updateWebhook',
    rule: alone,
    describe: 'A change of the status of a webhook changes that of every one.',
    afterwards: ({ status }, _, sandbox) =>
      sandbox.run('UPDATE webhooks SET status = ? WHERE deleted_at IS NULL', [String(status)]),
  },
  'deletion-by-url': {
    operation: 'deleteWebhook',
    rule: alone,
    describe: 'With a webhook, every other one of the same URL is deleted.',
    afterwards: (_, { path }, sandbox) =>
      sandbox.run(
        `UPDATE webhooks SET deleted_at = created_at
          WHERE deleted_at IS NULL AND url = (SELECT url FROM webhooks WHERE id = ?)`,
        [path.webhook_id ?? ''],
      ),
  },
  'cancellation-of-the-one-before': {
    operation: 'cancelDueDateQrCode',
    rule: alone,
    describe: 'With a due-date code, the one before it is cancelled.',
    afterwards: (_, { path }, sandbox) =>
      sandbox.run(
        `UPDATE qrcodes SET status = 'REMOVIDA_PELO_USUARIO_RECEBEDOR' WHERE status = 'ATIVA' AND position =
          (SELECT max(b.position) FROM qrcodes a JOIN qrcodes b ON b.position < a.position AND b.kind = a.kind
          WHERE a.id = ?)`,
        [path.id ?? ''],
      ),
  },
  'webhook-of-the-same-url-replaced': {
    operation: 'createWebhook',
    rule: [...alone, 'record-shown'],
    describe: 'A second webhook of a URL takes the place of the first.',
    afterwards: ({ id }, { json }, sandbox) =>
      sandbox.run('UPDATE webhooks SET deleted_at = created_at WHERE url = ? AND id <> ?', [
        String(json?.url),
        String(id),
      ]),
  },
  'update-makes-it-new': {
    operation: 'updateWebhook',
    elsewhere: ['getWebhook'],
    rule: ['record-changes'],
    describe: 'A change of a webhook sets the moment at which it was created.',
    afterwards: (_, { path }, sandbox) =>
      sandbox.run(
        'UPDATE webhooks SET created_at = created_at + 1000, updated_at = updated_at + 1000 WHERE id = ?',
        [path.webhook_id ?? ''],
      ),
  },
  'updated-at-stays': {
    operation: 'updateWebhook',
    elsewhere: ['getWebhook'],
    rule: ['updated-at-moves'],
    describe: 'A change of a webhook leaves the moment of its last change.',
    service: keepingMoment,
  },
  'updated-at-stays-on-cancellation': {
    operation: 'cancelImmediateQrCode',
    rule: ['updated-at-moves'],
    describe: 'A cancellation leaves the moment of the last change.',
    success: (it) => ({ ...it, updated_at: it.created_at }),
  },
  'deleted-webhook-changed': {
    operation: 'updateWebhook',
    rule: ['record-changes'],
    describe: 'A webhook that was deleted is changed with success.',
    service: revived('updateWebhook'),
  },
  'deleted-secret-rotated': {
    operation: 'rotateWebhookSecret',
    rule: ['record-changes'],
    describe: 'The secret of a webhook that was deleted is changed, and shown.',
    service: revived('rotateWebhookSecret'),
  },
  'rotation-reactivates': {
    operation: 'rotateWebhookSecret',
    elsewhere: ['getWebhook'],
    rule: ['record-changes'],
    describe: 'A webhook that was inactive is active once its secret is changed.',
    afterwards: (_, { path }, sandbox) =>
      sandbox.run(`UPDATE webhooks SET status = 'active' WHERE id = ?`, [path.webhook_id ?? '']),
  },
  'rotation-forgets-the-type': {
    operation: 'rotateWebhookSecret',
    elsewhere: ['getWebhook'],
    rule: ['record-changes'],
    describe: 'A webhook has the type all once its secret is changed.',
    afterwards: (_, { path }, sandbox) =>
      sandbox.run(`UPDATE webhooks SET type = 'all' WHERE id = ?`, [path.webhook_id ?? '']),
  },
  'paid-code-cancelled': {
    operation: 'cancelImmediateQrCode',
    rule: paid,
    describe: 'A code that was paid is cancelled with success.',
    service: retry('cancelImmediateQrCode', ['qrcode_paid'], async (call, sandbox) => {
      await sandbox.run(`UPDATE qrcodes SET status = 'ATIVA', transfer_id = NULL WHERE id = ?`, [
        call.path.id ?? '',
      ])
      await sandbox.run('UPDATE transfers SET qrcode_id = NULL WHERE qrcode_id = ?', [call.path.id ?? ''])
      return call
    }),
  },
  'paid-code-listed-as-open': {
    operation: 'listImmediateQrCodes',
    rule: paid,
    describe: 'A code that was paid is listed as open.',
    success: change('/data/*/status', (it) => (it === 'CONCLUIDA' ? 'ATIVA' : it)),
  },
  'paid-code-not-listed': {
    operation: 'listImmediateQrCodes',
    rule: paid,
    describe: 'A code that was paid is no longer listed.',
    success: change('/data', (it) => (it as Json[]).filter((code) => statusOf(code) !== 'CONCLUIDA')),
  },
  'paid-code-checked': {
    operation: 'checkCode',
    elsewhere: ['createTransfer'],
    rule: ['refusals'],
    describe: 'A code that was paid is checked with success, as if it were open.',
    service: checkedAgain,
  },
  'cancellation-forgets-the-payer': {
    operation: 'cancelDueDateQrCode',
    elsewhere: ['listDueDateQrCodes'],
    rule: ['record-changes'],
    describe: 'A code that is cancelled has no payer any more.',
    success: set('/payer', null),
  },
  'cancellation-without-revision': {
    operation: 'cancelImmediateQrCode',
    elsewhere: ['listImmediateQrCodes'],
    rule: ['record-changes'],
    describe: 'A cancellation leaves the revision of a code as it was.',
    afterwards: (_, { path }, sandbox) =>
      sandbox.run('UPDATE qrcodes SET revision = 0 WHERE id = ?', [path.id ?? '']),
  },
  'foreign-tx-id-taken': {
    operation: 'createImmediateQrCode',
    elsewhere: ['createDueDateQrCode'],
    rule: ['values-unique'],
    describe: 'A tx_id is refused that another partner has used.',
    service: globallyUnique,
  },
  'tx-id-used-at-once': {
    operation: 'createDueDateQrCode',
    rule: ['values-unique'],
    describe: 'Of codes of one tx_id that are created at once, all are.',
    service: racing,
  },
  'refused-url-kept': {
    operation: 'updateWebhook',
    elsewhere: ['getWebhook', 'listWebhooks'],
    rule: ['record-changes'],
    describe: 'Of a change that is refused, the URL is kept where it is right.',
    response: async (response, { json, path }, sandbox) => {
      if (response.status === 400 && /^https:\/\//.test(String(json?.url)))
        await sandbox.run(`UPDATE webhooks SET url = ? || '?' WHERE id = ?`, [
          String(json?.url),
          path.webhook_id ?? '',
        ])
      return response
    },
  },
  'cancel-of-the-other-kind': {
    operation: 'cancelImmediateQrCode',
    rule: alone,
    describe: 'The cancellation of immediate codes cancels due-date codes as well.',
    service: cancellingBoth,
  },
  'user-listed-twice': {
    operation: 'listUsers',
    rule: ['listed-once'],
    describe: 'The list of users has each of them twice.',
    success: change('/users', (it) => [...(it as Items), ...(it as Items)]),
  },
  'webhook-listed-twice': {
    operation: 'listWebhooks',
    rule: ['listed-once', 'record-shown'],
    describe: 'The list of webhooks has the newest twice.',
    success: change('/data', (it) => [...(it as Items).slice(0, 1), ...(it as Items)]),
  },
  'user-shown-with-another-email': {
    operation: 'getUser',
    elsewhere: ['listUsers'],
    rule: ['record-shown'],
    describe: 'A user has another e-mail alone than on the list.',
    success: change('/user/email', (it) => `nao-${it}`),
  },
  'user-of-another-id-shown': {
    operation: 'getUser',
    rule: ['invariants'],
    describe: 'A user is shown with the id of somebody else.',
    success: set('/user_id', '9e0f7ba1-6c2f-4d66-9b48-7a3a5a1f0c13'),
  },
}

/** Lists webhooks as they were before their update. */
function statusOf(code: Json): unknown {
  return typeof code === 'object' && code !== null && 'status' in code ? code.status : undefined
}

function listedAsCreated(sandbox: TestSandbox): ReturnType<Wrap> {
  const old = new Map<unknown, Json>()
  const list = changeSuccess(
    'listWebhooks',
    change('/data/*', (it) => old.get((it as Json).id) ?? it),
  )(sandbox)
  return async (call, next) => {
    if (call.operation !== 'updateWebhook') return list(call, next)
    const authorization = call.headers.get('authorization')
    const before = await sandbox.send('GET', `/partner/webhook/${call.path.webhook_id}`, { authorization })
    const response = await next(call)
    if (response.ok && !old.has(before.id)) old.set(before.id, before)
    return response
  }
}

/** Resets updated_at. */
function keepingMoment(sandbox: TestSandbox): ReturnType<Wrap> {
  return async (call, next) => {
    const response = await next(call)
    if (call.operation !== 'updateWebhook' || !response.ok) return response
    await sandbox.run('UPDATE webhooks SET updated_at = created_at WHERE id = ?', [
      call.path.webhook_id ?? '',
    ])
    const body = (await bodyOf(response)) ?? {}
    return withJson(response, { ...body, updated_at: body.created_at })
  }
}

/** Performs an operation on a deleted webhook, and leaves it deleted. */
function revived(id: 'updateWebhook' | 'rotateWebhookSecret'): Wrap {
  return (sandbox) => async (call, next) => {
    const response = await next(call)
    if (call.operation !== id || response.status !== 404) return response
    const of = [call.path.webhook_id ?? '']
    const mark = 'UPDATE webhooks SET deleted_at = NULL, partner_id = partner_id WHERE id = ?'
    await sandbox.run(mark, of)
    const again = await next(call)
    await sandbox.run('UPDATE webhooks SET deleted_at = created_at WHERE id = ?', of)
    return again
  }
}

/** Returns the first check of a code again after it was paid. */
function checkedAgain(): ReturnType<Wrap> {
  const known = new Map<unknown, Response>()
  return async (call, next) => {
    const response = await next(call)
    if (call.operation !== 'checkCode') return response
    if (response.ok) known.set(call.json?.emv, response.clone())
    const { code } = (await bodyOf(response)) ?? {}
    return code === 'code_paid' ? (known.get(call.json?.emv)?.clone() ?? response) : response
  }
}

function globallyUnique(): ReturnType<Wrap> {
  const used = new Map<unknown, string | null>()
  return async (call, next) => {
    const isMeant = call.operation === 'createImmediateQrCode' || call.operation === 'createDueDateQrCode'
    if (!isMeant) return next(call)
    const caller = call.headers.get('authorization')
    const owner = used.get(call.json?.tx_id)
    if (owner !== undefined && owner !== caller) return problem(409, 'tx_id_taken')
    const response = await next(call)
    if (response.ok) used.set(call.json?.tx_id, caller)
    return response
  }
}

/** Gives concurrently created charges another tx_id, but shows the requested one. */
function racing(): ReturnType<Wrap> {
  const running = new Map<unknown, number>()
  return async (call, next) => {
    if (call.operation !== 'createDueDateQrCode') return next(call)
    const asked = call.json?.tx_id
    const others = running.get(asked) ?? 0
    running.set(asked, others + 1)
    // Long enough for concurrent requests to meet.
    await new Promise((resolve) => setTimeout(resolve, 30))
    const response = await next(others > 0 ? renamed(call) : call)
    running.set(asked, (running.get(asked) ?? 1) - 1)
    const body = response.ok ? await bodyOf(response) : undefined
    return body ? withJson(response, { ...body, tx_id: asked }) : response
  }
}

function renamed(call: Call): Call {
  const text = JSON.stringify({ ...call.json, tx_id: crypto.randomUUID().replaceAll('-', '') })
  const json: Json = JSON.parse(text)
  return { ...call, json, bytes: new TextEncoder().encode(text), headers: withoutLength(call.headers) }
}

function withoutLength(headers: Headers): Headers {
  const kept = new Headers(headers)
  kept.delete('content-length')
  return kept
}

function cancellingBoth(): ReturnType<Wrap> {
  return async (call, next) => {
    const response = await next(call)
    if (call.operation !== 'cancelImmediateQrCode' || response.status !== 404) return response
    const url = new URL(call.url)
    url.pathname = url.pathname.replace('/immediate/', '/due-date/')
    return next({ ...call, url })
  }
}

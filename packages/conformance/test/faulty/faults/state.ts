import { type Call, withQuery } from '../call.ts'
import type { Faults } from '../fault.ts'
import { change, drop, type Json, set } from '../json.ts'
import { problem } from '../responses.ts'
import type { TestSandbox } from '../sandbox.ts'
import { changeSuccess, retry, type Wrap } from '../wrap.ts'

type Items = readonly Json[]

const CANCELLED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'
const echo = ['record-shown'] as const

/** State that is stored, repeated, changed, listed or removed incorrectly. */
export const state: Faults = {
  'webhook-lost': {
    operation: 'createWebhook',
    elsewhere: ['getWebhook', 'listWebhooks'],
    rule: ['record-shown'],
    describe: 'A webhook that was created is not there.',
    afterwards: ({ id }, _, sandbox) =>
      sandbox.run('UPDATE webhooks SET deleted_at = created_at WHERE id = ?', [String(id)]),
  },
  'list-misses-the-newest': {
    operation: 'listWebhooks',
    elsewhere: ['createWebhook'],
    rule: ['record-shown'],
    describe: 'The list of webhooks lacks the one that was created last.',
    success: onItems((items) => items.slice(1)),
  },
  'immediate-code-lost': {
    operation: 'createImmediateQrCode',
    elsewhere: ['listImmediateQrCodes', 'cancelImmediateQrCode', 'checkCode'],
    rule: ['record-shown'],
    describe: 'An immediate code that was created can be neither listed nor cancelled.',
    afterwards: ({ id }, _, sandbox) => sandbox.run('DELETE FROM qrcodes WHERE id = ?', [String(id)]),
  },
  'change-not-kept': {
    operation: 'updateWebhook',
    elsewhere: ['getWebhook', 'listWebhooks'],
    rule: ['record-changes'],
    describe: 'An update of a webhook succeeds, but is not stored.',
    service: forgetting(['url', 'type', 'status']),
  },
  'url-not-kept': {
    operation: 'updateWebhook',
    elsewhere: ['getWebhook', 'listWebhooks'],
    rule: ['record-changes'],
    describe: 'Of a change of a webhook, the URL is not kept.',
    service: forgetting(['url']),
  },
  'deletion-not-done': {
    operation: 'deleteWebhook',
    elsewhere: ['getWebhook', 'listWebhooks'],
    rule: ['record-changes'],
    describe: 'A deletion succeeds, but the webhook still exists.',
    afterwards: (_, { path }, sandbox) =>
      sandbox.run('UPDATE webhooks SET deleted_at = NULL WHERE id = ?', [path.webhook_id ?? '']),
  },
  'deleted-still-listed': {
    operation: 'listWebhooks',
    elsewhere: ['deleteWebhook'],
    rule: ['record-changes'],
    describe: 'A webhook that was deleted stays on the list.',
    service: stillListed,
  },
  'deleted-again': {
    operation: 'deleteWebhook',
    rule: ['record-changes'],
    describe: 'What is not there is deleted with success.',
    response: (it) => (it.status === 404 ? new Response(null, { status: 204, headers: requestId(it) }) : it),
  },
  'cancellation-not-kept': {
    operation: 'cancelImmediateQrCode',
    elsewhere: ['listImmediateQrCodes'],
    rule: ['record-changes'],
    describe: 'A cancellation succeeds, but the code stays open.',
    afterwards: (_, { path }, sandbox) => reopened(sandbox, path.id),
  },
  'cancelled-listed-as-open': {
    operation: 'listDueDateQrCodes',
    elsewhere: ['cancelDueDateQrCode'],
    rule: ['record-changes'],
    describe: 'A code that was cancelled is listed as open.',
    success: onItems((items) =>
      items.map((it) => (it.status === CANCELLED ? { ...it, status: 'ATIVA', revision: 0 } : it)),
    ),
  },
  'second-cancellation-refused': {
    operation: 'cancelDueDateQrCode',
    rule: ['record-changes'],
    describe: 'A code that was cancelled is not there for a second cancellation.',
    service: onSecondCancellation(() => problem(404, 'not_found')),
  },
  'second-cancellation-counted': {
    operation: 'cancelImmediateQrCode',
    rule: ['record-changes'],
    describe: 'A second cancellation changes the revision again.',
    success: async (body, { path }, sandbox) => {
      await sandbox.run('UPDATE qrcodes SET revision = revision + 1 WHERE id = ?', [path.id ?? ''])
      return body
    },
  },
  'secret-stays': {
    operation: 'rotateWebhookSecret',
    rule: ['record-changes'],
    describe: 'Rotating a secret returns the old one.',
    success: async (body, { path }, sandbox) => {
      await sandbox.run(RESTORE, [path.webhook_id ?? ''])
      const row = await secretOf(sandbox, path.webhook_id)
      return { ...body, secret: row }
    },
  },
  'tx-id-used-twice': {
    operation: 'createImmediateQrCode',
    rule: ['values-unique'],
    describe: 'A second code may have the same tx_id.',
    service: retry('createImmediateQrCode', ['tx_id_taken'], freedTxId()),
  },
  'tx-id-used-by-both-kinds': {
    operation: 'createDueDateQrCode',
    elsewhere: ['createImmediateQrCode'],
    rule: ['values-unique'],
    describe: 'A due-date code may have the tx_id of an immediate one.',
    service: retry('createDueDateQrCode', ['tx_id_taken'], freedTxId('Immediate')),
  },
  'refused-change-kept': {
    operation: 'updateWebhook',
    elsewhere: ['getWebhook', 'listWebhooks'],
    rule: ['record-changes'],
    describe: 'Of a change that is refused, the status is kept.',
    response: async (response, { json, path }, sandbox) => {
      const isGiven = json?.status === 'active' || json?.status === 'inactive'
      if ((response.status === 400 || response.status === 422) && isGiven)
        await sandbox.run(STATUS, [String(json.status), path.webhook_id ?? ''])
      return response
    },
  },
  'refused-webhook-kept': {
    operation: 'createWebhook',
    elsewhere: ['listWebhooks'],
    rule: ['record-changes'],
    describe: 'A webhook whose creation is refused is there afterwards.',
    response: async (response, { headers }, sandbox) => {
      const authorization = headers.get('authorization')
      const isRefused = response.status === 400 || response.status === 422
      const body = { type: 'all', url: 'https://loja.example/pix' }
      if (isRefused) await sandbox.send('POST', '/partner/webhook', { authorization, body })
      return response
    },
  },
  'refused-code-kept': {
    operation: 'createImmediateQrCode',
    elsewhere: ['listImmediateQrCodes'],
    rule: ['record-changes', 'values-unique'],
    describe: 'A code that is refused for its tx_id is there afterwards, under another one.',
    response: async (response, { headers, json }, sandbox) => {
      const authorization = headers.get('authorization')
      const tx_id = crypto.randomUUID().replaceAll('-', '')
      if (response.status === 409)
        await sandbox.send('POST', IMMEDIATE, { authorization, body: { ...json, tx_id } })
      return response
    },
  },
  'limit-ignored': {
    operation: 'listImmediateQrCodes',
    rule: ['list-pages'],
    describe: 'A page holds twenty codes, whatever its limit.',
    call: rightly('limit', /^([1-9]\d?|100)$/),
  },
  'item-on-two-pages': {
    operation: 'listImmediateQrCodes',
    rule: ['list-pages'],
    describe: 'The last code of a page is the first one of the next.',
    call: (call) => movedCursor(call, 1),
  },
  'item-on-no-page': {
    operation: 'listDueDateQrCodes',
    rule: ['list-pages'],
    describe: 'Between two pages, a code is left out.',
    success: (body, { url }) => withoutFirst(body, url),
  },
  'cursor-never-ends': {
    operation: 'listImmediateQrCodes',
    rule: ['list-pages'],
    describe: 'After the last page there is always another one, which is empty.',
    success: (body) => ({
      ...body,
      next_cursor: body.next_cursor ?? cursorOf(1),
    }),
  },
  'status-filter-ignored': {
    operation: 'listImmediateQrCodes',
    rule: ['list-pages'],
    describe: 'The filter by status filters nothing.',
    call: rightly('status', /^(ATIVA|CONCLUIDA|REMOVIDA_\w+)$/),
  },
  'tax-id-filter-ignored': {
    operation: 'listDueDateQrCodes',
    rule: ['list-pages'],
    describe: 'The filter by tax_id filters nothing.',
    call: rightly('tax_id', /^(\d{11}|[\dA-Z]{12}\d\d)$/),
  },
  'filter-misses-the-newest': {
    operation: 'listImmediateQrCodes',
    elsewhere: ['createImmediateQrCode'],
    rule: ['list-pages', 'record-shown'],
    describe: 'The filter by status leaves out the newest code that has it.',
    success: (body, { url }) =>
      url.searchParams.has('status') && !url.searchParams.has('cursor')
        ? onItems((items) => items.slice(1))(body)
        : body,
  },
  'codes-oldest-first': {
    operation: 'listImmediateQrCodes',
    rule: ['list-pages'],
    describe: 'The codes of a page have the oldest first.',
    success: onItems((items) => items.toReversed()),
  },
  'webhooks-oldest-first': {
    operation: 'listWebhooks',
    rule: ['list-pages'],
    describe: 'The list of webhooks has the oldest first.',
    success: onItems((items) => items.toReversed()),
  },
  'updated-before-created': {
    operation: 'updateWebhook',
    rule: ['record-changes', 'invariants'],
    describe: 'A webhook was changed before it was created.',
    success: (it) => ({ ...it, updated_at: secondBefore(it.created_at) }),
  },
  'list-shows-secrets': {
    operation: 'listWebhooks',
    rule: ['secret-shown-once', 'undeclared-fields'],
    describe: 'The list of webhooks shows their secrets.',
    success: async (body, _, sandbox) => {
      const items = body.data as Items
      const secrets = await Promise.all(items.map(({ id }) => secretOf(sandbox, String(id))))
      return { ...body, data: items.map((it, i) => ({ ...it, secret: secrets[i] })) }
    },
  },
  'url-kept-otherwise': {
    operation: 'getWebhook',
    elsewhere: ['createWebhook', 'updateWebhook'],
    rule: echo,
    describe: 'A webhook is kept with another URL than it was given.',
    success: change('/url', (it) => `${it}?`),
  },
  'webhook-type-kept-otherwise': {
    operation: 'createWebhook',
    elsewhere: ['getWebhook', 'listWebhooks'],
    rule: echo,
    describe: 'Every webhook is kept as one of the type all.',
    request: change('/type', (it) => (it === 'transfer' ? 'all' : it)),
  },
  'email-of-payer-lost': {
    operation: 'createDueDateQrCode',
    rule: ['record-shown'],
    describe: 'The e-mail of a payer is not kept.',
    success: drop('/payer/email'),
  },
  'infos-turned-round': {
    operation: 'createImmediateQrCode',
    rule: ['record-shown'],
    describe: 'The additional_infos of a code come back in another order.',
    success: change('/additional_infos', (it) => (it as Items).toReversed()),
  },
  'expiration-kept-otherwise': {
    operation: 'createImmediateQrCode',
    rule: ['record-shown'],
    describe: 'Every charge lives for a day.',
    request: onlyValid('/calendar/expiration', 86_400),
  },
  'description-lost': {
    operation: 'createTransfer',
    rule: ['record-shown'],
    describe: 'The description of a transfer is empty.',
    success: set('/data/description', ''),
  },
}

const IMMEDIATE = '/pix/qrcode/dynamic/immediate'
const RESTORE = 'UPDATE webhooks SET secret = old_secret, old_secret = NULL WHERE id = ?'
const STATUS = 'UPDATE webhooks SET status = ? WHERE id = ? AND deleted_at IS NULL'

function onItems(edit: (items: Items) => Items) {
  return (body: Json) => ({ ...body, data: edit(body.data as Items) })
}

function requestId(response: Response) {
  return { 'x-request-id': response.headers.get('x-request-id') ?? '' }
}

function reopened(sandbox: TestSandbox, id: string | undefined): Promise<void> {
  return sandbox.run(`UPDATE qrcodes SET status = 'ATIVA', revision = 0 WHERE id = ?`, [id ?? ''])
}

async function secretOf(sandbox: TestSandbox, id: string | undefined): Promise<string | undefined> {
  const sql = 'SELECT secret FROM webhooks WHERE id = ?'
  const row = await sandbox.app.store.read((queries) => queries.get<{ secret: string }>(sql, [id ?? '']))
  return row?.secret
}

/** Resets some fields of a webhook to their values before an update. */
function forgetting(fields: readonly ('url' | 'type' | 'status')[]): Wrap {
  return (sandbox) => async (call, next) => {
    if (call.operation !== 'updateWebhook') return next(call)
    const id = call.path.webhook_id ?? ''
    const sql = 'SELECT url, type, status FROM webhooks WHERE id = ?'
    const row = await sandbox.app.store.read((queries) => queries.get<Record<string, string>>(sql, [id]))
    const response = await next(call)
    for (const field of response.ok ? fields : [])
      await sandbox.run(`UPDATE webhooks SET ${field} = ? WHERE id = ?`, [row?.[field] ?? '', id])
    return response
  }
}

/** Lists deleted webhooks. */
function stillListed(sandbox: TestSandbox): ReturnType<Wrap> {
  const deleted = new Map<string, { webhook: Json; authorization: string | null }>()
  const list = changeSuccess('listWebhooks', (body, { headers }) => {
    const items = body.data as Items
    const authorization = headers.get('authorization')
    const own = [...deleted.values()].filter((it) => it.authorization === authorization)
    return { ...body, data: [...own.map(({ webhook }) => webhook), ...items] }
  })
  const listed = list(sandbox)
  return async (call, next) => {
    if (call.operation !== 'deleteWebhook') return listed(call, next)
    const authorization = call.headers.get('authorization')
    const webhook = await sandbox.send('GET', `/partner/webhook/${call.path.webhook_id}`, { authorization })
    const response = await next(call)
    if (response.ok) deleted.set(String(webhook.id), { webhook, authorization })
    return response
  }
}

function onSecondCancellation(instead: () => Response): Wrap {
  return () => {
    const cancelled = new Set<string | undefined>()
    return async (call, next) => {
      if (call.operation !== 'cancelDueDateQrCode') return next(call)
      if (cancelled.has(call.path.id)) return instead()
      const response = await next(call)
      if (response.ok) cancelled.add(call.path.id)
      return response
    }
  }
}

/** Changes the tx_id of an existing code, so that it can be used again. */
function freedTxId(kind?: string) {
  return async (call: Call, sandbox: TestSandbox) => {
    const sql = `UPDATE qrcodes SET tx_id = ? WHERE tx_id = ? ${kind ? `AND kind = '${kind}'` : ''}`
    await sandbox.run(sql, [crypto.randomUUID().replaceAll('-', ''), String(call.json?.tx_id)])
    return call
  }
}

/** Ignores a valid parameter; an invalid one is still refused. */
function rightly(name: string, right: RegExp) {
  return (call: Call) =>
    right.test(call.url.searchParams.get(name) ?? '') ? withQuery(call, name, null) : call
}

function cursorOf(position: number): string {
  return `c_${Buffer.from(String(position)).toString('base64url')}`
}

function movedCursor(call: Call, by: number): Call {
  const cursor = call.url.searchParams.get('cursor')
  const position = Number(Buffer.from(cursor?.slice(2) ?? '', 'base64url').toString())
  return position > 0 ? withQuery(call, 'cursor', cursorOf(position + by)) : call
}

function withoutFirst(body: Json, url: URL): Json {
  return url.searchParams.has('cursor') ? onItems((items) => items.slice(1))(body) : body
}

function secondBefore(timestamp: unknown): string {
  return new Date(Date.parse(String(timestamp)) - 1000).toISOString()
}

/** Changes a valid number of a request. */
function onlyValid(pointer: string, value: number) {
  return change(pointer, (it) => (Number.isInteger(it) && Number(it) > 0 ? value : it))
}

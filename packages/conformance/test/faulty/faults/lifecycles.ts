import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, withQuery } from '../call.ts'
import type { Faults } from '../fault.ts'
import { change, type Json } from '../json.ts'
import { bodyOf, problem, withJson } from '../responses.ts'
import type { TestSandbox } from '../sandbox.ts'
import { changeResponse, retry, type Wrap } from '../wrap.ts'

type Items = readonly Json[]
const IMMEDIATE = '/pix/qrcode/dynamic/immediate'
const unused = ['refusal-uses-nothing'] as const
const echo = ['record-shown'] as const

/** Records that go wrong at one point of their lifecycle. */
export const lifecycles: Faults = {
  'pages-by-offset': {
    operation: 'listImmediateQrCodes',
    rule: ['list-pages'],
    describe: 'The next page begins so many codes after the newest, whatever was created meanwhile.',
    service: byOffset,
  },
  'tx-id-free-after-cancellation': {
    operation: 'createImmediateQrCode',
    rule: ['values-unique'],
    describe: 'The tx_id of a code that was cancelled may be used again.',
    service: retry('createImmediateQrCode', ['tx_id_taken'], freed),
  },
  'tax-id-filter-forgotten-on-page-two': {
    operation: 'listDueDateQrCodes',
    rule: ['list-pages'],
    describe: 'From the second page on, the filter by tax_id filters nothing.',
    call: (call) =>
      call.url.searchParams.has('cursor') &&
      /^(\d{11}|[\dA-Z]{12}\d\d)$/.test(call.url.searchParams.get('tax_id') ?? '')
        ? withQuery(call, 'tax_id', null)
        : call,
  },
  'reads-at-once-crossed': {
    operation: 'getWebhook',
    rule: ['record-shown'],
    describe: 'Concurrent reads of webhooks all return the last one.',
    service: crossed,
  },
  'update-to-qrcode-kept-as-all': {
    operation: 'updateWebhook',
    elsewhere: ['getWebhook', 'listWebhooks'],
    rule: ['record-changes'],
    describe: 'A webhook that is changed to the type qrcode is kept as one of the type all.',
    afterwards: ({ type }, { path }, sandbox) =>
      type === 'qrcode'
        ? sandbox.run(`UPDATE webhooks SET type = 'all' WHERE id = ?`, [path.webhook_id ?? ''])
        : Promise.resolve(),
  },
  'url-loses-its-query': {
    operation: 'createWebhook',
    elsewhere: ['getWebhook', 'listWebhooks'],
    rule: echo,
    describe: 'A webhook is kept with its URL up to the question mark.',
    request: change('/url', (it) => (/^https?:/.test(String(it)) ? String(it).replace(/\?.*$/, '') : it)),
  },
  'url-in-small-letters': {
    operation: 'createWebhook',
    elsewhere: ['getWebhook', 'listWebhooks'],
    rule: echo,
    describe: 'A webhook is kept with its URL in small letters.',
    request: change('/url', (it) => (typeof it === 'string' ? it.toLowerCase() : it)),
  },
  'refused-transfer-uses-its-look-up': {
    operation: 'createTransfer',
    elsewhere: ['checkKey'],
    rule: unused,
    describe: 'An initiation_id is used up by a transfer that is refused for want of funds.',
    service: usedUp('insufficient_funds', 'initiation_id', problemOf('initiation_used')),
  },
  'refused-payment-closes-the-charge': {
    operation: 'createTransfer',
    elsewhere: ['checkCode'],
    rule: unused,
    describe: 'A charge is taken as paid once it was refused with another amount.',
    service: usedUp('amount_not_allowed', 'emv', problemOf('code_paid')),
  },
  'refused-code-takes-its-tx-id': {
    operation: 'createDueDateQrCode',
    rule: unused,
    describe: 'A tx_id is taken by a code that is refused by a rule.',
    service: takenByRefused,
  },
  'rejected-payment-closes-the-charge': {
    operation: 'listImmediateQrCodes',
    elsewhere: ['createTransfer'],
    rule: ['money-moves'],
    describe: 'A charge whose payment is rejected is listed as paid.',
    service: closedByRejected,
  },
  'expired-charge-listed-as-removed': {
    operation: 'listImmediateQrCodes',
    rule: ['charge-amounts'],
    describe: 'A charge that has expired is listed as removed.',
    success: (body, _, { app }) =>
      change('/data/*', (it) => removedIfExpired(it as Json, app.clock.now()))(body),
  },
  'cancelled-due-date-charge-checked': {
    operation: 'checkCode',
    elsewhere: ['cancelDueDateQrCode'],
    rule: ['refusals'],
    describe: 'The code of a due-date charge that was cancelled is checked with success.',
    service: retry('checkCode', ['code_cancelled'], async (call, sandbox) => {
      const sql = `UPDATE qrcodes SET status = 'ATIVA' WHERE emv = ? AND kind = 'DueDate'`
      await sandbox.run(sql, [String(call.json?.emv)])
      return call
    }),
  },
  'due-date-code-lost': {
    operation: 'createDueDateQrCode',
    elsewhere: ['listDueDateQrCodes', 'cancelDueDateQrCode', 'checkCode'],
    rule: ['record-shown'],
    describe: 'A due-date code that was created can be neither listed nor cancelled.',
    afterwards: ({ id }, _, sandbox) => sandbox.run('DELETE FROM qrcodes WHERE id = ?', [String(id)]),
  },
  'webhooks-beyond-ten-unlisted': {
    operation: 'listWebhooks',
    rule: ['record-shown'],
    describe: 'The list of webhooks has the ten newest alone.',
    success: change('/data', (it) => (it as Items).slice(0, 10)),
  },
}

async function freed(call: Call, { run }: TestSandbox): Promise<Call> {
  const tx_id = crypto.randomUUID().replaceAll('-', '')
  const sql = `UPDATE qrcodes SET tx_id = ? WHERE tx_id = ? AND status LIKE 'REMOVIDA%'`
  await run(sql, [tx_id, String(call.json?.tx_id)])
  return call
}

/** Uses its own cursors, which count the codes shown so far. */
function byOffset(sandbox: TestSandbox): ReturnType<Wrap> {
  return async (call, next) => {
    if (call.operation !== 'listImmediateQrCodes') return next(call)
    const [, offset = ''] = /^o_(\d+)$/.exec(call.url.searchParams.get('cursor') ?? '') ?? []
    const at = Number(offset)
    const response = await next(offset ? withQuery(call, 'cursor', null) : call)
    const body = response.ok ? await bodyOf(response) : undefined
    if (!body || (call.url.searchParams.has('cursor') && !offset)) return response
    const limit = Number(call.url.searchParams.get('limit') ?? 20)
    const all = await allOf(sandbox, withQuery(withQuery(call, 'cursor', null), 'limit', '100'))
    const next_cursor = all.length > at + limit ? `o_${at + limit}` : null
    return withJson(response, { data: all.slice(at, at + limit), next_cursor })
  }
}

async function allOf({ send }: TestSandbox, { url, headers }: Call): Promise<Items> {
  const authorization = headers.get('authorization')
  const all: Json[] = []
  for (let cursor: unknown = ''; typeof cursor === 'string'; ) {
    const search = `${url.search}${cursor && `&cursor=${cursor}`}`
    const page = await send('GET', `${IMMEDIATE}${search}`, { authorization })
    all.push(...(page.data as Items))
    cursor = page.next_cursor
  }
  return all
}

/** Shares one variable between concurrent reads. */
function crossed(): ReturnType<Wrap> {
  let last: Call | undefined
  return async (call, next) => {
    if (call.operation !== 'getWebhook') return next(call)
    last = call
    await sleep(5)
    return next(last.headers.get('authorization') === call.headers.get('authorization') ? last : call)
  }
}

function problemOf(code: string): () => Response {
  return () => problem(409, code)
}

/** Permanently refuses a value that was refused once with a code. */
function usedUp(code: string, field: string, refusal: () => Response): Wrap {
  return () => {
    const used = new Set<unknown>()
    return async (call, next) => {
      if (call.operation !== 'createTransfer') return next(call)
      const value = call.json?.[field]
      if (used.has(value)) return refusal()
      const response = await next(call)
      if (response.status === 422 && value !== undefined && (await bodyOf(response))?.code === code)
        used.add(value)
      return response
    }
  }
}

function takenByRefused(): ReturnType<Wrap> {
  const taken = new Set<unknown>()
  return async (call, next) => {
    if (call.operation !== 'createDueDateQrCode') return next(call)
    if (taken.has(call.json?.tx_id)) return problem(409, 'tx_id_taken')
    const response = await next(call)
    if (response.status === 422) taken.add(call.json?.tx_id)
    return response
  }
}

const REJECTED = `SELECT qrcode_id AS id FROM transfers WHERE status = 'rejected' AND qrcode_id IS NOT NULL`

function closedByRejected(sandbox: TestSandbox): ReturnType<Wrap> {
  return changeResponse('listImmediateQrCodes', async (it, _, { app }) => {
    const body = it.ok ? await bodyOf(it) : undefined
    if (!body) return it
    const rows = await app.store.read((queries) => queries.all<{ id: string }>(REJECTED))
    const isMeant = ({ id, status }: Json) => status === 'ATIVA' && rows.some((row) => row.id === id)
    const data = (body.data as Items).map((code) => (isMeant(code) ? { ...code, status: 'CONCLUIDA' } : code))
    return withJson(it, { ...body, data })
  })(sandbox)
}

function removedIfExpired(code: Json, now: number): Json {
  const { expiration } = code.calendar as { expiration: number }
  const isOver = Date.parse(String(code.created_at)) + expiration * 1000 < now
  return code.status === 'ATIVA' && isOver ? { ...code, status: 'REMOVIDA_PELO_PSP' } : code
}

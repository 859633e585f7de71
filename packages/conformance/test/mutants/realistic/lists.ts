import { by, type Call, withQuery } from '../../faulty/call.ts'
import type { Json } from '../../faulty/json.ts'
import { bodyOf, withJson } from '../../faulty/responses.ts'
import { before, changeSuccess, type Wrap } from '../../faulty/wrap.ts'
import type { Mutants } from '../mutant.ts'
import type { Stage } from '../stage.ts'
import { callerOf, jsonOf, listOf, ownerOf, remembering, rowOf } from '../tools.ts'
import { IMMEDIATE, immediate, list } from './orders.ts'

type List = 'listImmediateQrCodes' | 'listDueDateQrCodes'

/** Changes the records of each page. */
function ofPage(id: List, change: (data: Json[], call: Call) => Json[]): Wrap {
  return changeSuccess(id, (body, call) => ({ ...body, data: change(listOf(body.data), call) }))
}

/** Lists with other parameters than requested. */
function asked(id: List, change: (url: URL) => Readonly<Record<string, string | null>>): Wrap {
  return before(id, (call) => {
    let changed = call
    for (const [name, value] of Object.entries(change(call.url))) changed = withQuery(changed, name, value)
    return changed
  })
}

const limitOf = ({ searchParams }: URL) => Number(searchParams.get('limit') ?? 20)

async function _create({ partner }: Stage, count: number, more: Json = {}): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push(String((await partner(IMMEDIATE, immediate(more))).body.id))
  return ids
}

/** The ids of all pages, with at most ten records each. */
async function _walked(
  { partner }: Stage,
  kind: 'immediate' | 'due-date',
  query: string,
): Promise<unknown[]> {
  const ids: unknown[] = []
  let cursor: unknown = ''
  for (let page = 0; page < 10 && cursor !== null; page++) {
    const more: string = cursor ? `&cursor=${cursor}` : ''
    const { body } = await partner(list(kind, `${query}${more}`))
    ids.push(...listOf(body.data).map(({ id }) => id))
    cursor = body.next_cursor ?? null
  }
  return ids
}

export const lists: Mutants = {
  'list-immediate-status-after-the-cut': {
    describe:
      'The filter by status is applied to the page that was read, and a page that is not full ends the list.',
    operation: 'listImmediateQrCodes',
    expects: 'Records with the status are missing from the pages of listImmediateQrCodes?status=….',
    service: () => async (call, next) => {
      const status = call.operation === 'listImmediateQrCodes' ? call.url.searchParams.get('status') : null
      if (!status) return next(call)
      const checkedAll = await next(call)
      if (!checkedAll.ok) return checkedAll
      const response = await next(withQuery(call, 'status', null))
      const body = (await bodyOf(response)) ?? {}
      const data = listOf(body.data).filter((it) => it.status === status)
      const next_cursor = data.length < limitOf(call.url) ? null : body.next_cursor
      return withJson(response, { data, next_cursor })
    },
  },
  'list-due-date-one-filter-wins': {
    describe: 'Of the filters status and tax_id together, only status is applied.',
    operation: 'listDueDateQrCodes',
    expects: 'listDueDateQrCodes with status and tax_id lists records of another payer.',
    service: asked('listDueDateQrCodes', ({ searchParams }) =>
      searchParams.has('status') && /^(\d{11}|[\dA-Z]{12}\d\d)$/.test(searchParams.get('tax_id') ?? '')
        ? { tax_id: null }
        : {},
    ),
  },
  'list-immediate-drops-one-between-pages': {
    describe: 'The first record of each further page is skipped: the cursor points one too far.',
    operation: 'listImmediateQrCodes',
    expects: 'Records are missing between the pages of listImmediateQrCodes.',
    service: () => async (call, next) => {
      const limit = limitOf(call.url)
      if (call.operation !== 'listImmediateQrCodes' || !(limit > 0 && limit < 100)) return next(call)
      const right = await next(call)
      const further = (await bodyOf(right))?.next_cursor
      if (!right.ok || !further) return right
      const one = await next(withQuery(withQuery(call, 'cursor', String(further)), 'limit', '1'))
      const next_cursor = (await bodyOf(one))?.next_cursor ?? null
      return withJson(right, { ...(await bodyOf(right)), next_cursor })
    },
  },
  'list-immediate-loops-with-filter': {
    describe: 'With a tax_id the cursor is ignored, so every page is the first one.',
    operation: 'listImmediateQrCodes',
    expects: 'The pages of listImmediateQrCodes?tax_id=… never end, or repeat records.',
    service: asked('listImmediateQrCodes', ({ searchParams }) =>
      searchParams.has('tax_id') && /^c_/.test(searchParams.get('cursor') ?? '') ? { cursor: null } : {},
    ),
  },
  'list-due-date-ten-by-default': {
    describe: 'A page holds ten records where no limit is given.',
    operation: 'listDueDateQrCodes',
    expects: 'listDueDateQrCodes without limit shows 10 records and a next_cursor instead of 20.',
    service: asked('listDueDateQrCodes', ({ searchParams }) =>
      searchParams.has('limit') ? {} : { limit: '10' },
    ),
  },
  'list-due-date-moves-changed-to-the-front': {
    describe: 'The list is in the order of the last change: a charge that is cancelled moves to the front.',
    operation: 'listDueDateQrCodes',
    expects: 'listDueDateQrCodes is not newest first by created_at once an older charge was cancelled.',
    state: [
      `CREATE TRIGGER mutant AFTER UPDATE OF status ON qrcodes WHEN NEW.kind = 'DueDate' BEGIN
        UPDATE qrcodes SET position = (SELECT max(position) + 1 FROM qrcodes) WHERE id = NEW.id; END`,
    ],
  },
  'list-immediate-of-the-partner': {
    describe: 'A customer sees the charges of the partner instead of its own.',
    operation: 'listImmediateQrCodes',
    expects:
      'listImmediateQrCodes with an impersonated token shows charges of the partner, or lacks its own.',
    service: (sandbox) => async (call, next) => {
      const caller = call.operation === 'listImmediateQrCodes' ? await callerOf(call, sandbox) : undefined
      return next(caller?.customer_id ? by(call, await ownerOf(call, sandbox)) : call)
    },
  },
  'list-immediate-status-from-replica': {
    describe:
      'For a minute after a cancellation the list still says ATIVA: it is read from a copy that lags.',
    operation: 'listImmediateQrCodes',
    also: ['cancelImmediateQrCode'],
    expects: 'listImmediateQrCodes shows a cancelled charge as ATIVA, or lists it under status=ATIVA.',
    service: remembering(
      () => new Map<unknown, number>(),
      async (cancelled, call, next, { app }) => {
        const response = await next(call)
        const now = app.clock.now()
        if (response.ok && call.operation === 'cancelImmediateQrCode') cancelled.set(call.path.id, now)
        if (!response.ok || call.operation !== 'listImmediateQrCodes') return response
        const body = (await bodyOf(response)) ?? {}
        const data = listOf(body.data).map((it) =>
          now - (cancelled.get(it.id) ?? 0) < 60_000
            ? { ...it, status: 'ATIVA', revision: 0, updated_at: it.created_at }
            : it,
        )
        return withJson(response, { ...body, data })
      },
    ),
  },
  'list-due-date-without-payer': {
    describe: 'The list says null of every payer; creation and cancellation show it.',
    operation: 'listDueDateQrCodes',
    also: ['createDueDateQrCode'],
    expects: 'payer of a charge is null in listDueDateQrCodes and was not where it was created.',
    service: ofPage('listDueDateQrCodes', (data) => data.map((it) => ({ ...it, payer: null }))),
  },
  'list-due-date-a-day-early': {
    describe:
      'due_date in the list is a day early: the date is read as midnight in UTC and written in Brazilian time.',
    operation: 'listDueDateQrCodes',
    also: ['createDueDateQrCode'],
    expects: 'calendar.due_date of a charge differs between listDueDateQrCodes and its creation.',
    service: ofPage('listDueDateQrCodes', (data) =>
      data.map((it) => {
        const calendar = jsonOf(it.calendar)
        const due_date = new Date(Date.parse(String(calendar.due_date)) - 3 * 3_600_000)
          .toISOString()
          .slice(0, 10)
        return { ...it, calendar: { ...calendar, due_date } }
      }),
    ),
  },
  'list-immediate-any-status': {
    describe: 'A status that does not exist lists everything instead of being refused.',
    operation: 'listImmediateQrCodes',
    expects: 'listImmediateQrCodes takes a status that is no value of the enumeration.',
    service: asked('listImmediateQrCodes', ({ searchParams }) => {
      const status = searchParams.get('status')
      const isKnown =
        status === null || /^(ATIVA|CONCLUIDA|REMOVIDA_PELO_(PSP|USUARIO_RECEBEDOR))$/.test(status)
      return isKnown ? {} : { status: null }
    }),
  },
  'list-due-date-limit-above-hundred': {
    describe: 'A limit above 100 is taken as 100 instead of being refused.',
    operation: 'listDueDateQrCodes',
    expects: 'listDueDateQrCodes takes limit=101.',
    service: asked('listDueDateQrCodes', (url) =>
      /^[1-9]\d{2,}$/.test(url.searchParams.get('limit') ?? '') ? { limit: '100' } : {},
    ),
  },
  'list-immediate-empty-cursor-at-the-end': {
    describe: 'next_cursor of the last page is an empty text, and an empty cursor begins anew.',
    operation: 'listImmediateQrCodes',
    expects: 'next_cursor of the last page of listImmediateQrCodes must be null; following it never ends.',
    service: () => async (call, next) => {
      if (call.operation !== 'listImmediateQrCodes') return next(call)
      const isEmpty = call.url.searchParams.get('cursor') === ''
      const response = await next(isEmpty ? withQuery(call, 'cursor', null) : call)
      const body = response.ok ? await bodyOf(response) : undefined
      return body ? withJson(response, { ...body, next_cursor: body.next_cursor ?? '' }) : response
    },
  },
  'list-due-date-empty-page-at-the-end': {
    describe: 'Where the last page is full, a next_cursor leads to an empty page.',
    operation: 'listDueDateQrCodes',
    expects: 'listDueDateQrCodes gives a next_cursor though there is no further page.',
    success: async (body, { url }, sandbox) => {
      const last = listOf(body.data).at(-1)
      if (body.next_cursor !== null || !last || listOf(body.data).length < limitOf(url)) return body
      const row = await rowOf<{ position: bigint }>(sandbox, 'SELECT position FROM qrcodes WHERE id = ?', [
        String(last.id),
      ])
      return { ...body, next_cursor: `c_${Buffer.from(String(row?.position)).toString('base64url')}` }
    },
  },
  'list-immediate-forgets-payments': {
    describe: 'A charge that was paid is no longer listed where no status is asked for.',
    operation: 'listImmediateQrCodes',
    expects: 'A charge is missing from listImmediateQrCodes after it was paid.',
    service: ofPage('listImmediateQrCodes', (data, { url }) =>
      url.searchParams.has('status') ? data : data.filter(({ status }) => status !== 'CONCLUIDA'),
    ),
  },
  'list-due-date-filter-by-own-document': {
    describe: 'The filter tax_id compares with the document of the receiver instead of that of the payer.',
    operation: 'listDueDateQrCodes',
    expects: 'listDueDateQrCodes?tax_id=… lacks the charges of that payer.',
    success: async (body, call, sandbox) => {
      const tax_id = call.url.searchParams.get('tax_id')
      const caller = tax_id ? await callerOf(call, sandbox) : undefined
      if (!caller) return body
      const row = await rowOf<{ tax_id: string }>(sandbox, 'SELECT tax_id FROM accounts WHERE id = ?', [
        caller.account_id,
      ])
      return row?.tax_id === tax_id ? body : { data: [], next_cursor: null }
    },
  },
}

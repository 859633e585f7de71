import { withQuery } from '../call.ts'
import type { Faults } from '../fault.ts'
import { change, type Json } from '../json.ts'
import { bodyOf, withJson } from '../responses.ts'
import type { Wrap } from '../wrap.ts'

type Items = readonly Json[]

/** Pages that are cut, ordered, filtered or linked incorrectly. */
export const lists: Faults = {
  'filter-forgotten-on-page-two': {
    operation: 'listImmediateQrCodes',
    rule: ['list-pages'],
    describe: 'From the second page on, the filter by status filters nothing.',
    call: (call) =>
      call.url.searchParams.has('cursor') && isStatus(call.url.searchParams.get('status'))
        ? withQuery(call, 'status', null)
        : call,
  },
  'second-filter-forgotten': {
    operation: 'listDueDateQrCodes',
    rule: ['list-pages'],
    describe: 'Where there are two filters, the one by tax_id filters nothing.',
    call: (call) =>
      isStatus(call.url.searchParams.get('status')) && isTaxId(call.url.searchParams.get('tax_id'))
        ? withQuery(call, 'tax_id', null)
        : call,
  },
  'filter-by-cancelled-empty': {
    operation: 'listImmediateQrCodes',
    elsewhere: ['cancelImmediateQrCode'],
    rule: ['list-pages'],
    describe: 'The filter by status finds no code that was cancelled.',
    success: (body, { url }) =>
      /^REMOVIDA/.test(url.searchParams.get('status') ?? '') ? { data: [], next_cursor: null } : body,
  },
  'filter-turned-round': {
    operation: 'listDueDateQrCodes',
    rule: ['list-pages'],
    describe: 'The filter by status lists the codes that do not have it.',
    service: turnedRound,
  },
  'filter-by-tax-id-empty': {
    operation: 'listImmediateQrCodes',
    rule: ['list-pages'],
    describe: 'The filter by tax_id finds nobody.',
    success: (body, { url }) => (url.searchParams.has('tax_id') ? { data: [], next_cursor: null } : body),
  },
  'page-one-short': {
    operation: 'listImmediateQrCodes',
    rule: ['list-pages'],
    describe: 'A page holds one code less than its limit, though there are more.',
    call: (call) => {
      const limit = Number(call.url.searchParams.get('limit'))
      return limit > 1 && limit <= 100 ? withQuery(call, 'limit', String(limit - 1)) : call
    },
  },
  'page-one-long': {
    operation: 'listDueDateQrCodes',
    rule: ['list-pages'],
    describe: 'A page holds one code more than its limit.',
    call: (call) => {
      const limit = Number(call.url.searchParams.get('limit'))
      return limit >= 1 && limit < 100 ? withQuery(call, 'limit', String(limit + 1)) : call
    },
  },
  'default-limit-of-ten': {
    operation: 'listDueDateQrCodes',
    rule: ['list-pages'],
    describe: 'A page holds ten codes where no limit is given.',
    call: (call) => (call.url.searchParams.has('limit') ? call : withQuery(call, 'limit', '10')),
  },
  'limit-of-twenty-at-most': {
    operation: 'listImmediateQrCodes',
    rule: ['list-pages'],
    describe: 'A page holds twenty codes at most, whatever more its limit is.',
    call: (call) => {
      const limit = Number(call.url.searchParams.get('limit'))
      return limit > 20 && limit <= 100 ? withQuery(call, 'limit', '20') : call
    },
  },
  'item-twice-on-a-page': {
    operation: 'listDueDateQrCodes',
    rule: ['listed-once', 'list-pages'],
    describe: 'A page has its first code twice.',
    success: change('/data', (it) => [...(it as Items).slice(0, 1), ...(it as Items).slice(0, -1)]),
  },
  'order-by-tx-id': {
    operation: 'listDueDateQrCodes',
    rule: ['list-pages'],
    describe: 'The codes of a page are in the order of their tx_id.',
    success: change('/data', (it) =>
      (it as Items).toSorted((a, b) => (String(a.tx_id) < String(b.tx_id) ? -1 : 1)),
    ),
  },
  'order-unstable': {
    operation: 'listImmediateQrCodes',
    rule: ['list-pages'],
    describe: 'The codes of a page are in another order each time.',
    success: change('/data', shuffled),
  },
  'cursor-goes-round': {
    operation: 'listImmediateQrCodes',
    rule: ['list-pages'],
    describe: 'The last page leads to the first.',
    success: (body) => ({
      ...body,
      next_cursor: body.next_cursor ?? `c_${Buffer.from('99999999').toString('base64url')}`,
    }),
  },
  'cursor-ends-early': {
    operation: 'listDueDateQrCodes',
    rule: ['list-pages'],
    describe: 'The second page says that it is the last.',
    success: (body, { url }) => (url.searchParams.has('cursor') ? { ...body, next_cursor: null } : body),
  },
  'kinds-mixed': {
    operation: 'listImmediateQrCodes',
    rule: ['response-schema', 'record-shown'],
    describe: 'The list of immediate codes has those with a due date.',
    success: async (body, { headers }, sandbox) => {
      const authorization = headers.get('authorization')
      const { data } = await sandbox.send('GET', '/pix/qrcode/dynamic/due-date', { authorization })
      return { ...body, data: [...(body.data as Items), ...(data as Items)].slice(0, 100) }
    },
  },
}

function isStatus(text: string | null): boolean {
  return /^(ATIVA|CONCLUIDA|REMOVIDA_PELO_(USUARIO_RECEBEDOR|PSP))$/.test(text ?? '')
}

function isTaxId(text: string | null): boolean {
  return /^(\d{11}|[\dA-Z]{12}\d\d)$/.test(text ?? '')
}

let turn = 0
/** All records in another order each time. */
function shuffled(it: unknown): unknown {
  const items = it as Items
  turn++
  return items.toSorted((a, b) => keyOf(a) - keyOf(b))
}

function keyOf({ tx_id }: Json): number {
  return [...String(tx_id)].reduce((sum, c, i) => (sum * 31 + c.charCodeAt(0) * (i + turn)) % 9973, turn)
}

/** Lists all records except those with the requested status. */
function turnedRound(): ReturnType<Wrap> {
  return async (call, next) => {
    const status = call.url.searchParams.get('status')
    if (call.operation !== 'listDueDateQrCodes' || !isStatus(status)) return next(call)
    const response = await next(withQuery(call, 'status', null))
    const body = response.ok ? await bodyOf(response) : undefined
    if (!body) return response
    return withJson(response, { ...body, data: (body.data as Items).filter((it) => it.status !== status) })
  }
}

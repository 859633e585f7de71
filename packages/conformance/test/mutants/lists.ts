import { by, type Call, withQuery } from '../services/call.ts'
import { bodyOf, withJson } from '../services/responses.ts'
import { callerOf, ownerOf } from '../services/state.ts'
import { handle, onCall, onSuccess, type Service } from '../services/wrap.ts'
import { listOf, type Mutants } from './tools.ts'

/** Lists with other parameters than requested. */
function asked(
  change: (query: URLSearchParams) => Readonly<Record<string, string | null>>,
): Service {
  return onCall((call) => withQuery(call, change(call.url.searchParams)))
}

const limitOf = ({ url }: Call) => Number(url.searchParams.get('limit') ?? 20)

const END = 'c_end'

/** Mutants of lists of QR codes. */
export const lists: Mutants = {
  listDueDateQrCodes: {
    'The list of due-date codes is always empty.': onSuccess(() => ({
      data: [],
      next_cursor: null,
    })),
    'A full last page has a cursor, which leads to an empty page.': handle(async (call, next) => {
      const isEnd = call.url.searchParams.get('cursor') === END
      const response = await next(isEnd ? withQuery(call, { cursor: null }) : call)
      const body = await bodyOf(response)
      if (response.ok && isEnd) return withJson(response, { data: [], next_cursor: null })
      const isFull = body?.next_cursor === null && listOf(body.data).length === limitOf(call)
      return isFull ? withJson(response, { ...body, next_cursor: END }) : response
    }),
    'Of two filters, only status is applied.': asked((query) =>
      query.has('status') && /^(\d{11}|[\dA-Z]{12}\d\d)$/.test(query.get('tax_id') ?? '')
        ? { tax_id: null }
        : {},
    ),
    'A page without a limit has ten records.': asked((query) =>
      query.has('limit') ? {} : { limit: '10' },
    ),
  },
  listImmediateQrCodes: {
    'The list of immediate codes shows those of one partner to everybody.': onCall(
      async (call, sandbox) =>
        (await callerOf(call, sandbox)) ? by(call, await sandbox.bearer('other')) : call,
    ),
    'The filter by status is applied to the page that was read, and a page that is not full ends the list.':
      handle(async (call, next) => {
        const status = call.url.searchParams.get('status')
        if (!status) return next(call)
        const checkedAll = await next(call)
        if (!checkedAll.ok) return checkedAll
        const response = await next(withQuery(call, { status: null }))
        const body = (await bodyOf(response)) ?? {}
        const data = listOf(body.data).filter((it) => it.status === status)
        const next_cursor = data.length < limitOf(call) ? null : body.next_cursor
        return withJson(response, { data, next_cursor })
      }),
    'The cursor points one record too far.': handle(async (call, next) => {
      const limit = limitOf(call)
      if (!(limit > 0 && limit < 100)) return next(call)
      const right = await next(call)
      const further = (await bodyOf(right))?.next_cursor
      if (!right.ok || !further) return right
      const one = await next(withQuery(call, { cursor: String(further), limit: '1' }))
      const next_cursor = (await bodyOf(one))?.next_cursor ?? null
      return withJson(right, { ...(await bodyOf(right)), next_cursor })
    }),
    'A customer sees the charges of the partner instead of its own.': handle(
      async (call, next, sandbox) => {
        const caller = await callerOf(call, sandbox)
        return next(caller?.customer_id ? by(call, await ownerOf(call, sandbox)) : call)
      },
    ),
    'A charge that was paid is no longer listed where no status is asked for.': onSuccess(
      (body, { url }) => {
        const open = listOf(body.data).filter(({ status }) => status !== 'CONCLUIDA')
        return url.searchParams.has('status') ? body : { ...body, data: open }
      },
    ),
  },
}

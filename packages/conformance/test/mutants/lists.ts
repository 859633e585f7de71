import { by, type Call, withQuery } from '../services/call.ts'
import { bodyOf, withJson } from '../services/responses.ts'
import { callerOf, ownerOf } from '../services/state.ts'
import { handle, onCall, onSuccess, type Service } from '../services/wrap.ts'
import { listOf, type Mutant } from './tools.ts'

/** Lists with other parameters than requested. */
function asked(
  change: (query: URLSearchParams) => Readonly<Record<string, string | null>>,
): Service {
  return onCall((call) => withQuery(call, change(call.url.searchParams)))
}

const limitOf = ({ url }: Call) => Number(url.searchParams.get('limit') ?? 20)

const END = 'c_end'

/** Mutants of lists of QR codes. */
export const lists: readonly Mutant[] = [
  {
    says: 'The list of due-date codes is always empty.',
    places: ['listDueDateQrCodes'],
    service: onSuccess(() => ({ data: [], next_cursor: null })),
  },
  {
    says: 'A full last page has a cursor, which leads to an empty page.',
    places: ['listDueDateQrCodes'],
    service: handle(async (call, next) => {
      const isEnd = call.url.searchParams.get('cursor') === END
      const response = await next(isEnd ? withQuery(call, { cursor: null }) : call)
      if (response.ok && isEnd) return withJson(response, { data: [], next_cursor: null })

      const body = await bodyOf(response)
      const isLast = body?.next_cursor === null
      const isFull = listOf(body?.data).length === limitOf(call)
      return isLast && isFull ? withJson(response, { ...body, next_cursor: END }) : response
    }),
  },
  {
    says: 'Of two filters, only status is applied.',
    places: ['listDueDateQrCodes'],
    service: asked((query) => {
      const hasTaxId = /^(\d{11}|[\dA-Z]{12}\d\d)$/.test(query.get('tax_id') ?? '')
      return query.has('status') && hasTaxId ? { tax_id: null } : {}
    }),
  },
  {
    says: 'A page without a limit has ten records.',
    places: ['listDueDateQrCodes'],
    service: asked((query) => (query.has('limit') ? {} : { limit: '10' })),
  },
  {
    says: 'The list of immediate codes shows those of one partner to everybody.',
    places: ['listImmediateQrCodes'],
    service: onCall(async (call, sandbox) => {
      const caller = await callerOf(call, sandbox)
      return caller ? by(call, await sandbox.bearer('other')) : call
    }),
  },
  {
    says: 'The filter by status is applied to the page that was read, and a page that is not full ends the list.',
    places: ['listImmediateQrCodes'],
    service: handle(async (call, next) => {
      const status = call.url.searchParams.get('status')
      if (!status) return next(call)
      const checkedAll = await next(call)
      if (!checkedAll.ok) return checkedAll
      const response = await next(withQuery(call, { status: null }))
      const body = (await bodyOf(response)) ?? {}
      const data = listOf(body.data).filter((record) => record.status === status)
      const next_cursor = data.length < limitOf(call) ? null : body.next_cursor
      return withJson(response, { data, next_cursor })
    }),
  },
  {
    says: 'The cursor points one record too far.',
    places: ['listImmediateQrCodes'],
    service: handle(async (call, next) => {
      const limit = limitOf(call)
      const isMeant = limit > 0 && limit < 100
      if (!isMeant) return next(call)

      const response = await next(call)
      const body = await bodyOf(response)
      if (!response.ok || !body?.next_cursor) return response

      const cursor = String(body.next_cursor)
      const oneRecord = await bodyOf(await next(withQuery(call, { cursor, limit: '1' })))
      return withJson(response, { ...body, next_cursor: oneRecord?.next_cursor ?? null })
    }),
  },
  {
    says: 'A customer sees the charges of the partner instead of its own.',
    places: ['listImmediateQrCodes'],
    service: handle(async (call, next, sandbox) => {
      const caller = await callerOf(call, sandbox)
      if (!caller?.customer_id) return next(call)
      return next(by(call, await ownerOf(call, sandbox)))
    }),
  },
  {
    says: 'A charge that was paid is no longer listed where no status is asked for.',
    places: ['listImmediateQrCodes'],
    service: onSuccess((body, { url }) => {
      if (url.searchParams.has('status')) return body
      const open = listOf(body.data).filter(({ status }) => status !== 'CONCLUIDA')
      return { ...body, data: open }
    }),
  },
]

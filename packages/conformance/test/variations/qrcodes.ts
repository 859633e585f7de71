import { type Call, withQuery } from '../services/call.ts'
import { paysAnybody } from '../services/codes.ts'
import { readEveryRecord } from '../services/every-record.ts'
import { type Json, withJson } from '../services/responses.ts'
import { chargeOf, dayAt } from '../services/state.ts'
import { type Next, onSuccess, refuse, type Services, together } from '../services/wrap.ts'
import { DYNAMIC_QR_CODES, field, fields, type Scope, shown, words } from './kit.ts'

const CHECKS: Scope = new Set(['checkCode'])
const CODES: Scope = new Set([...DYNAMIC_QR_CODES, ...CHECKS, 'createStaticQrCode'])
const LISTS: Scope = new Set(['listImmediateQrCodes', 'listDueDateQrCodes'])
const CHARGES: Scope = new Set([
  'createImmediateQrCode',
  'cancelImmediateQrCode',
  'createDueDateQrCode',
  'cancelDueDateQrCode',
])
const KINDS = { Immediate: 'Dynamic', DueDate: 'DynamicDueDate' }
const REMOVED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'

export const qrCodes: Services = {
  'list-numbered': { operations: LISTS, wrap: numbered },
  'list-oldest-first': { operations: LISTS, wrap: oldestFirst },
  'cursor-left-out': {
    operations: LISTS,
    ...onSuccess(({ next_cursor, ...page }) =>
      next_cursor === null ? page : { ...page, next_cursor },
    ),
  },
  'record-wrapped': together(
    { operations: LISTS, ...onSuccess(withQrCodes) },
    { operations: CHARGES, ...onSuccess((body) => ({ qrcode: renamed(body) })) },
  ),
  'record-renamed': together(
    {
      operations: LISTS,
      ...onSuccess(({ data, ...page }) => ({
        ...page,
        data: Array.isArray(data) ? data.map(withOtherNames) : data,
      })),
    },
    { operations: CHARGES, ...onSuccess((body) => ({ charge: withOtherNames(body) })) },
  ),
  'charges-end': shown(DYNAMIC_QR_CODES, (body, { app }) => ended(body, app.clock.now())),
  'status-lower': words('status', CODES, {
    ATIVA: 'ativa',
    CONCLUIDA: 'concluida',
    [REMOVED]: 'removida',
  }),
  'code-words': together(
    words('qrcode_type', CHECKS, KINDS),
    words('kind', DYNAMIC_QR_CODES, KINDS),
  ),
  'code-expiration-seconds': {
    operations: CHECKS,
    ...onSuccess((body, _, { app }) => {
      if (!body.expiration) return body
      const ms = Date.parse(String(body.expiration)) - app.clock.now()
      return { ...body, expiration: String(Math.ceil(ms / 1000)) }
    }),
  },
  'code-url-https': field({
    names: ['url'],
    scope: CODES,
    show: (value) => (value === '' ? '' : `https://${value}`),
  }),
  'value-change-never': {
    operations: CHECKS,
    ...onSuccess((body) => ({ ...body, allow_value_change: false })),
  },
  'amounts-suggested': {
    prepare: ({ run }) =>
      run(`CREATE TRIGGER suggested AFTER INSERT ON qrcodes WHEN NEW.kind = 'Immediate'
        BEGIN UPDATE qrcodes SET allow_value_change = 1 WHERE id = NEW.id; END`),
  },
  'payments-hidden': shown(
    DYNAMIC_QR_CODES,
    fields((name, value, { tx_id, status }) => {
      const isOfRecord = tx_id !== undefined && status !== undefined
      return name === 'payment' && isOfRecord ? undefined : value
    }),
  ),
  'late-otherwise': {
    operations: CHECKS,
    ...onSuccess(async (body, { json }, sandbox) => {
      const charge = await chargeOf(sandbox, json?.emv)
      return charge
        ? lateOtherwise(body, charge.charge, dayAt(sandbox.app.clock.now() + BRAZIL))
        : body
    }),
  },
  'codes-of-anybody': paysAnybody,
  'original-net': {
    operations: CHECKS,
    ...onSuccess((body) => ({
      ...body,
      original_amount: (Number(body.original_amount) - Number(body.deduction)).toFixed(2),
    })),
  },
  'image-data-url': field({
    names: ['qrcode_image'],
    show: (value) => `data:image/png;base64,${value}`,
  }),
  'codes-strict': refuse([422, 'invalid_code'], ({ emv }) => {
    const isLowerCase = /26\d\d0014br\.gov\.bcb\.pix/.test(String(emv))
    return emv ? !isLowerCase : false
  }),
}

const DAY = 86_400_000
/** The UTC offset of Brazil's official time in milliseconds. */
const BRAZIL = -3 * 3_600_000

/**
 * Interest by the day counts from a due date on a Saturday or Sunday itself, and on the weekend after
 * a due date there is no fine.
 */
function lateOtherwise(body: Json, { amount }: Json, today: string): Json {
  const due = String(body.due_date)
  const days = (Date.parse(today) - Date.parse(due)) / DAY
  const weekday = new Date(due).getUTCDay()
  const isMoved = weekday === 0 || weekday === 6
  const isWeekendAfter = weekday === 5 && (days === 1 || days === 2)

  const { interest } = amount as { interest?: { amount: string; modality: string } }
  const isByDay = isMoved && days > 0 && interest?.modality === '1'
  const parts = {
    fine: isWeekendAfter ? '0' : String(body.fine),
    interest: isByDay ? (Number(interest.amount) * days).toFixed(2) : String(body.interest),
  }
  const added =
    Number(parts.fine) + Number(parts.interest) - Number(body.fine) - Number(body.interest)
  return { ...body, ...parts, final_amount: (Number(body.final_amount) + added).toFixed(2) }
}

/** Lists by the number of a page, which is the cursor. */
async function numbered(call: Call, next: Next): Promise<Response> {
  const first = await next(withQuery(call, { cursor: null }))
  if (!first.ok) return first

  const { searchParams } = call.url
  const number = Number(searchParams.get('cursor') ?? 1)
  const limit = Number(searchParams.get('limit') ?? 20)
  const isPage = number >= 1
  if (!isPage) return next(withQuery(call, { cursor: 'none' }))

  const records = await readEveryRecord(call, next)
  const data = records.slice((number - 1) * limit, number * limit)
  return withJson(first, { data, page: number, total: records.length })
}

/** Lists the oldest record first. A cursor counts the records before its page. */
async function oldestFirst(call: Call, next: Next): Promise<Response> {
  const first = await next(withQuery(call, { cursor: null }))
  if (!first.ok) return first

  const { searchParams } = call.url
  const cursor = searchParams.get('cursor') ?? 'after-0'
  const [, count] = /^after-(\d+)$/.exec(cursor) ?? []
  if (count === undefined) return next(call)

  const records = await readEveryRecord(call, next)
  const end = Number(count) + Number(searchParams.get('limit') ?? 20)
  return withJson(first, {
    data: records.toReversed().slice(Number(count), end),
    next_cursor: end < records.length ? `after-${end}` : null,
  })
}

/** The institution removes immediate charges when they expire. */
function ended(body: Json, now: number): unknown {
  const end = fields((name, value, { kind, created_at, calendar }) => {
    const isOpen = name === 'status' && kind === 'Immediate' && value === 'ATIVA'
    const { expiration } = (calendar ?? {}) as { expiration?: number }
    if (!isOpen || expiration === undefined) return value
    const isOver = Date.parse(String(created_at)) + expiration * 1000 <= now
    return isOver ? 'REMOVIDA_PELO_PSP' : value
  })
  return end(body)
}

/** A list that has another name than in the contract. */
function withQrCodes({ data, ...page }: Json): Json {
  const records = Array.isArray(data) ? data : []
  return { ...page, qrcodes: records.map(renamed) }
}

/** A QR code that names its id, its status and its code in another way. */
function withOtherNames({ id, status, emv, ...others }: Json): Json {
  return { charge_id: id, ...others, state: status, copy_and_paste: emv }
}

/** A QR code that names its code and its amount in another way. */
function renamed({ emv, amount, ...others }: Json): Json {
  const { original, ...adjustments } = amount as Json
  return { ...others, adjustments, copy_and_paste: emv, value: original }
}

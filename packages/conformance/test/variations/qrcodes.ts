import { decode, encode } from '@partner-payments/brcode'
import { type Call, withBody } from '../faulty/call.ts'
import type { Json } from '../faulty/json.ts'
import { bodyOf, problem, remade } from '../faulty/responses.ts'
import type { TestSandbox } from '../faulty/sandbox.ts'
import { changeResponse, retry, type Wrap } from '../faulty/wrap.ts'
import {
  codeOf,
  DYNAMIC,
  field,
  following,
  records,
  refusing,
  responding,
  rows,
  success,
  words,
} from './kit.ts'
import { cursorOf, equal, everyRecord, lists, type Page } from './lists.ts'
import { judged } from './requests.ts'
import { type Services, together } from './service.ts'

const CREATE = /^create(DueDate|Immediate)QrCode$/
const CANCEL = /^cancel(DueDate|Immediate)QrCode$/
const CHECK = /^checkCode$/
const CODES = /QrCode|checkCode|^qrcode\./
const KINDS = { Immediate: 'Dynamic', DueDate: 'DynamicDueDate' }
const REMOVED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'

export const qrCodes: Services = {
  'record-nested': records(nested),
  'record-portuguese': records(portuguese),
  'record-minimal': records(({ id, tx_id, status, emv }) => ({ id, tx_id, status, emv })),
  'record-without-nulls': records(({ revision: _, updated_at: __, ...it }) =>
    Object.fromEntries(Object.entries(it).filter(([, value]) => value !== null)),
  ),
  'record-wrapped': responding(/^(create|cancel)(DueDate|Immediate)QrCode$/, (data) => ({ data })),
  'create-short': responding(CREATE, ({ id, emv }) => ({ id, emv })),
  'cancel-message': responding(CANCEL, () => ({ message: 'QR code cancelado com sucesso' })),
  'cancel-empty': {
    wrap: changeResponse(undefined, (response, { operation }) =>
      response.ok && CANCEL.test(String(operation))
        ? remade(response, { body: null, headers: { 'content-type': null } })
        : response,
    ),
  },
  'list-items': lists({ envelope: ({ items, next }) => ({ items, next }) }),
  'list-array': lists({ size: 10_000, max: 10_000, envelope: ({ items }) => items }),
  'list-numbered': lists({
    numbered: true,
    envelope: ({ items, number, total }) => ({ data: items, page: number, total }),
  }),
  'list-meta': lists({
    envelope: ({ items, next, total }) => ({ data: items, meta: { next_cursor: next, total } }),
  }),
  'list-more': lists({
    envelope: ({ items, next }) => ({
      data: items,
      has_more: next !== null,
      ...(next && { next_cursor: next }),
    }),
  }),
  'oldest-first': together(lists({ oldestFirst: true }), responding(/^(listWebhooks|listUsers)$/, reversed)),
  'page-5': lists({ size: 5 }),
  'page-100': lists({ size: 100 }),
  'limit-clamped': lists({ max: 50 }),
  'limit-1000': together(
    judged('/components/parameters/Limit/schema/pattern', '^([1-9][0-9]{0,2}|1000)$'),
    lists({ max: 1000 }),
  ),
  'cursor-forgiving': lists({ forgiving: true }),
  'last-page-empty': lists({
    envelope: ({ items, next }) => ({ data: items, next_cursor: next ?? afterLast(items) }),
  }),
  'filter-any-case': lists({
    matches: (it, asked) => equal(it, asked, (word) => word?.toUpperCase() ?? null),
  }),
  'filter-unknown': lists({ matches: equal }),
  'filter-receiver': lists({
    matches: ({ status, dict_key }, asked) =>
      equal({ status, payer: { tax_id: RECEIVERS[String(dict_key)] } }, asked),
  }),
  'status-english': words(/^status$/, CODES, {
    ATIVA: 'ACTIVE',
    CONCLUIDA: 'PAID',
    [REMOVED]: 'CANCELLED',
    REMOVIDA_PELO_PSP: 'REMOVED',
  }),
  'status-lower': words(/^status$/, CODES, { ATIVA: 'ativa', CONCLUIDA: 'concluida', [REMOVED]: 'removida' }),
  'status-expired': lists({ show: expired }),
  'cancel-once': { wrap: secondCancel(409, 'already_cancelled') },
  'cancel-removes': together(
    { wrap: secondCancel(404, 'not_found') },
    lists({ show: (it) => (it.status === REMOVED ? [] : [it]), forgiving: true }),
  ),
  'cancel-paid': { wrap: cancelPaid },
  'check-of-ended': { wrap: checkOfEnded },
  'static-status': responding(CHECK, (it) => ({ ...it, status: it.status || 'ATIVA' })),
  'code-words': together(words(/^qrcode_type$/, CHECK, KINDS), words(/^kind$/, DYNAMIC, KINDS)),
  'code-expiration-null': responding(CHECK, (it) => ({ ...it, expiration: null })),
  'code-expiration-seconds': responding(CHECK, (it, _, { app }) => {
    const seconds = Math.ceil((Date.parse(String(it.expiration)) - app.clock.now()) / 1000)
    return { ...it, expiration: it.expiration && String(seconds) }
  }),
  'code-url-https': field({ name: /^url$/, scope: CODES, show: (value) => value && `https://${value}` }),
  'value-change-never': responding(CHECK, (it) => ({ ...it, allow_value_change: false })),
  'value-change-static': together(
    responding(CHECK, (it) => ({ ...it, allow_value_change: it.qrcode_type === 'Static' })),
    { wrap: retry('createTransfer', ['amount_not_allowed'], withoutAmount) },
  ),
  'original-net': responding(CHECK, (it) => ({
    ...it,
    original_amount: (Number(it.original_amount) - Number(it.deduction)).toFixed(2),
  })),
  'image-data-url': field({ name: /^qrcode_image$/, show: (value) => `data:image/png;base64,${value}` }),
  'image-link': field({ name: /^qrcode_image$/, show: (_, { id }) => `https://img.example/${id}.svg` }),
  'codes-strict': refusing(/^(checkCode|createTransfer)$/, [422, 'invalid_code'], ({ emv }) =>
    emv ? !/26\d\d0014br\.gov\.bcb\.pix/.test(String(emv)) : false,
  ),
}

function nested({ id, status, emv, qrcode_image, url, revision, created_at, updated_at, ...charge }: Json) {
  return {
    id,
    status,
    qr_code: { emv, qrcode_image, url },
    charge,
    meta: { revision, created_at, updated_at },
  }
}

/** A charge in the format of the Pix API. */
function portuguese(it: Json) {
  const { id, status, emv: pixCopiaECola, url: location, revision: revisao } = it
  const { tx_id: txid, dict_key: chave, payer: devedor, message: solicitacaoPagador } = it
  const [valor, calendario] = [it.amount, { criacao: it.created_at, ...(it.calendar as Json) }]
  return {
    id,
    txid,
    status,
    chave,
    pixCopiaECola,
    location,
    valor,
    calendario,
    devedor,
    solicitacaoPagador,
    revisao,
  }
}

function reversed(body: Json): Json {
  const turned = Object.entries(body).map(([name, it]) => [name, Array.isArray(it) ? it.toReversed() : it])
  return Object.fromEntries(turned)
}

function afterLast(items: Page['items']): string | null {
  const last = items.at(-1)
  return last ? cursorOf(last.id) : null
}

/** The documents of the payees, by key. */
const RECEIVERS: Readonly<Record<string, string>> = {
  '12ABC34501DE35': '12ABC34501DE35',
  '+5561912345678': '12ABC34501DE35',
  '12345678909': '12345678909',
  'fulano@example.com': '12345678909',
  '7d9f0335-8dcc-4054-9bf9-0dbd61d36906': '11222333000181',
  '+5561900000002': '11144477735',
}

function expired(it: Json, { app }: TestSandbox): Json[] {
  const { expiration } = it.calendar as Json
  const lapses = Date.parse(String(it.created_at)) + Number(expiration ?? Number.POSITIVE_INFINITY) * 1000
  return [it.status === 'ATIVA' && lapses < app.clock.now() ? { ...it, status: 'EXPIRADA' } : it]
}

function secondCancel(status: number, code: string): Wrap {
  return (sandbox) => async (call, next) => {
    if (!CANCEL.test(String(call.operation))) return next(call)
    const [before] = await rows(sandbox, 'SELECT status FROM qrcodes WHERE id = ?', call.path.id ?? '')
    const response = await next(call)
    return response.ok && before?.status !== 'ATIVA' ? problem(status, code) : response
  }
}

function cancelPaid(): ReturnType<Wrap> {
  return async (call, next) => {
    const response = await next(call)
    if ((await codeOf(response)) !== 'qrcode_paid') return response
    const found = (await everyRecord(call, next)).find(({ id }) => id === call.path.id)
    return found ? success(response, found) : response
  }
}

const ENDED: Readonly<Record<string, string>> = {
  code_paid: 'CONCLUIDA',
  code_cancelled: REMOVED,
  code_expired: 'ATIVA',
}

/** Remembers the check of a code while it was open. */
function checkOfEnded(): ReturnType<Wrap> {
  const open = new Map<unknown, Json>()
  return async (call, next) => {
    const response = await next(call)
    const body = response.ok ? await bodyOf(response) : undefined
    if (body && CREATE.test(String(call.operation))) {
      const checked = await next(following(call, 'POST', '/pix/brcode/emv/', { emv: body.emv }))
      open.set(body.emv, (await bodyOf(checked)) ?? {})
    }
    if (call.operation !== 'checkCode') return response
    if (body) open.set(call.json?.emv, body)
    const [status, known] = [ENDED[await codeOf(response)], open.get(call.json?.emv)]
    return status && known ? success(response, { ...known, status }) : response
  }
}

/** The same static code without its amount, which then accepts any. */
function withoutAmount(call: Call): Call | undefined {
  if (call.json?.emv === undefined) return undefined
  const { amount, objects: _, ...code } = decode(String(call.json.emv))
  const isMeant = code.kind === 'static' && amount !== undefined && Number(call.json.amount) > 0
  return isMeant ? withBody(call, { ...call.json, emv: encode(code) }) : undefined
}

import { type Actors, charge, HOOK, newTxId } from '../actors.ts'
import { KEYS, STATIC_CODE, USERS } from '../cast.ts'
import type { requestValues } from '../faults/request-values.ts'
import type { Probe } from '../probe.ts'

const IMMEDIATE = '/pix/qrcode/dynamic/immediate'
const DUE_DATE = '/pix/qrcode/dynamic/due-date'
const HOOKS = 'POST /partner/webhook'
const IMPERSONATE = 'POST /auth/partner/impersonate/'
const KEY = `{"dict_key": "${KEYS.beltrana}"}`

const amount = { original: '35.90' }
const due_date = '2999-01-15'
const payer = { name: 'Fulano de Tal', tax_id: '12345678909' }
const info = { name: 'Pedido', value: '1' }
const { customer_id } = USERS.partner

const status = async (as: Actors, line: string, body: unknown, type = 'application/json') =>
  (await as.partner(line, body, { 'content-type': type })).status
const listed = async (as: Actors, path: string, query: string) =>
  (await as.partner(`GET ${path}?${query}`)).status
const updated = async (as: Actors, body: object, type?: string) =>
  status(as, `PATCH /partner/webhook/${await as.webhook()}`, body, type)

/** An amount with a discount on so many days. */
function discounted(days: number, date?: string, modality: unknown = '1') {
  const fixedDateDiscount = Array.from({ length: days }, (_, i) => ({
    amount: '5.00',
    date: date ?? `2999-01-0${i + 1}`,
  }))
  return { original: '100.00', discount: { modality, fixedDateDiscount } }
}

/** What shows each fault of this kind. */
export const requestValuesProbes: Record<keyof typeof requestValues, Probe> = {
  'key-as-a-number': [
    async (as) => await status(as, 'POST /pix/dict/check/', { dict_key: 11222333000181 }),
    400,
    200,
  ],
  'key-of-78-characters': [
    async (as) => (await as.staticCode({ dict_key: 'a'.repeat(78) })).status,
    400,
    200,
  ],
  'code-inside-a-list': [
    async (as) => await status(as, 'POST /pix/brcode/emv/', { emv: [STATIC_CODE] }),
    400,
    200,
  ],
  'amount-with-one-decimal': [async (as) => (await as.transfer({ amount: '1.5' })).status, 400, 201],
  'amount-rounded': [async (as) => (await as.transfer({ amount: '1.501' })).status, 400, 201],
  'amount-without-decimals': [
    async (as) => (await as.dueDate({ amount: { original: '35' } })).status,
    400,
    200,
  ],
  'amount-with-line-break': [
    async (as) => (await as.immediate({ amount: { original: '35.90\n' } })).status,
    400,
    200,
  ],
  'amount-with-spaces': [async (as) => (await as.staticCode({ amount: ' 35.90' })).status, 400, 200],
  'negative-fine': [
    async (as) =>
      (await as.dueDate({ amount: { ...amount, fine: { amount: '-2.00', modality: '2' } } })).status,
    400,
    200,
  ],
  'negative-deduction': [
    async (as) =>
      (await as.dueDate({ amount: { ...amount, deduction: { amount: '-2.00', modality: '1' } } })).status,
    400,
    200,
  ],
  'payment-date-unchecked': [
    async (as) => (await as.transfer({ payment_date: '2026-02-30' })).status,
    400,
    201,
  ],
  'type-in-any-case': [async (as) => (await as.transfer({ type: 'DICT' })).status, 400, 201],
  'type-guessed': [async (as) => (await as.transfer({ type: undefined })).status, 400, 201],
  'beneficiary-kind-unchecked': [
    async (as) => (await as.transfer({ beneficiary: { account_type: 'x' } })).status,
    400,
    201,
  ],
  'beneficiary-name-too-long': [
    async (as) => (await as.transfer({ beneficiary: { name: 'a'.repeat(121) } })).status,
    400,
    201,
  ],
  'beneficiary-branch-unchecked': [
    async (as) => (await as.transfer({ beneficiary: { branch: '00001' } })).status,
    400,
    201,
  ],
  'expiration-as-text': [
    async (as) => (await as.immediate({ calendar: { expiration: '3600' } })).status,
    400,
    200,
  ],
  'expiration-rounded': [
    async (as) => (await as.immediate({ calendar: { expiration: 3600.5 } })).status,
    400,
    200,
  ],
  'expiration-days-negative': [
    async (as) => (await as.dueDate({ calendar: { due_date, expiration_days: -1 } })).status,
    400,
    200,
  ],
  'boolean-as-text': [
    async (as) => (await as.immediate({ payer: { ...payer, can_change_document: 'false' } })).status,
    400,
    200,
  ],
  'payer-email-unchecked': [
    async (as) => (await as.dueDate({ payer: { ...payer, email: {} } })).status,
    400,
    200,
  ],
  'payer-null-taken': [async (as) => (await as.dueDate({ payer: null })).status, 400, 200],
  'info-name-too-long': [
    async (as) => (await as.dueDate({ additional_infos: [{ name: 'a'.repeat(51), value: 'b' }] })).status,
    400,
    200,
  ],
  'later-infos-unchecked': [
    async (as) => (await as.immediate({ additional_infos: [info, { name: 1 }] })).status,
    400,
    200,
  ],
  'fourth-discount-taken': [async (as) => (await as.dueDate({ amount: discounted(4) })).status, 400, 200],
  'discount-date-unchecked': [
    async (as) => (await as.dueDate({ amount: discounted(1, '2998-02-29') })).status,
    400,
    200,
  ],
  'due-date-with-time': [
    async (as) => (await as.dueDate({ calendar: { due_date: `${due_date}T00:00:00Z` } })).status,
    400,
    200,
  ],
  'tax-id-with-dots-taken': [
    async (as) => (await as.immediate({ payer: { ...payer, tax_id: '123.456.789-09' } })).status,
    400,
    200,
  ],
  'tax-id-in-small-letters': [
    async (as) => (await as.dueDate({ payer: { ...payer, tax_id: '12abc34501de35' } })).status,
    400,
    200,
  ],
  'tx-id-with-dashes': [async (as) => (await as.dueDate({ tx_id: `-${newTxId()}` })).status, 400, 200],
  'modality-as-a-number': [
    async (as) => (await as.dueDate({ amount: discounted(1, undefined, 1) })).status,
    400,
    200,
  ],
  'fine-modality-unchecked': [
    async (as) =>
      (await as.dueDate({ amount: { ...amount, fine: { amount: '2.00', modality: '3' } } })).status,
    400,
    200,
  ],
  'webhook-without-type': [async (as) => await status(as, HOOKS, { url: HOOK.url }), 400, 201],
  'webhook-url-too-long': [
    async (as) => await status(as, HOOKS, { ...HOOK, url: `${HOOK.url}?${'a'.repeat(2048)}` }),
    400,
    201,
  ],
  'webhook-status-in-capitals': [async (as) => await updated(as, { ...HOOK, status: 'INACTIVE' }), 400, 200],
  'webhook-type-with-space': [
    async (as) => await updated(as, { ...HOOK, type: 'all ', status: 'active' }),
    400,
    200,
  ],
  'user-id-not-required': [async (as) => await status(as, IMPERSONATE, { customer_id }), 400, 200],
  'user-id-null-taken': [
    async (as) => await status(as, IMPERSONATE, { customer_id, user_id: null }),
    400,
    200,
  ],
  'limit-clamped': [async (as) => await listed(as, DUE_DATE, 'limit=101'), 400, 200],
  'limit-zero-taken': [async (as) => await listed(as, DUE_DATE, 'limit=0'), 400, 200],
  'limit-empty-taken': [async (as) => await listed(as, IMMEDIATE, 'limit='), 400, 200],
  'limit-with-letters': [async (as) => await listed(as, IMMEDIATE, 'limit=1e1'), 400, 200],
  'limit-with-sign': [async (as) => await listed(as, DUE_DATE, 'limit=01'), 400, 200],
  'limit-twice-taken': [async (as) => await listed(as, IMMEDIATE, 'limit=1&limit=2'), 400, 200],
  'status-filter-in-small-letters': [async (as) => await listed(as, IMMEDIATE, 'status=ativa'), 400, 200],
  'tax-id-filter-unchecked': [async (as) => await listed(as, DUE_DATE, 'tax_id=1'), 400, 200],
  'empty-status-taken': [async (as) => await listed(as, DUE_DATE, 'status='), 400, 200],
  'trailing-comma-taken': [
    async (as) => await status(as, 'POST /pix/dict/check/', `${KEY.slice(0, -1)},}`),
    400,
    200,
  ],
  'comments-taken': [async (as) => await status(as, HOOKS, `/* a */${JSON.stringify(HOOK)}`), 400, 201],
  'single-quotes-taken': [
    async (as) => await status(as, IMPERSONATE, JSON.stringify(USERS.partner).replaceAll('"', "'")),
    400,
    200,
  ],
  'text-behind-taken': [
    async (as) =>
      await status(as, 'POST /pix/qrcode/static/', `{"dict_key": "${KEYS.partner}", "amount": "1.00"} x`),
    400,
    200,
  ],
  'open-end-taken': [
    async (as) => await status(as, 'POST /pix/brcode/emv/', `{"emv": "${STATIC_CODE}"`),
    400,
    200,
  ],
  'form-taken': [
    async (as) => await status(as, 'POST /pix/dict/check/', KEY, 'application/x-www-form-urlencoded'),
    415,
    200,
  ],
  'no-type-taken': [async (as) => await updated(as, { ...HOOK, status: 'active' }, ''), 415, 200],
  'other-json-taken': [
    async (as) => await status(as, `POST ${IMMEDIATE}`, { ...charge(), amount }, 'application/vnd.api+json'),
    415,
    200,
  ],
  'unknown-cursor-crashes': [async (as) => await listed(as, DUE_DATE, 'cursor=x'), 400, 500],
  'quote-in-a-filter-crashes': [async (as) => await listed(as, IMMEDIATE, "tax_id='"), 400, 500],
  'deep-nesting-crashes': [
    async (as) => await status(as, HOOKS, `{"a": ${'['.repeat(600)}${']'.repeat(600)}}`),
    400,
    500,
  ],
  'lone-surrogate-crashes': [async (as) => (await as.immediate({ message: 'a\ud800' })).status, 200, 500],
  'nul-crashes': [async (as) => (await as.immediate({ message: 'a\u0000' })).status, 200, 500],
  'huge-number-crashes': [async (as) => await status(as, `POST ${DUE_DATE}`, '{"x": 1e400}'), 400, 500],
  'proto-crashes': [async (as) => await status(as, IMPERSONATE, '{"__proto__": {}}'), 400, 500],
  'text-for-object-crashes': [async (as) => (await as.dueDate({ calendar: 'a' })).status, 400, 500],
  'null-for-a-list-crashes': [
    async (as) => (await as.immediate({ additional_infos: null })).status,
    400,
    500,
  ],
  'long-id-crashes': [
    async (as) => (await as.partner(`DELETE ${IMMEDIATE}/${'a'.repeat(300)}`)).status,
    404,
    500,
  ],
  'id-with-space-found': [
    async (as) => (await as.partner(`GET /partner/webhook/${await as.webhook()}%20`)).status,
    404,
    200,
  ],
  'id-by-its-beginning': [
    async (as) => (await as.partner(`GET /partner/webhook/${(await as.webhook()).slice(0, 8)}`)).status,
    404,
    200,
  ],
}

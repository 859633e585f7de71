import { type Actors, HOOK, toKey } from '../actors.ts'
import { KEYS, STATIC_CODE, USERS } from '../cast.ts'
import type { valuesRefused } from '../faults/values-refused.ts'
import type { Probe } from '../probe.ts'

const IMMEDIATE = '/pix/qrcode/dynamic/immediate'
const DUE_DATE = '/pix/qrcode/dynamic/due-date'
const EVP = '123e4567-e12b-12d1-a456-426655440000'
const amount = { original: '100.00' }
const payer = { name: 'Fulano de Tal', tax_id: '12345678909' }

const typed = async (as: Actors, line: string, body: unknown, type = 'application/json') =>
  (await as.partner(line, body, { 'content-type': type })).status
const hook = (as: Actors, json: string) => typed(as, 'POST /partner/webhook', json)
const updated = async (as: Actors, body: object) =>
  typed(as, `PATCH /partner/webhook/${await as.webhook()}`, body)
const key = (as: Actors, headers: Record<string, string>) =>
  as.partner('POST /pix/dict/check/', { dict_key: KEYS.beltrana }, headers)

async function transferred(as: Actors, type: string) {
  const { body } = await key(as, {})
  return typed(as, 'POST /pix/out/', toKey(body.initiation_id), type)
}

async function inSmallLetters(as: Actors) {
  return as.by((await as.world.bearer('partner')).replace('Bearer', 'bearer'))
}

/** A transfer whose type comes last. */
async function reordered(as: Actors) {
  const { type, ...rest } = toKey((await key(as, {})).body.initiation_id)
  return typed(as, 'POST /pix/out/', { ...rest, type })
}

/** What shows each fault of this kind. */
export const valuesRefusedProbes: Record<keyof typeof valuesRefused, Probe> = {
  'message-of-72-refused': [
    async (as) => (await as.staticCode({ message: 'a'.repeat(72) })).status,
    422,
    400,
  ],
  'empty-message-refused': [async (as) => (await as.dueDate({ message: '' })).status, 200, 400],
  'length-in-bytes': [async (as) => (await as.immediate({ message: 'é'.repeat(140) })).status, 200, 400],
  'length-in-code-units': [
    async (as) => (await as.transfer({ description: '😀'.repeat(140) })).status,
    201,
    400,
  ],
  'apostrophe-crashes': [
    async (as) => (await as.dueDate({ payer: { ...payer, name: "Joana d'Arc" } })).status,
    200,
    500,
  ],
  'line-break-refused': [async (as) => (await as.transfer({ description: 'a\nb' })).status, 201, 400],
  'accents-in-a-city-refused': [
    async (as) => (await as.dueDate({ payer: { ...payer, city: 'Brasília' } })).status,
    200,
    400,
  ],
  'face-in-a-name-crashes': [
    async (as) => (await as.immediate({ payer: { ...payer, name: '😀' } })).status,
    200,
    500,
  ],
  'plus-in-an-e-mail-refused': [
    async (as) => (await as.dueDate({ payer: { ...payer, email: 'fulano+pix@example.com' } })).status,
    200,
    400,
  ],
  'telephone-key-refused': [
    async (as) => (await as.partner('POST /pix/dict/check/', { dict_key: '+5561912345678' })).status,
    200,
    400,
  ],
  'evp-key-refused': [async (as) => (await as.staticCode({ dict_key: EVP })).status, 422, 400],
  'alphanumeric-tax-id-refused': [
    async (as) => (await as.dueDate({ payer: { ...payer, tax_id: KEYS.partner } })).status,
    200,
    400,
  ],
  'leading-zeros-refused': [
    async (as) => (await as.immediate({ payer: { ...payer, tax_id: '00000000191' } })).status,
    200,
    400,
  ],
  'centavo-refused': [async (as) => (await as.staticCode({ amount: '0.01' })).status, 200, 400],
  'large-amount-crashes': [
    async (as) => (await as.immediate({ amount: { original: '9999999999.99' } })).status,
    200,
    500,
  ],
  'leap-day-refused': [
    async (as) => (await as.dueDate({ calendar: { due_date: '2096-02-29' } })).status,
    200,
    400,
  ],
  'far-due-date-crashes': [
    async (as) => (await as.dueDate({ calendar: { due_date: '9999-01-15' } })).status,
    200,
    500,
  ],
  'long-expiration-crashes': [
    async (as) => (await as.immediate({ calendar: { expiration: 2 ** 31 } })).status,
    200,
    500,
  ],
  'document-change-refused': [
    async (as) => (await as.immediate({ payer: { ...payer, can_change_document: true } })).status,
    200,
    400,
  ],
  'payer-by-name-alone-refused': [
    async (as) => (await as.immediate({ payer: { name: 'Fulano de Tal' } })).status,
    200,
    400,
  ],
  'interest-of-8-refused': [
    async (as) =>
      (await as.dueDate({ amount: { ...amount, interest: { amount: '1.00', modality: '8' } } })).status,
    200,
    400,
  ],
  'deduction-refused': [
    async (as) =>
      (await as.dueDate({ amount: { ...amount, deduction: { amount: '1.00', modality: '1' } } })).status,
    200,
    400,
  ],
  'no-infos-crash': [async (as) => (await as.dueDate({ additional_infos: [] })).status, 200, 500],
  'info-value-of-200-refused': [
    async (as) => (await as.immediate({ additional_infos: [{ name: 'a', value: 'b'.repeat(200) }] })).status,
    200,
    400,
  ],
  'unknown-inner-member-refused': [
    async (as) => (await as.immediate({ payer: { ...payer, x: 1 } })).status,
    200,
    400,
  ],
  'unknown-member-refused': [
    async (as) => (await as.partner('POST /auth/partner/impersonate/', { ...USERS.partner, x: 1 })).status,
    200,
    400,
  ],
  'order-of-members': [async (as) => await reordered(as), 201, 400],
  'type-transfer-refused': [
    async (as) => await updated(as, { ...HOOK, type: 'transfer', status: 'active' }),
    200,
    400,
  ],
  'port-in-url-refused': [
    async (as) => await hook(as, JSON.stringify({ ...HOOK, url: 'https://loja.example:8443/pix' })),
    201,
    400,
  ],
  'url-of-2048-refused': [
    async (as) => await updated(as, { ...HOOK, url: HOOK.url.padEnd(2048, 'a'), status: 'active' }),
    200,
    400,
  ],
  'beneficiary-with-branch-refused': [
    async (as) => (await as.transfer({ beneficiary: { branch: '1' } })).status,
    422,
    400,
  ],
  'type-in-capitals-refused': [
    async (as) => await typed(as, 'POST /pix/brcode/emv/', { emv: STATIC_CODE }, 'Application/JSON'),
    200,
    415,
  ],
  'charset-in-capitals-refused': [
    async (as) => await transferred(as, 'application/json;charset=UTF-8'),
    201,
    415,
  ],
  'no-accept-refused': [async (as) => (await key(as, {})).status, 200, 406],
  'accept-anything-refused': [
    async (as) => (await as.partner('GET /partner/user', undefined, { accept: '*/*' })).status,
    200,
    406,
  ],
  'spaces-in-json-refused': [async (as) => await hook(as, JSON.stringify(HOOK, null, 2)), 201, 400],
  'escapes-refused': [
    async (as) =>
      await typed(as, 'POST /pix/qrcode/static/', `{"\\u0061mount": "1.00", "dict_key": "${KEYS.partner}"}`),
    200,
    400,
  ],
  'limit-of-1-refused': [async (as) => (await as.partner(`GET ${IMMEDIATE}?limit=1`)).status, 200, 400],
  'removed-filter-crashes': [
    async (as) => (await as.partner(`GET ${DUE_DATE}?status=REMOVIDA_PELO_PSP`)).status,
    200,
    500,
  ],
  'company-filter-refused': [
    async (as) => (await as.partner(`GET ${IMMEDIATE}?tax_id=${KEYS.partner}`)).status,
    200,
    400,
  ],
  'two-filters-refused': [
    async (as) => (await as.partner(`GET ${DUE_DATE}?status=ATIVA&limit=1`)).status,
    200,
    400,
  ],
  'customers-look-up-crashes': [
    async (as) => (await as.customer('POST /pix/dict/check/', { dict_key: KEYS.beltrana })).status,
    200,
    500,
  ],
  'scheme-in-small-letters-refused': [
    async (as) => (await (await inSmallLetters(as))('GET /partner/webhook/')).status,
    200,
    401,
  ],
}

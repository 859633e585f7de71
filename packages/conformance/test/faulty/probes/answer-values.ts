import { type Actors, HOOK, SIGN_IN } from '../actors.ts'
import { KEYS, STATIC_CODE, USERS } from '../cast.ts'
import type { answerValues } from '../faults/answer-values.ts'
import type { Probe } from '../probe.ts'

const IMMEDIATE = '/pix/qrcode/dynamic/immediate'
const DUE_DATE = '/pix/qrcode/dynamic/due-date'
const PHONE = '+5561912345678'
const LONG = 'a'.repeat(140)
const payer = { name: 'Fulano de Tal', tax_id: '12345678909' }
const charged = {
  original: '100.00',
  discount: { modality: '1', fixedDateDiscount: [{ amount: '5.00', date: '2999-01-10' }] },
  interest: { amount: '1.00', modality: '3' },
}

const signIn = async (as: Actors) => (await as.by(SIGN_IN.right)('POST /auth/partner/token/')).body
const impersonated = async (as: Actors) =>
  (await as.partner('POST /auth/partner/impersonate/', USERS.partner)).body
const user = async (as: Actors) => (await as.partner(`GET /partner/user/${USERS.partner.user_id}`)).body
const key = async (as: Actors, dict_key: string = KEYS.beltrana) =>
  (await as.partner('POST /pix/dict/check/', { dict_key })).body
const checked = async (as: Actors, emv: unknown) => (await as.partner('POST /pix/brcode/emv/', { emv })).body
const staticCode = (as: Actors) => checked(as, STATIC_CODE)
const dynamicCode = async (as: Actors) => checked(as, (await as.immediate()).body.emv)
const dueDateCode = async (as: Actors) => checked(as, (await as.dueDate()).body.emv)
const cancelledImmediate = async (as: Actors) =>
  (await as.partner(`DELETE ${IMMEDIATE}/${(await as.immediate()).body.id}`)).body
const webhook = async (as: Actors) => (await as.partner(`GET /partner/webhook/${await as.webhook()}`)).body
const updated = async (as: Actors) =>
  (await as.partner(`PATCH /partner/webhook/${await as.webhook()}`, { ...HOOK, status: 'inactive' })).body
const rotated = async (as: Actors) =>
  (await as.partner(`PATCH /partner/webhook/${await as.webhook()}/secret`)).body

async function cancelledDueDate(as: Actors) {
  const { body } = await as.dueDate()
  return (await as.partner(`DELETE ${DUE_DATE}/${body.id}`)).body
}

async function secondPage(as: Actors) {
  await as.dueDate()
  await as.dueDate()
  const { next_cursor } = (await as.partner(`GET ${DUE_DATE}?limit=1`)).body
  return (await as.partner(`GET ${DUE_DATE}?limit=1&cursor=${next_cursor}`)).body
}

async function listed(as: Actors) {
  await as.webhook()
  return (await as.partner('GET /partner/webhook/')).body.data[0]
}

/** Ten of them, one of which has a plus or a slash but for one time in a million. */
async function secrets(as: Actors): Promise<string[]> {
  const all = await Promise.all(Array.from({ length: 10 }, () => as.partner('POST /partner/webhook', HOOK)))
  return all.map(({ body }) => body.secret.slice('whsec_'.length))
}

/** What shows each fault of this kind. */
export const answerValuesProbes: Record<keyof typeof answerValues, Probe> = {
  'expiration-with-decimals': [async (as) => (await signIn(as)).expiration, 3600, 3600.5],
  'tokens-in-camel-case': [async (as) => 'access_token' in (await impersonated(as)), true, false],
  'code-expiration-in-local-time': [
    async (as) => (await dynamicCode(as)).expiration.endsWith('Z'),
    true,
    false,
  ],
  'code-without-payer-null': [async (as) => (await staticCode(as)).payer === null, false, true],
  'static-code-status-null': [async (as) => (await staticCode(as)).status, '', null],
  'no-infos-null': [async (as) => (await staticCode(as)).additional_infos, [], null],
  'final-amount-with-exponent': [async (as) => (await staticCode(as)).final_amount, '10.50', '1.05e+1'],
  'code-due-date-with-time': [
    async (as) => (await dueDateCode(as)).due_date,
    '2999-01-15',
    '2999-01-15T00:00:00Z',
  ],
  'account-number-with-dash': [async (as) => (await key(as)).account_number, '2345678', '234567-8'],
  'initiation-id-is-a-number': [async (as) => typeof (await key(as)).initiation_id, 'string', 'number'],
  'owner-type-of-companies': [
    async (as) => (await key(as, KEYS.padaria)).owner_type,
    'LEGAL_PERSON',
    'COMPANY',
  ],
  'no-trade-name-null': [async (as) => (await key(as)).owner_trade_name, '', null],
  'phone-without-plus': [async (as) => (await key(as, PHONE)).dict_key, '+5561912345678', '5561912345678'],
  'transfer-amount-in-centavos': [async (as) => (await as.transfer()).body.data.amount, '1.50', '150'],
  'no-description-null': [
    async (as) => (await as.transfer({ description: undefined })).body.data.description,
    '',
    null,
  ],
  'transfer-id-without-dashes': [async (as) => (await as.transfer()).body.data.id.length, 36, 32],
  'inner-status-in-portuguese': [
    async (as) => (await as.transfer()).body.data.status,
    'pending',
    'liquidada',
  ],
  'dynamic-initiation-type': [
    async (as) => (await as.pay((await as.immediate()).body.emv, '35.90')).body.data.initiation_type,
    'QRDN',
    'qrdn',
  ],
  'beneficiary-account-type': [
    async (as) => (await as.transfer()).body.data.beneficiary.account_type,
    'TRAN',
    'CHECKING',
  ],
  'description-cut-off': [
    async (as) => (await as.transfer({ description: LONG })).body.data.description.length,
    140,
    100,
  ],
  'message-escaped': [
    async (as) => (await as.immediate({ message: 'a & b' })).body.message,
    'a & b',
    'a &amp; b',
  ],
  'message-trimmed': [async (as) => (await as.dueDate({ message: ' a ' })).body.message, ' a ', 'a'],
  'message-without-accents': [
    async (as) => (await as.staticCode({ message: 'Pão' })).body.message,
    'Pão',
    'Pao',
  ],
  'message-without-faces': [async (as) => (await as.immediate({ message: '😀' })).body.message, '😀', '?'],
  'message-cut-at-100': [async (as) => (await as.immediate({ message: LONG })).body.message.length, 140, 100],
  'info-value-cut-off': [
    async (as) =>
      (await as.dueDate({ additional_infos: [{ name: 'a', value: LONG }] })).body.additional_infos[0].value
        .length,
    140,
    100,
  ],
  'payer-name-in-capitals': [
    async (as) => (await as.dueDate({ payer })).body.payer.name,
    'Fulano de Tal',
    'FULANO DE TAL',
  ],
  'payer-without-zipcode': [
    async (as) => 'zipcode' in (await as.dueDate({ payer: { zipcode: '70000000' } })).body.payer,
    true,
    false,
  ],
  'no-infos-missing': [async (as) => 'additional_infos' in (await as.immediate()).body, true, false],
  'no-message-empty-object': [async (as) => (await as.dueDate()).body.message, null, {}],
  'modality-is-a-number': [
    async (as) => (await as.dueDate({ amount: charged })).body.amount.interest.modality,
    '3',
    3,
  ],
  'discount-date-with-time': [
    async (as) => (await as.dueDate({ amount: charged })).body.amount.discount.fixedDateDiscount[0].date,
    '2999-01-10',
    '2999-01-10T03:00:00Z',
  ],
  'due-date-cancelled-in-english': [
    async (as) => (await cancelledDueDate(as)).status,
    'REMOVIDA_PELO_USUARIO_RECEBEDOR',
    'CANCELLED',
  ],
  'cancelled-code-in-data': [async (as) => 'data' in (await cancelledDueDate(as)), false, true],
  'cancelled-code-without-payer': [async (as) => 'payer' in (await cancelledImmediate(as)), true, false],
  'later-pages-bare': [async (as) => Array.isArray(await secondPage(as)), false, true],
  'nothing-found-null': [
    async (as) => (await as.partner(`GET ${IMMEDIATE}?tax_id=00000000000`)).body.data,
    [],
    null,
  ],
  'last-cursor-empty': [
    async (as) => (await as.partner(`GET ${IMMEDIATE}?tax_id=00000000000`)).body.next_cursor,
    null,
    '',
  ],
  'tax-id-with-dots': [
    async (as) => (await as.partner('GET /partner/user')).body.users[0].tax_id,
    '12345678909',
    '123.456.789-09',
  ],
  'last-user-without-phone': [
    async (as) => 'phone_number' in (await as.partner('GET /partner/user')).body.users.at(-1),
    true,
    false,
  ],
  'customer-deleted-at-null': [async (as) => (await user(as)).customers[0].deleted_at, '', null],
  'branch-is-a-number': [async (as) => (await user(as)).customers[0].account_branch, '0001', 1],
  'metadata-is-a-list': [async (as) => Array.isArray((await user(as)).customers[0].metadata), false, true],
  'user-shows-a-hash': [async (as) => 'password_hash' in (await user(as)).user, false, true],
  'webhook-dates-are-numbers': [async (as) => typeof (await listed(as)).created_at, 'string', 'number'],
  'deleted-at-error-text': [async (as) => (await webhook(as)).deleted_at, null, { error: 'null' }],
  'updated-at-without-zone': [async (as) => (await updated(as)).updated_at.endsWith('Z'), true, false],
  'changed-webhook-in-a-list': [async (as) => Array.isArray(await updated(as)), false, true],
  'secret-without-prefix': [async (as) => (await rotated(as)).secret.startsWith('whsec_'), true, false],
  'secret-safe-for-urls': [async (as) => /[-_]/.test((await secrets(as)).join('')), false, true],
  'rotation-without-partner': [async (as) => 'partner_id' in (await rotated(as)), true, false],
  'customers-transfer-without-payer': [async (as) => 'payer' in (await as.transfer()).body.data, true, false],
  'json-with-a-bom': [async (as) => (await as.partner('GET /partner/user')).text.charCodeAt(0), 123, 65279],
  'json-with-a-trailing-comma': [
    async (as) => (await as.partner(`GET /partner/webhook/${await as.webhook()}`)).text.endsWith(',}'),
    false,
    true,
  ],
  'answer-twice': [async (as) => (await key(as)) === undefined, false, true],
}

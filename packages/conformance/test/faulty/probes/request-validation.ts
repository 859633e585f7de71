import { type Actors, charge, HOOK, newTxId } from '../actors.ts'
import { KEYS, USERS } from '../cast.ts'
import type { requestValidation } from '../faults/request-validation.ts'
import type { Probe } from '../probe.ts'

const IMMEDIATE = '/pix/qrcode/dynamic/immediate'
const DUE_DATE = '/pix/qrcode/dynamic/due-date'

const amount = { original: '35.90' }
const due = { due_date: '2999-01-15' }

/** The status of a code with these members. */
const immediate = (members: object) => async (as: Actors) => (await as.immediate(members)).status
const dueDate = (members: object) => async (as: Actors) => (await as.dueDate(members)).status
const staticCode = (members: object) => async (as: Actors) => (await as.staticCode(members)).status
const transfer = (members: object) => async (as: Actors) => (await as.transfer(members)).status
const webhook = (members: object) => async (as: Actors) =>
  (await as.partner('POST /partner/webhook', { ...HOOK, ...members })).status
const updated = (members: object) => async (as: Actors) =>
  (await as.partner(`PATCH /partner/webhook/${await as.webhook()}`, members)).status
const raw = (line: string, body: string) => async (as: Actors) => (await as.partner(line, body)).status

/** What shows each fault of this kind. */
export const requestValidationProbes: Record<keyof typeof requestValidation, Probe> = {
  'code-not-required': [raw('POST /pix/brcode/emv/', '{}'), 400, 200],
  'webhook-type-unchecked': [webhook({ type: 'everything' }), 400, 201],
  'amount-pattern-unchecked': [transfer({ amount: 'abc' }), 400, 201],
  'amount-as-a-number': [staticCode({ amount: 10 }), 400, 200],
  'message-too-long': [immediate({ message: 'a'.repeat(141) }), 400, 200],
  'description-too-long': [transfer({ description: 'a'.repeat(141) }), 400, 201],
  'expiration-of-nothing': [immediate({ calendar: { expiration: 0 } }), 400, 200],
  'initiation-not-required': [transfer({ initiation_id: undefined }), 400, 201],
  'due-date-format-unchecked': [dueDate({ calendar: { due_date: '15/01/2999' } }), 400, 200],
  'more-than-50-infos': [
    immediate({ additional_infos: Array.from({ length: 51 }, () => ({ name: 'a', value: 'b' })) }),
    400,
    200,
  ],
  'limit-unchecked': [async (as) => (await as.partner(`GET ${IMMEDIATE}?limit=abc`)).status, 400, 200],
  'status-filter-unchecked': [
    async (as) => (await as.partner(`GET ${DUE_DATE}?status=ABERTA`)).status,
    400,
    200,
  ],
  'any-media-type': [
    async (as) => (await as.partner('POST /partner/webhook', HOOK, { 'content-type': 'text/plain' })).status,
    415,
    201,
  ],
  'malformed-json-crashes': [raw('POST /pix/dict/check/', '{'), 400, 500],
  'malformed-id-crashes': [async (as) => (await as.partner('GET /partner/user/fulano')).status, 404, 500],
  'null-body-crashes': [raw('POST /pix/dict/check/', 'null'), 400, 500],
  'empty-body-crashes': [raw('POST /pix/dict/check/', ''), 400, 500],
  'empty-body-taken': [raw('POST /auth/partner/impersonate/', ''), 400, 200],
  'first-of-equal-members': [
    async (as) => {
      const two = `{"dict_key": "${KEYS.padaria}", "dict_key": "${KEYS.beltrana}"}`
      return (await as.partner('POST /pix/dict/check/', two)).body.owner_name
    },
    'Beltrana de Tal',
    'Padaria Exemplo Ltda',
  ],
  'tax-id-unchecked': [dueDate({ payer: { tax_id: '123' } }), 400, 200],
  'interest-modality-unchecked': [
    dueDate({ amount: { ...amount, interest: { modality: '9', amount: '1.00' } }, calendar: due }),
    400,
    200,
  ],
  'webhook-status-unchecked': [updated({ ...HOOK, status: 'paused' }), 400, 200],
  'partial-update-taken': [updated({ status: 'inactive' }), 400, 200],
  'tx-id-too-short': [async (as) => (await as.immediate({ tx_id: newTxId().slice(0, 25) })).status, 400, 200],
  'customer-id-empty': [
    async (as) =>
      (await as.partner('POST /auth/partner/impersonate/', { ...USERS.partner, customer_id: '' })).status,
    400,
    200,
  ],
  'url-unchecked': [webhook({ url: 'loja' }), 400, 201],
  'beneficiary-unchecked': [transfer({ beneficiary: { ispb: 'x' } }), 400, 201],
  'null-for-a-message': [immediate({ message: null }), 400, 200],
  'no-pointers': [async (as) => 'errors' in (await as.immediate({ tx_id: '' })).body, true, false],
  'wrong-pointers': [
    async (as) =>
      (await as.partner(`POST ${IMMEDIATE}`, { ...charge(), amount, tx_id: '' })).body.errors[0].pointer,
    '/tx_id',
    '/id',
  ],
  'key-digits-unchecked': [raw('POST /pix/dict/check/', '{"dict_key": "11144477734"}'), 404, 200],
}

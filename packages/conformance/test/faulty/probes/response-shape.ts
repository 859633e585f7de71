import type { Actors, Answer } from '../actors.ts'
import { KEYS, STATIC_CODE, USERS } from '../cast.ts'
import type { responseShape } from '../faults/response-shape.ts'
import type { Probe } from '../probe.ts'

const signIn = async (as: Actors) =>
  (await as.by('Basic cGFydG5lcjpzZWNyZXQ=')('POST /auth/partner/token/')).body
const user = (as: Actors) => as.partner(`GET /partner/user/${USERS.partner.user_id}`)
const key = async (as: Actors) =>
  (await as.partner('POST /pix/dict/check/', { dict_key: KEYS.beltrana })).body
const code = async (as: Actors) => (await as.partner('POST /pix/brcode/emv/', { emv: STATIC_CODE })).body
const webhook = async (as: Actors) => (await as.partner(`GET /partner/webhook/${await as.webhook()}`)).body
const webhooks = async (as: Actors) => (await as.partner('GET /partner/webhook/')).body
const created = async (as: Actors) => (await as.partner('POST /partner/webhook', HOOK)).body
const users = async (as: Actors) => (await as.partner('GET /partner/user')).body
const isEmpty = ({ body }: Answer) => body === undefined

const HOOK = { type: 'all', url: 'https://loja.example/pix' }

/** What shows each fault of this kind. */
export const responseShapeProbes: Record<keyof typeof responseShape, Probe> = {
  'refresh-token-missing': [async (as) => 'refresh_token' in (await signIn(as)), true, false],
  'expiration-is-text': [async (as) => (await signIn(as)).expiration, 3600, '3600'],
  'token-type-in-small-letters': [
    async (as) => (await as.partner('POST /auth/partner/impersonate/', USERS.partner)).body.type,
    'Bearer',
    'bearer',
  ],
  'code-kind-in-capitals': [async (as) => (await code(as)).qrcode_type, 'Static', 'STATIC'],
  'customer-type-in-capitals': [
    async (as) => (await user(as)).body.customers[0].customer_type,
    'person',
    'PERSON',
  ],
  'owner-name-null': [async (as) => (await key(as)).owner_name, 'Beltrana de Tal', null],
  'metadata-is-text': [async (as) => typeof (await user(as)).body.customers[0].metadata, 'object', 'string'],
  'ispb-of-seven-digits': [async (as) => (await key(as)).ispb, '99999029', '9999902'],
  'amount-with-a-comma': [async (as) => (await as.transfer()).body.data.amount, '1.50', '1,50'],
  'amount-is-a-number': [async (as) => (await as.staticCode()).body.amount, '35.90', 35.9],
  'partner-id-is-no-uuid': [async (as) => (await created(as)).partner_id.length, 36, 12],
  'timestamp-with-a-space': [async (as) => (await as.staticCode()).body.created_at[10], 'T', ' '],
  'timestamp-with-an-offset': [
    async (as) => (await users(as)).created_at.slice(-6).includes('-03:00'),
    false,
    true,
  ],
  'secret-too-short': [async (as) => (await created(as)).secret.length, 50, 30],
  'list-without-envelope': [async (as) => Array.isArray(await webhooks(as)), false, true],
  'list-is-null': [async (as) => Array.isArray((await webhooks(as)).data), true, false],
  'users-by-id': [async (as) => Array.isArray((await users(as)).users), true, false],
  'key-in-an-envelope': [async (as) => 'data' in (await key(as)), false, true],
  'body-cut-off': [async (as) => isEmpty(await user(as)), false, true],
  'webhook-shows-its-secret': [async (as) => 'secret' in (await webhook(as)), false, true],
  'key-altered': [async (as) => (await key(as)).dict_key, 'beltrana@example.com', 'BELTRANA@EXAMPLE.COM'],
  'charge-of-the-other-kind': [async (as) => (await as.immediate()).body.kind, 'Immediate', 'DueDate'],
  'due-date-day-first': [
    async (as) => (await as.dueDate()).body.calendar.due_date,
    '2999-01-15',
    '15/01/2999',
  ],
  'revision-is-text': [
    async (as) => {
      const { body } = await as.immediate()
      return (await as.partner(`DELETE /pix/qrcode/dynamic/immediate/${body.id}`)).body.revision
    },
    1,
    '1',
  ],
  'next-cursor-missing': [
    async (as) => 'next_cursor' in (await as.partner('GET /pix/qrcode/dynamic/due-date')).body,
    true,
    false,
  ],
  'listed-code-without-calendar': [
    async (as) => {
      await as.immediate()
      return 'calendar' in (await as.partner('GET /pix/qrcode/dynamic/immediate')).body.data[0]
    },
    true,
    false,
  ],
  'image-is-no-png': [async (as) => (await as.staticCode()).body.qrcode_image.slice(0, 4), 'iVBO', 'R0lG'],
  'zero-with-decimals': [async (as) => (await code(as)).discount, '0', '0.00'],
  'allow-value-change-is-text': [async (as) => (await code(as)).allow_value_change, false, 'false'],
  'deleted-at-empty': [async (as) => (await webhook(as)).deleted_at, null, ''],
  'settled-at-null': [async (as) => (await as.transfer()).body.data.settled_at, '', null],
  'end-to-end-id-too-short': [async (as) => (await as.transfer()).body.data.end_to_end_id.length, 32, 31],
  'payer-without-tax-id': [async (as) => 'tax_id' in (await as.transfer()).body.data.payer, true, false],
  'document-with-dots': [async (as) => (await key(as)).owner_document, '***.444.777-**', '111.***.***-35'],
  'webhook-status-unknown': [
    async (as) => {
      const id = await as.webhook()
      return (await as.partner(`PATCH /partner/webhook/${id}`, { ...HOOK, status: 'active' })).body.status
    },
    'active',
    'paused',
  ],
}

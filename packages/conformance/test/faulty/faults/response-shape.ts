import type { Faults } from '../fault.ts'
import { change, drop, set } from '../json.ts'
import { remade } from '../responses.ts'

const schema = ['response-schema'] as const

/** Response bodies that do not match the contract. */
export const responseShape: Faults = {
  'refresh-token-missing': {
    operation: 'signIn',
    rule: schema,
    describe: 'The token set lacks refresh_token.',
    success: drop('/refresh_token'),
  },
  'expiration-is-text': {
    operation: 'signIn',
    rule: schema,
    describe: 'The expiration of a token set is the text "3600".',
    success: change('/expiration', String),
  },
  'token-type-in-small-letters': {
    operation: 'impersonate',
    rule: schema,
    describe: 'The type of a token set is bearer.',
    success: set('/type', 'bearer'),
  },
  'code-kind-in-capitals': {
    operation: 'checkCode',
    rule: schema,
    describe: 'The kind of a code is written in capitals.',
    success: change('/qrcode_type', (it) => String(it).toUpperCase()),
  },
  'customer-type-in-capitals': {
    operation: 'getUser',
    rule: schema,
    describe: 'The customer_type of a customer is PERSON.',
    success: set('/customers/*/customer_type', 'PERSON'),
  },
  'owner-name-null': {
    operation: 'checkKey',
    rule: schema,
    describe: 'The owner_name of a key is null.',
    success: set('/owner_name', null),
  },
  'metadata-is-text': {
    operation: 'getUser',
    rule: schema,
    describe: 'The metadata of a customer is an empty text.',
    success: set('/customers/*/metadata', ''),
  },
  'ispb-of-seven-digits': {
    operation: 'checkKey',
    rule: schema,
    describe: 'The ispb of an owner lost its last digit.',
    success: change('/ispb', (it) => String(it).slice(0, 7)),
  },
  'amount-with-a-comma': {
    operation: 'createTransfer',
    rule: schema,
    describe: 'The amount of a transfer is written with a comma.',
    success: change('/data/amount', (it) => String(it).replace('.', ',')),
  },
  'amount-is-a-number': {
    operation: 'createStaticQrCode',
    rule: schema,
    describe: 'The amount of a static code is a number.',
    success: change('/amount', Number),
  },
  'partner-id-is-no-uuid': {
    operation: 'createWebhook',
    rule: schema,
    describe: 'The partner_id of a credential is no UUID.',
    success: set('/partner_id', 'loja-exemplo'),
  },
  'timestamp-with-a-space': {
    operation: 'createStaticQrCode',
    rule: schema,
    describe: 'A timestamp has a space where T belongs.',
    success: change('/created_at', (it) => String(it).replace('T', ' ')),
  },
  'timestamp-with-an-offset': {
    operation: 'listUsers',
    rule: schema,
    describe: 'A timestamp is not in UTC.',
    success: change('/created_at', (it) => String(it).replace('Z', '-03:00')),
  },
  'secret-too-short': {
    operation: 'createWebhook',
    rule: schema,
    describe: 'The secret of a webhook has 16 bytes.',
    success: change('/secret', shortened),
  },
  'list-without-envelope': {
    operation: 'listWebhooks',
    rule: schema,
    describe: 'The list of webhooks is a bare array.',
    success: ({ data }) => data,
  },
  'list-is-null': {
    operation: 'listWebhooks',
    rule: schema,
    describe: 'The data of a list is null.',
    success: set('/data', null),
  },
  'users-by-id': {
    operation: 'listUsers',
    rule: schema,
    describe: 'The users are an object by their ids instead of an array.',
    success: change('/users', byId),
  },
  'key-in-an-envelope': {
    operation: 'checkKey',
    rule: schema,
    describe: 'The result of a key lookup is inside a field data.',
    success: (data) => ({ data }),
  },
  'body-cut-off': {
    operation: 'getUser',
    rule: ['response-schema', 'response-media-type'],
    describe: 'The JSON of a response ends too early.',
    response: async (response) =>
      response.ok ? remade(response, { body: (await response.text()).slice(0, -1) }) : response,
  },
  'webhook-shows-its-secret': {
    operation: 'getWebhook',
    rule: ['undeclared-fields', 'secret-shown-once'],
    describe: 'A webhook is shown with its secret.',
    success: withSecret,
  },
  'key-altered': {
    operation: 'checkKey',
    rule: ['record-shown'],
    describe: 'The dict_key that was looked up comes back in capitals.',
    success: change('/dict_key', (it) => String(it).toUpperCase()),
  },
  'charge-of-the-other-kind': {
    operation: 'createImmediateQrCode',
    rule: schema,
    describe: 'The kind of an immediate code is DueDate.',
    success: set('/kind', 'DueDate'),
  },
  'due-date-day-first': {
    operation: 'createDueDateQrCode',
    rule: ['response-schema', 'record-shown'],
    describe: 'A due date is written with its day first.',
    success: change('/calendar/due_date', (it) => String(it).split('-').reverse().join('/')),
  },
  'revision-is-text': {
    operation: 'cancelImmediateQrCode',
    rule: schema,
    describe: 'The revision of a code is a text.',
    success: change('/revision', String),
  },
  'next-cursor-missing': {
    operation: 'listDueDateQrCodes',
    rule: schema,
    describe: 'A page lacks next_cursor.',
    success: drop('/next_cursor'),
  },
  'listed-code-without-calendar': {
    operation: 'listImmediateQrCodes',
    rule: schema,
    describe: 'The codes of a page lack their calendar.',
    success: drop('/data/*/calendar'),
  },
  'image-is-no-png': {
    operation: 'createStaticQrCode',
    rule: ['response-schema', 'invariants'],
    describe: 'The image of a code is a GIF.',
    success: set('/qrcode_image', gif()),
  },
  'zero-with-decimals': {
    operation: 'checkCode',
    rule: schema,
    describe: 'A discount of nothing is written 0.00 instead of 0.',
    success: change('/discount', (it) => (it === '0' ? '0.00' : it)),
  },
  'allow-value-change-is-text': {
    operation: 'checkCode',
    rule: schema,
    describe: 'Whether the amount may be changed is said in a text.',
    success: change('/allow_value_change', String),
  },
  'deleted-at-empty': {
    operation: 'getWebhook',
    rule: schema,
    describe: 'The deleted_at of a webhook that is there is an empty text.',
    success: set('/deleted_at', ''),
  },
  'settled-at-null': {
    operation: 'createTransfer',
    rule: schema,
    describe: 'The settled_at of a transfer under way is null.',
    success: set('/data/settled_at', null),
  },
  'end-to-end-id-too-short': {
    operation: 'createTransfer',
    rule: ['response-schema', 'invariants'],
    describe: 'The end-to-end id has 31 characters.',
    success: change('/data/end_to_end_id', (it) => String(it).slice(0, -1)),
  },
  'payer-without-tax-id': {
    operation: 'createTransfer',
    rule: schema,
    describe: 'The payer of a transfer has no tax_id.',
    success: drop('/data/payer/tax_id'),
  },
  'document-with-dots': {
    operation: 'checkKey',
    rule: schema,
    describe: 'The document of an owner is masked in another form.',
    success: set('/owner_document', '111.***.***-35'),
  },
  'webhook-status-unknown': {
    operation: 'updateWebhook',
    rule: ['response-schema', 'record-shown', 'record-changes'],
    describe: 'The status of a changed webhook is paused.',
    success: set('/status', 'paused'),
  },
}

/** A secret of half its length. */
function shortened(secret: unknown): string {
  const bytes = Buffer.from(String(secret).slice('whsec_'.length), 'base64')
  return `whsec_${bytes.subarray(0, 16).toString('base64')}`
}

function byId(users: unknown): object {
  return Object.fromEntries((users as { id: string }[]).map((user) => [user.id, user]))
}

function withSecret(webhook: object): object {
  return { ...webhook, secret: `whsec_${btoa('0123456789abcdef0123456789abcdef')}` }
}

/** The smallest GIF image. */
function gif(): string {
  return 'R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs='
}

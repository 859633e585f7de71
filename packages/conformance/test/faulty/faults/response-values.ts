import type { Faults } from '../fault.ts'
import { at, change, drop, isJson, type Json, set } from '../json.ts'
import { remade } from '../responses.ts'
import { isPartner } from '../wrap.ts'

const schema = ['response-schema'] as const
/** The fault shows only in responses to requests with a missing or unusual field. */
const uncommon = ['response-schema', 'boundary-accepted', 'record-shown'] as const
const echo = ['record-shown'] as const

/** Responses with an invalid or sometimes different field. */
export const responseValues: Faults = {
  'expiration-with-decimals': {
    operation: 'signIn',
    rule: schema,
    describe: 'The expiration of a token set has decimals.',
    success: set('/expiration', 3600.5),
  },
  'tokens-in-camel-case': {
    operation: 'impersonate',
    rule: schema,
    describe: 'The fields of a token set are in camel case.',
    success: inCamelCase,
  },
  'code-expiration-in-local-time': {
    operation: 'checkCode',
    rule: schema,
    describe: 'The expiration of an immediate code is in local time.',
    success: textAt('/expiration', local),
  },
  'code-without-payer-null': {
    operation: 'checkCode',
    rule: schema,
    describe: 'The payer of a code that has none is null.',
    success: (body) => (at(body, '/payer/name') ? body : set('/payer', null)(body)),
  },
  'static-code-status-null': {
    operation: 'checkCode',
    rule: schema,
    describe: 'The status of a static code is null.',
    success: change('/status', (it) => (it === '' ? null : it)),
  },
  'no-infos-null': {
    operation: 'checkCode',
    rule: schema,
    describe: 'The additional_infos of a code that has none are null.',
    success: change('/additional_infos', emptyAsNull),
  },
  'final-amount-with-exponent': {
    operation: 'checkCode',
    rule: schema,
    describe: 'The final amount of a code has an exponent.',
    success: change('/final_amount', (it) => Number(it).toExponential()),
  },
  'code-due-date-with-time': {
    operation: 'checkCode',
    rule: schema,
    describe: 'The due date of a code has a time.',
    success: textAt('/due_date', (it) => `${it}T00:00:00Z`),
  },
  'account-number-with-dash': {
    operation: 'checkKey',
    rule: schema,
    describe: 'The number of an account has a dash before its last digit.',
    success: textAt('/account_number', dashed),
  },
  'initiation-id-is-a-number': {
    operation: 'checkKey',
    rule: schema,
    describe: 'An initiation_id is a number.',
    success: set('/initiation_id', 12345),
  },
  'owner-type-of-companies': {
    operation: 'checkKey',
    rule: schema,
    describe: 'The owner_type of a company is COMPANY.',
    success: change('/owner_type', (it) => (it === 'LEGAL_PERSON' ? 'COMPANY' : it)),
  },
  'no-trade-name-null': {
    operation: 'checkKey',
    rule: schema,
    describe: 'The owner_trade_name of a person is null.',
    success: change('/owner_trade_name', (it) => it || null),
  },
  'phone-without-plus': {
    operation: 'checkKey',
    rule: echo,
    describe: 'A telephone that was looked up comes back without its plus.',
    success: textAt('/dict_key', (it) => it.replace('+', '')),
  },
  'transfer-amount-in-centavos': {
    operation: 'createTransfer',
    rule: echo,
    describe: 'The amount of a transfer is in centavos.',
    success: textAt('/data/amount', (it) => String(Math.round(Number(it) * 100))),
  },
  'no-description-null': {
    operation: 'createTransfer',
    rule: uncommon,
    describe: 'The description of a transfer without one is null.',
    success: change('/data/description', (it) => it || null),
  },
  'transfer-id-without-dashes': {
    operation: 'createTransfer',
    rule: schema,
    describe: 'The id inside of a transfer has no dashes.',
    success: textAt('/data/id', (it) => it.replaceAll('-', '')),
  },
  'inner-status-in-portuguese': {
    operation: 'createTransfer',
    rule: schema,
    describe: 'The status inside of a transfer is liquidada.',
    success: set('/data/status', 'liquidada'),
  },
  'dynamic-initiation-type': {
    operation: 'createTransfer',
    rule: schema,
    describe: 'The initiation_type of a transfer by a dynamic code is in small letters.',
    success: change('/data/initiation_type', (it) => (it === 'QRDN' ? 'qrdn' : it)),
  },
  'beneficiary-account-type': {
    operation: 'createTransfer',
    rule: schema,
    describe: 'The account_type of a beneficiary is CHECKING.',
    success: set('/data/beneficiary/account_type', 'CHECKING'),
  },
  'description-cut-off': {
    operation: 'createTransfer',
    rule: echo,
    describe: 'The description of a transfer is cut off after 100 characters.',
    success: textAt('/data/description', (it) => it.slice(0, 100)),
  },
  'message-escaped': {
    operation: 'createImmediateQrCode',
    rule: echo,
    describe: 'A message comes back escaped for HTML.',
    success: textAt('/message', (it) => it.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
  },
  'message-trimmed': {
    operation: 'createDueDateQrCode',
    rule: echo,
    describe: 'A message comes back without the spaces around it.',
    success: textAt('/message', (it) => it.trim()),
  },
  'message-without-accents': {
    operation: 'createStaticQrCode',
    rule: echo,
    describe: 'A message comes back without its accents.',
    success: textAt('/message', withoutAccents),
  },
  'message-without-faces': {
    operation: 'createImmediateQrCode',
    rule: echo,
    describe: 'Characters outside the BMP come back as question marks.',
    success: textAt('/message', (it) => it.replace(/[\u{10000}-\u{10ffff}]/gu, '?')),
  },
  'message-cut-at-100': {
    operation: 'createImmediateQrCode',
    rule: echo,
    describe: 'A message is cut off after 100 characters.',
    success: textAt('/message', (it) => it.slice(0, 100)),
  },
  'info-value-cut-off': {
    operation: 'createDueDateQrCode',
    rule: echo,
    describe: 'The value of an additional info is cut off after 100 characters.',
    success: textAt('/additional_infos/*/value', (it) => it.slice(0, 100)),
  },
  'payer-name-in-capitals': {
    operation: 'createDueDateQrCode',
    rule: echo,
    describe: 'The name of a payer comes back in capitals.',
    success: textAt('/payer/name', (it) => it.toUpperCase()),
  },
  'payer-without-zipcode': {
    operation: 'createDueDateQrCode',
    rule: echo,
    describe: 'The zipcode of a payer is lost.',
    success: drop('/payer/zipcode'),
  },
  'no-infos-missing': {
    operation: 'createImmediateQrCode',
    rule: uncommon,
    describe: 'A code without additional_infos lacks the field.',
    success: (body) => (emptyAsNull(body.additional_infos) ? body : drop('/additional_infos')(body)),
  },
  'no-message-empty-object': {
    operation: 'createDueDateQrCode',
    rule: uncommon,
    describe: 'The message of a code without one is an empty object.',
    success: change('/message', (it) => it ?? {}),
  },
  'modality-is-a-number': {
    operation: 'createDueDateQrCode',
    rule: schema,
    describe: 'The modality of an interest is a number.',
    success: present('/amount/interest/modality', Number),
  },
  'discount-date-with-time': {
    operation: 'createDueDateQrCode',
    rule: ['response-schema', 'record-shown'],
    describe: 'The date of a discount has a time.',
    success: textAt('/amount/discount/fixedDateDiscount/*/date', (it) => `${it}T03:00:00Z`),
  },
  'due-date-cancelled-in-english': {
    operation: 'cancelDueDateQrCode',
    rule: schema,
    describe: 'The status of a cancelled code is CANCELLED.',
    success: set('/status', 'CANCELLED'),
  },
  'cancelled-code-in-data': {
    operation: 'cancelDueDateQrCode',
    rule: schema,
    describe: 'A cancelled code is inside a field data.',
    success: (data) => ({ data }),
  },
  'cancelled-code-without-payer': {
    operation: 'cancelImmediateQrCode',
    rule: schema,
    describe: 'A cancelled code lacks its payer.',
    success: drop('/payer'),
  },
  'later-pages-bare': {
    operation: 'listDueDateQrCodes',
    rule: ['response-schema', 'list-pages'],
    describe: 'Pages after the first one are bare arrays.',
    success: (body, { url }) => (url.searchParams.has('cursor') ? body.data : body),
  },
  'nothing-found-null': {
    operation: 'listImmediateQrCodes',
    rule: ['response-schema', 'boundary-accepted', 'list-pages'],
    describe: 'The data of a page on which nothing is are null.',
    success: change('/data', emptyAsNull),
  },
  'last-cursor-empty': {
    operation: 'listImmediateQrCodes',
    rule: ['list-pages'],
    describe: 'The next_cursor of the last page is an empty text.',
    success: change('/next_cursor', (it) => it ?? ''),
  },
  'tax-id-with-dots': {
    operation: 'listUsers',
    rule: schema,
    describe: 'The tax_id of a user is written with dots and a dash.',
    success: textAt('/users/*/tax_id', dotted),
  },
  'last-user-without-phone': {
    operation: 'listUsers',
    rule: schema,
    describe: 'The last of the users lacks the phone_number.',
    success: change('/users', lastWithout('phone_number')),
  },
  'customer-deleted-at-null': {
    operation: 'getUser',
    rule: schema,
    describe: 'The deleted_at of a customer that is there is null.',
    success: set('/customers/*/deleted_at', null),
  },
  'branch-is-a-number': {
    operation: 'getUser',
    rule: schema,
    describe: 'The branch of an account is a number, without its zeros.',
    success: change('/customers/*/account_branch', Number),
  },
  'metadata-is-a-list': {
    operation: 'getUser',
    rule: schema,
    describe: 'The metadata of a customer are an empty array.',
    success: set('/customers/*/metadata', []),
  },
  'user-shows-a-hash': {
    operation: 'getUser',
    rule: ['undeclared-fields'],
    describe: 'A user is shown with the hash of a password.',
    success: set('/user/password_hash', '$2b$10$'),
  },
  'webhook-dates-are-numbers': {
    operation: 'listWebhooks',
    rule: schema,
    describe: 'The created_at of a listed webhook is a number.',
    success: textAt('/data/*/created_at', (it) => Date.parse(it)),
  },
  'deleted-at-error-text': {
    operation: 'getWebhook',
    rule: schema,
    describe: 'The error of a deleted_at is the text null.',
    success: set('/deleted_at', { error: 'null' }),
  },
  'updated-at-without-zone': {
    operation: 'updateWebhook',
    rule: schema,
    describe: 'The updated_at of a changed webhook has no zone.',
    success: textAt('/updated_at', (it) => it.replace('Z', '')),
  },
  'changed-webhook-in-a-list': {
    operation: 'updateWebhook',
    rule: schema,
    describe: 'A changed webhook is the one item of an array.',
    success: (body) => [body],
  },
  'secret-without-prefix': {
    operation: 'rotateWebhookSecret',
    rule: schema,
    describe: 'A new secret lacks its prefix.',
    success: textAt('/secret', (it) => it.slice(6)),
  },
  'secret-safe-for-urls': {
    operation: 'createWebhook',
    rule: schema,
    describe: 'A secret is in the alphabet of base64 that is safe for URLs.',
    success: textAt('/secret', (it) => it.replaceAll('+', '-').replaceAll('/', '_')),
  },
  'rotation-without-partner': {
    operation: 'rotateWebhookSecret',
    rule: schema,
    describe: 'A new credential lacks its partner_id.',
    success: drop('/partner_id'),
  },
  'customers-transfer-without-payer': {
    operation: 'createTransfer',
    rule: ['response-schema', 'example-accepted'],
    describe: 'A transfer of a customer lacks its payer.',
    success: async (body, call, sandbox) =>
      (await isPartner(call, sandbox)) ? body : drop('/data/payer')(body),
  },
  'json-with-a-bom': {
    operation: 'listUsers',
    rule: ['valid-json', 'response-media-type', 'response-schema'],
    describe: 'The JSON of a response begins with a byte order mark.',
    response: async (response) =>
      response.ok ? remade(response, { body: `\uFEFF${await response.text()}` }) : response,
  },
  'json-with-a-trailing-comma': {
    operation: 'getWebhook',
    rule: ['valid-json', 'response-media-type', 'response-schema'],
    describe: 'The JSON of a response has a comma after its last field.',
    response: async (response) =>
      response.ok ? remade(response, { body: (await response.text()).replace(/\}$/, ',}') }) : response,
  },
  'answer-twice': {
    operation: 'checkKey',
    rule: ['valid-json', 'response-media-type', 'response-schema'],
    describe: 'A response contains its JSON twice.',
    response: async (response) =>
      response.ok ? remade(response, { body: (await response.text()).repeat(2) }) : response,
  },
}

/** Changes a string if there is one. */
function textAt(pointer: string, edit: (text: string) => unknown) {
  return change(pointer, (it) => (typeof it === 'string' && it !== '' ? edit(it) : it))
}

/** Changes a value if there is one. */
function present(pointer: string, edit: (value: unknown) => unknown) {
  return change(pointer, (it) => (it === undefined ? it : edit(it)))
}

function inCamelCase(body: Json): Json {
  const camel = (name: string) => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [camel(name), value]))
}

/** The same instant in the time zone of Brasília. */
function local(timestamp: string): string {
  return new Date(Date.parse(timestamp) - 10_800_000).toISOString().replace(/(\.\d+)?Z$/, '-03:00')
}

function emptyAsNull(list: unknown): unknown {
  return Array.isArray(list) && list.length === 0 ? null : list
}

function dashed(digits: string): string {
  return `${digits.slice(0, -1)}-${digits.slice(-1)}`
}

function dotted(taxId: string): string {
  return taxId.replace(/^(\d{3})(\d{3})(\d{3})(\d\d)$/, '$1.$2.$3-$4')
}

function withoutAccents(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{Mn}/gu, '')
}

function lastWithout(name: string) {
  return (list: unknown) =>
    Array.isArray(list)
      ? list.map((it, i) => (i === list.length - 1 && isJson(it) ? { ...it, [name]: undefined } : it))
      : list
}

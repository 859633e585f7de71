import type { Faults } from '../fault.ts'
import { at, isJson, type Json } from '../json.ts'
import { problem } from '../responses.ts'
import { isPartner, refuse, type Test, type Wrap } from '../wrap.ts'

const invalid = [400, 'invalid_request'] as const
const crash = [500, 'internal_error'] as const
const accepted = ['boundary-accepted', 'example-accepted'] as const
const survived = ['boundary-accepted', 'example-accepted', 'no-server-error'] as const
const query = ['boundary-accepted'] as const

/** Valid but unusual values that are refused or cause an error. */
export const valuesRefused: Faults = {
  'message-of-72-refused': {
    operation: 'createStaticQrCode',
    rule: accepted,
    describe: 'A message of 72 characters is refused.',
    refuse: [longer('/message', 71), invalid],
  },
  'empty-message-refused': {
    operation: 'createDueDateQrCode',
    rule: accepted,
    describe: 'An empty message is refused.',
    refuse: [(body) => body.message === '', invalid],
  },
  'length-in-bytes': {
    operation: 'createImmediateQrCode',
    rule: accepted,
    describe: 'The length of a message is counted in bytes.',
    refuse: [(body) => Buffer.byteLength(String(body.message)) > 140, invalid],
  },
  'length-in-code-units': {
    operation: 'createTransfer',
    rule: accepted,
    describe: 'The length of a description is counted in UTF-16.',
    refuse: [(body) => String(body.description).length > 140, invalid],
  },
  'apostrophe-crashes': {
    operation: 'createDueDateQrCode',
    rule: survived,
    describe: 'An apostrophe in the name of a payer gets 500.',
    refuse: [matching('/payer/name', /'/), crash],
  },
  'line-break-refused': {
    operation: 'createTransfer',
    rule: accepted,
    describe: 'A description of two lines is refused.',
    refuse: [matching('/description', /\n/), invalid],
  },
  'accents-in-a-city-refused': {
    operation: 'createDueDateQrCode',
    rule: accepted,
    describe: 'A city with accents is refused.',
    refuse: [matching('/payer/city', /\p{L}\p{M}|[À-ÿ]/u), invalid],
  },
  'face-in-a-name-crashes': {
    operation: 'createImmediateQrCode',
    rule: survived,
    describe: 'A name with a character outside the BMP gets 500.',
    refuse: [matching('/payer/name', /[\u{10000}-\u{10ffff}]/u), crash],
  },
  'plus-in-an-e-mail-refused': {
    operation: 'createDueDateQrCode',
    rule: accepted,
    describe: 'An e-mail with a plus is refused.',
    refuse: [matching('/payer/email', /^[^@ ]+\+[^@ ]+@[^@ ]+$/), invalid],
  },
  'telephone-key-refused': {
    operation: 'checkKey',
    rule: accepted,
    describe: 'A key that is a telephone is refused as breaking the contract.',
    refuse: [matching('/dict_key', /^\+55\d{10,11}$/), invalid],
  },
  'evp-key-refused': {
    operation: 'createStaticQrCode',
    rule: accepted,
    describe: 'A key that is a UUID is refused as breaking the contract.',
    refuse: [matching('/dict_key', /^[\da-f]{8}-[\da-f-]{27}$/), invalid],
  },
  'alphanumeric-tax-id-refused': {
    operation: 'createDueDateQrCode',
    rule: accepted,
    describe: 'A tax_id with letters is refused.',
    refuse: [matching('/payer/tax_id', /[A-Z]/), invalid],
  },
  'leading-zeros-refused': {
    operation: 'createImmediateQrCode',
    rule: accepted,
    describe: 'A tax_id that begins with a zero is refused.',
    refuse: [matching('/payer/tax_id', /^0\d/), invalid],
  },
  'centavo-refused': {
    operation: 'createStaticQrCode',
    rule: accepted,
    describe: 'A code over less than a real is refused.',
    refuse: [matching('/amount', /^0+\.(?!00)/), invalid],
  },
  'large-amount-crashes': {
    operation: 'createImmediateQrCode',
    rule: survived,
    describe: 'An amount of ten digits gets 500.',
    refuse: [matching('/amount/original', /^\d{10}\./), crash],
  },
  'leap-day-refused': {
    operation: 'createDueDateQrCode',
    rule: accepted,
    describe: 'The 29th of February is refused.',
    refuse: [matching('/calendar/due_date', /-02-29$/), invalid],
  },
  'far-due-date-crashes': {
    operation: 'createDueDateQrCode',
    rule: survived,
    describe: 'A due date in the year 9999 gets 500.',
    refuse: [matching('/calendar/due_date', /^9999/), crash],
  },
  'long-expiration-crashes': {
    operation: 'createImmediateQrCode',
    rule: survived,
    describe: 'An expiration beyond 32 bits gets 500.',
    refuse: [(body) => Number(at(body, '/calendar/expiration')) >= 2 ** 31, crash],
  },
  'document-change-refused': {
    operation: 'createImmediateQrCode',
    rule: accepted,
    describe: 'A payer who can change the document is refused.',
    refuse: [(body) => at(body, '/payer/can_change_document') === true, invalid],
  },
  'payer-by-name-alone-refused': {
    operation: 'createImmediateQrCode',
    rule: accepted,
    describe: 'A payer without a tax_id is refused.',
    refuse: [(body) => isJson(body.payer) && !('tax_id' in body.payer), invalid],
  },
  'interest-of-8-refused': {
    operation: 'createDueDateQrCode',
    rule: accepted,
    describe: 'The last modality of an interest is refused.',
    refuse: [(body) => at(body, '/amount/interest/modality') === '8', invalid],
  },
  'deduction-refused': {
    operation: 'createDueDateQrCode',
    rule: accepted,
    describe: 'A deduction is refused as an unknown field.',
    refuse: [(body) => at(body, '/amount/deduction') !== undefined, invalid],
  },
  'no-infos-crash': {
    operation: 'createDueDateQrCode',
    rule: survived,
    describe: 'An empty list of additional_infos gets 500.',
    refuse: [(body) => Array.isArray(body.additional_infos) && body.additional_infos.length === 0, crash],
  },
  'info-value-of-200-refused': {
    operation: 'createImmediateQrCode',
    rule: accepted,
    describe: 'The value of an additional info that is as long as it may be is refused.',
    refuse: [longer('/additional_infos/0/value', 199), invalid],
  },
  'unknown-inner-field-refused': {
    operation: 'createImmediateQrCode',
    rule: accepted,
    describe: 'A field of a payer that the contract does not mention is refused.',
    refuse: [
      (body) =>
        isJson(body.payer) &&
        Object.keys(body.payer).some((it) => !/^(name|tax_id|can_change_document)$/.test(it)),
      invalid,
    ],
  },
  'unknown-field-refused': {
    operation: 'impersonate',
    rule: accepted,
    describe: 'A field that the contract does not mention is refused.',
    refuse: [(body) => Object.keys(body).length > 2, invalid],
  },
  'order-of-fields': {
    operation: 'createTransfer',
    rule: accepted,
    describe: 'A transfer whose type is not its first field is refused.',
    refuse: [(body) => Object.keys(body)[0] !== 'type', invalid],
  },
  'type-transfer-refused': {
    operation: 'updateWebhook',
    rule: accepted,
    describe: 'A webhook cannot become one of transfers.',
    refuse: [(body) => body.type === 'transfer', invalid],
  },
  'port-in-url-refused': {
    operation: 'createWebhook',
    rule: accepted,
    describe: 'A URL with a port is refused as breaking the contract.',
    refuse: [matching('/url', /:\d+\//), invalid],
  },
  'url-of-2048-refused': {
    operation: 'updateWebhook',
    rule: accepted,
    describe: 'A URL that is as long as it may be is refused.',
    refuse: [longer('/url', 2000), invalid],
  },
  'beneficiary-with-branch-refused': {
    operation: 'createTransfer',
    rule: accepted,
    describe: 'A branch of one digit is refused.',
    refuse: [matching('/beneficiary/branch', /^\d$/), invalid],
  },
  'type-in-capitals-refused': {
    operation: 'checkCode',
    rule: ['body-format'],
    describe: 'Application/JSON in other letters is refused.',
    refuse: [
      (_, { headers }) => /[A-Z]/.test(headers.get('content-type') ?? ''),
      [415, 'unsupported_media_type'],
    ],
  },
  'charset-in-capitals-refused': {
    operation: 'createTransfer',
    rule: ['body-format'],
    describe: 'A charset without a space before is refused.',
    refuse: [
      (_, { headers }) => /;charset/i.test(headers.get('content-type') ?? ''),
      [415, 'unsupported_media_type'],
    ],
  },
  'no-accept-refused': {
    operation: 'checkKey',
    rule: ['example-accepted'],
    describe: 'A request without accept gets 406.',
    service: demanding('checkKey', (headers) => !headers.get('accept') || headers.get('accept') === '*/*'),
  },
  'accept-anything-refused': {
    operation: 'listUsers',
    rule: ['example-accepted'],
    describe: 'A request that accepts anything gets 406.',
    service: demanding('listUsers', (headers) => headers.get('accept') === '*/*'),
  },
  'spaces-in-json-refused': {
    operation: 'createWebhook',
    rule: accepted,
    describe: 'JSON on several lines is refused.',
    refuse: [(_, { bytes }) => /^\{\s*\n/.test(new TextDecoder().decode(bytes)), [400, 'malformed_body']],
  },
  'escapes-refused': {
    operation: 'createStaticQrCode',
    rule: accepted,
    describe: 'JSON that escapes a letter is refused.',
    refuse: [(_, { bytes }) => /\\u00[4-7]/.test(new TextDecoder().decode(bytes)), [400, 'malformed_body']],
  },
  'limit-of-1-refused': {
    operation: 'listImmediateQrCodes',
    rule: query,
    describe: 'A page of one is refused.',
    refuse: [(_, { url }) => url.searchParams.get('limit') === '1', invalid],
  },
  'removed-filter-crashes': {
    operation: 'listDueDateQrCodes',
    rule: ['boundary-accepted', 'no-server-error'],
    describe: 'The last of the statuses in a query gets 500.',
    refuse: [(_, { url }) => url.searchParams.get('status') === 'REMOVIDA_PELO_PSP', crash],
  },
  'company-filter-refused': {
    operation: 'listImmediateQrCodes',
    rule: query,
    describe: 'The tax_id of a company in a query is refused.',
    refuse: [(_, { url }) => url.searchParams.get('tax_id')?.length === 14, invalid],
  },
  'two-filters-refused': {
    operation: 'listDueDateQrCodes',
    rule: query,
    describe: 'A status and a limit in one query are refused.',
    refuse: [(_, { url }) => url.searchParams.has('status') && url.searchParams.has('limit'), invalid],
  },
  'customers-look-up-crashes': {
    operation: 'checkKey',
    rule: ['example-accepted', 'no-server-error'],
    describe: 'A key lookup of a customer gets 500.',
    service: (sandbox) => async (call, next) => {
      const response = await next(call)
      const isMeant = call.operation === 'checkKey' && response.ok
      return isMeant && !(await isPartner(call, sandbox)) ? problem(...crash) : response
    },
  },
  'scheme-in-small-letters-refused': {
    operation: 'listWebhooks',
    rule: ['credentials-required', 'example-accepted'],
    describe: 'A scheme in small letters is refused.',
    service: () => (call, next) =>
      call.operation === 'listWebhooks' && /^bearer/.test(call.headers.get('authorization') ?? '')
        ? next({
            ...call,
            headers: new Headers({ ...Object.fromEntries(call.headers), authorization: 'none' }),
          })
        : next(call),
  },
}

/** Whether a string has more characters. */
function longer(pointer: string, length: number): Test {
  return (body: Json) => [...String(at(body, pointer) ?? '')].length > length
}

function matching(pointer: string, form: RegExp): Test {
  return (body: Json) => form.test(String(at(body, pointer) ?? ''))
}

/** Refuses requests that do not accept JSON explicitly. */
function demanding(id: Parameters<typeof refuse>[0], test: (headers: Headers) => boolean): Wrap {
  return refuse(id, (_, { headers }) => test(headers), [406, 'invalid_request'])
}

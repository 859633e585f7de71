import type { Faults } from '../fault.ts'
import { at, type Json } from '../json.ts'
import { problem } from '../responses.ts'

const invalid = [400, 'invalid_request'] as const
const crash = [500, 'internal_error'] as const
const accepted = ['boundary-accepted', 'example-accepted'] as const
const survived = ['boundary-accepted', 'example-accepted', 'no-server-error'] as const

/** Valid requests that are refused or cause an error. */
export const overRejection: Faults = {
  'message-required': {
    operation: 'createStaticQrCode',
    rule: accepted,
    describe: 'A static code without a message is refused.',
    refuse: [(body) => !('message' in body), invalid],
  },
  'message-of-140-refused': {
    operation: 'createImmediateQrCode',
    rule: accepted,
    describe: 'A message of 140 characters is refused.',
    refuse: [(body) => lengthOf(body, '/message') === 140, invalid],
  },
  'payer-without-email-crashes': {
    operation: 'createDueDateQrCode',
    rule: survived,
    describe: 'A payer without an e-mail gets 500.',
    refuse: [(body) => at(body, '/payer') !== undefined && at(body, '/payer/email') === undefined, crash],
  },
  'unicode-crashes': {
    operation: 'createTransfer',
    rule: survived,
    describe: 'A description beyond ASCII gets 500.',
    refuse: [(body) => /[^ -~]/.test(String(at(body, '/description') ?? '')), crash],
  },
  'description-of-140-crashes': {
    operation: 'createTransfer',
    rule: survived,
    describe: 'A description of 140 characters gets 500.',
    refuse: [(body) => lengthOf(body, '/description') === 140, crash],
  },
  'second-deletion-crashes': {
    operation: 'deleteWebhook',
    rule: ['record-changes', 'no-server-error'],
    describe: 'A second deletion gets 500.',
    response: (it) => (it.status === 404 ? problem(...crash) : it),
  },
  'expiration-of-a-second-refused': {
    operation: 'createImmediateQrCode',
    rule: accepted,
    describe: 'A charge that lives for a second is refused.',
    refuse: [(body) => at(body, '/calendar/expiration') === 1, invalid],
  },
  'limit-of-100-refused': {
    operation: 'listDueDateQrCodes',
    rule: ['boundary-accepted'],
    describe: 'A page of 100 is refused.',
    refuse: [(_, { url }) => url.searchParams.get('limit') === '100', invalid],
  },
  'webhook-type-qrcode-refused': {
    operation: 'createWebhook',
    rule: accepted,
    describe: 'A webhook of the type qrcode is refused.',
    refuse: [(body) => body.type === 'qrcode', invalid],
  },
  'company-as-payer-refused': {
    operation: 'createImmediateQrCode',
    rule: accepted,
    describe: 'A payer with the tax_id of a company is refused.',
    refuse: [(body) => lengthOf(body, '/payer/tax_id') === 14, invalid],
  },
  '50-infos-refused': {
    operation: 'createImmediateQrCode',
    rule: accepted,
    describe: 'As many additional_infos as there may be are refused.',
    refuse: [(body) => lengthOf(body, '/additional_infos') === 50, invalid],
  },
  'tx-id-of-35-refused': {
    operation: 'createDueDateQrCode',
    rule: accepted,
    describe: 'A tx_id of 35 characters is refused.',
    refuse: [(body) => lengthOf(body, '/tx_id') === 35, invalid],
  },
  'charset-refused': {
    operation: 'createWebhook',
    rule: ['body-format', 'boundary-accepted'],
    describe: 'JSON with a charset parameter is refused.',
    refuse: [
      (_, { headers }) => /charset/i.test(headers.get('content-type') ?? ''),
      [415, 'unsupported_media_type'],
    ],
  },
  'extra-field-crashes': {
    operation: 'checkKey',
    rule: ['no-server-error', 'boundary-accepted'],
    describe: 'A field that the contract does not mention gets 500.',
    refuse: [(body) => Object.keys(body).length > 1, crash],
  },
  'empty-calendar-crashes': {
    operation: 'createImmediateQrCode',
    rule: survived,
    describe: 'A calendar without fields gets 500.',
    refuse: [(body) => isEmpty(at(body, '/calendar')), crash],
  },
  'no-expiration-days-refused': {
    operation: 'createDueDateQrCode',
    rule: accepted,
    describe: 'A charge that lapses with its due date is refused.',
    refuse: [(body) => at(body, '/calendar/expiration_days') === 0, invalid],
  },
  'beneficiary-refused': {
    operation: 'createTransfer',
    rule: accepted,
    describe: 'A transfer that names its beneficiary is refused.',
    refuse: [(body) => 'beneficiary' in body, invalid],
  },
  'company-key-refused': {
    operation: 'checkKey',
    rule: accepted,
    describe: 'The key of a company is refused.',
    refuse: [(body) => /^\d{14}$/.test(String(body.dict_key)), invalid],
  },
}

/** The number of characters of a string, or items of an array. */
function lengthOf(body: Json, pointer: string): number | undefined {
  const value = at(body, pointer)
  if (typeof value === 'string') return [...value].length
  return Array.isArray(value) ? value.length : undefined
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

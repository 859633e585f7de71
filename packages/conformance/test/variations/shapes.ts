import { onCall, onSuccess, type Service, type Services, together } from '../services/wrap.ts'
import { field, type Scope } from './kit.ts'

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/
const CUSTOMER = '399e8188-1b06-4083-9229-9cdafae0c748'
const USER = '25fd6010-0b86-417f-96a3-7c5e37646c16'
/** Users that sign in for the two partners. */
const FIRST_SIGN_IN = '4b586c03-b0b3-4151-94a4-cdb187912177'
const SECOND_SIGN_IN = '9e0f7ba1-6c2f-4d66-9b48-7a3a5a1f0c13'
/** Fields that are empty if a record lacks them. */
const MAY_LACK = [
  'name',
  'tax_id',
  'message',
  'deleted_at',
  'settled_at',
  'rejection_message',
  'tx_id',
  'description',
]
const LISTS: Scope = new Set(['listImmediateQrCodes', 'listDueDateQrCodes', 'listWebhooks'])
/** The fields of identifiers. */
const IDS = ['id', 'partner_id', 'user_id', 'customer_id', 'account_id']

export const shapes: Services = {
  'ids-prefixed': identifiers(),
  'times-offset': field({
    show(value) {
      const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
      return isTime ? withOffset(Date.parse(value)) : value
    },
  }),
  'absent-na': field({
    names: MAY_LACK,
    show(value, of) {
      // An empty value of an additional_infos pair comes from the request.
      const isOfRequest = 'value' in of
      return value === '' && !isOfRequest ? 'N/A' : value
    },
  }),
  'absent-dash': field({
    names: MAY_LACK,
    show(value, of) {
      const isOfRequest = 'value' in of
      return value === '' && !isOfRequest ? '-' : value
    },
  }),
  'times-mixed': field({
    scope: LISTS,
    show: (value) => value.replace(/(?<=:\d\d)\.\d+Z$/, 'Z'),
  }),
  'texts-capitals': field({
    names: ['description'],
    show: (value) => value.toUpperCase(),
  }),
  'texts-ascii': field({
    names: ['message'],
    scope: new Set(['createStaticQrCode', 'checkCode']),
    show: (value) => value.normalize('NFD').replaceAll(/[^ -~]/g, ''),
  }),
  'customers-other': {
    prepare: ({ run }) =>
      run(`INSERT INTO customers (
          id, position, user_id, account_id, customer_type, provider_id,
          referral_code, status, metadata, created_at, updated_at
        )
        SELECT
          '${CUSTOMER.replace(/8$/, '9')}', 9, user_id, account_id, 'company', 'prov-9',
          '', 'suspended', '{"tier":"gold"}', created_at, updated_at
        FROM customers WHERE id = '${CUSTOMER}'`),
  },
  'users-other': {
    prepare: ({ run }) =>
      run(`INSERT INTO users (
          id, position, partner_id, email, nickname, phone_number, status, tax_id, username
        )
        SELECT
          '${USER.replace(/6$/, '7')}', 9, partner_id, 'x@example.com', 'X', '+5561900000009',
          'blocked', tax_id, 'x'
        FROM users WHERE id = '${USER}'`),
  },
  'user-of-sign-in': {
    operations: 'getUser',
    ...onSuccess((body) => {
      const isFirstPartner = String(body.partner_id).startsWith('47216ec3')
      const user_id = isFirstPartner ? FIRST_SIGN_IN : SECOND_SIGN_IN
      return { ...body, user_id }
    }),
  },
}

/** Other identifiers of records, also in requests, where the original ones are unknown. */
function identifiers(): Service {
  const show = (id: string) => (UUID.test(id) ? `rec_${id.replaceAll('-', '')}` : id)
  const ask = (text: string) => {
    if (UUID.test(text)) return '00000000-0000-4000-8000-000000000000'
    return text.replace(/^rec_(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }
  const inPath = onCall((call) => {
    const url = new URL(call.url)
    url.pathname = url.pathname.split('/').map(ask).join('/')
    return { ...call, url }
  })
  return together(field({ names: IDS, show, ask }), inPath)
}

/** The UTC offset of Brazil's official time in milliseconds. */
const BRAZIL_MS = -3 * 3_600_000

function withOffset(ms: number): string {
  const local = new Date(ms + BRAZIL_MS).toISOString().slice(0, 19)
  return `${local}-03:00`
}

import { before } from '../services/wrap.ts'
import { field, responding } from './kit.ts'
import { type Service, type Services, together } from './service.ts'

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/
const CUSTOMER = '399e8188-1b06-4083-9229-9cdafae0c748'
const USER = '25fd6010-0b86-417f-96a3-7c5e37646c16'
const MAY_LACK = /^(name|tax_id|message|deleted_at|settled_at|rejection_message|tx_id|description)$/

export const shapes: Services = {
  'ids-ulid': identifiers(toUlid, fromUlid),
  'times-offset': times((at) => `${new Date(at - 10_800_000).toISOString().slice(0, 19)}-03:00`),
  'absent-na': absent('N/A'),
  'customers-other': {
    prepare: ({ run }) =>
      run(`INSERT INTO customers (id, position, user_id, account_id, customer_type, provider_id, referral_code, status,
        metadata, created_at, updated_at) SELECT '${CUSTOMER.replace(/8$/, '9')}', 9, user_id, account_id, 'company',
        'prov-9', '', 'suspended', '{"tier":"gold"}', created_at, updated_at FROM customers WHERE id = '${CUSTOMER}'`),
  },
  'users-other': {
    prepare: ({ run }) =>
      run(`INSERT INTO users (id, position, partner_id, email, nickname, phone_number, status, tax_id, username)
        SELECT '${USER.replace(/6$/, '7')}', 9, partner_id, 'x@example.com', 'X', '+5561900000009', 'blocked', tax_id,
        'x' FROM users WHERE id = '${USER}'`),
  },
  'user-of-sign-in': responding(/^getUser$/, (body) => ({
    ...body,
    user_id: String(body.partner_id).startsWith('47216ec3')
      ? '4b586c03-b0b3-4151-94a4-cdb187912177'
      : '9e0f7ba1-6c2f-4d66-9b48-7a3a5a1f0c13',
  })),
}

/** Other identifiers of records, also in requests, where the original ones are unknown. */
function identifiers(encode: (id: string) => string, decode: (text: string) => string | undefined): Service {
  const ask = (text: string) =>
    decode(text) ?? (UUID.test(text) ? '00000000-0000-4000-8000-000000000000' : text)
  const wrap = before(undefined, (call) => {
    const url = new URL(call.url)
    url.pathname = url.pathname.split('/').map(ask).join('/')
    return { ...call, url }
  })
  const show = (id: string) => (UUID.test(id) ? encode(id) : id)
  return together(field({ name: /^(id|(partner|user|customer|account)_id)$/, show, ask }), { wrap })
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

function toUlid(id: string): string {
  const number = BigInt(`0x${id.replaceAll('-', '')}`)
  return Array.from({ length: 26 }, (_, i) => CROCKFORD[Number((number >> BigInt(125 - 5 * i)) & 31n)]).join(
    '',
  )
}

function fromUlid(text: string): string | undefined {
  if (!/^[0-7][\dA-HJKMNP-TV-Z]{25}$/.test(text)) return undefined
  const number = [...text].reduce((sum, letter) => sum * 32n + BigInt(CROCKFORD.indexOf(letter)), 0n)
  return dashed(number.toString(16).padStart(32, '0'))
}

function dashed(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Another form of every timestamp. */
function times(write: (ms: number) => string): Service {
  return field({
    name: /./,
    show: (value) => (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? write(Date.parse(value)) : value),
  })
}

function absent(word: string): Service {
  // An empty value of an additional_infos pair comes from the request.
  return field({ name: MAY_LACK, show: (value, of) => (value === '' && !('value' in of) ? word : value) })
}

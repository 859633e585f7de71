import { isJson, type Json } from '../faulty/json.ts'
import { before } from '../faulty/wrap.ts'
import { field, fields, responding, shown } from './kit.ts'
import { type Service, type Services, together } from './service.ts'

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/
const CUSTOMER = '399e8188-1b06-4083-9229-9cdafae0c748'
const USER = '25fd6010-0b86-417f-96a3-7c5e37646c16'
const MAY_LACK = /^(name|tax_id|message|deleted_at|settled_at|rejection_message|tx_id|description)$/

export const shapes: Services = {
  'ids-ulid': identifiers(toUlid, fromUlid),
  'ids-prefixed': identifiers(
    (id) => `id_${id.replaceAll('-', '')}`,
    (text) => (/^id_[\da-f]{32}$/.test(text) ? dashed(text.slice(3)) : undefined),
  ),
  'ids-numbers': numbered(),
  'times-offset': times((at) => `${new Date(at - 10_800_000).toISOString().slice(0, 19)}-03:00`),
  'times-seconds': times((at) => String(Math.floor(at / 1000))),
  'times-spaced': times((at) => new Date(at).toISOString().slice(0, 19).replace('T', ' ')),
  'times-micro': times((at) => new Date(at).toISOString().replace('Z', '123Z')),
  'dates-brazilian': field({
    name: /^(due_date|payment_date|date)$/,
    show: (value) => value.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$3/$2/$1'),
    ask: (value) =>
      /^\d\d\/\d\d\/\d{4}$/.test(value) ? value.split('/').reverse().join('-') : `not ${value}`,
  }),
  'dates-as-times': field({ name: /^due_date$/, show: (value) => `${value}T00:00:00Z` }),
  'webhook-times-objects': shown(
    /Webhook/,
    fields((name, it) => (name.endsWith('_at') ? { error: null } : it)),
  ),
  'webhook-times-null': shown(
    /Webhook/,
    fields((name, it) => (name.endsWith('_at') ? null : it)),
  ),
  'absent-na': absent('N/A'),
  'absent-dash': absent('-'),
  'absent-zero-time': field({
    name: /^(settled|deleted)_at$/,
    show: (value) => value || '0001-01-01T00:00:00Z',
  }),
  'extra-fields': shown(
    /./,
    extended(() => ({ tenant: 'br-1', tags: ['a'], extra: { nested: null } })),
  ),
  'links-changing': responding(
    /./,
    extended(() => ({
      _links: { self: { href: `/v1/${crypto.randomUUID()}` } },
      served_at: performance.now(),
    })),
  ),
  'amounts-short': field({
    name: /amount|original|^(deduction|discount|fine|interest)$/,
    show: (value) => (/^-?\d+\.\d+$/.test(value) ? String(Number(value)) : value),
  }),
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

function numbered(): Service {
  const ids: string[] = []
  const encode = (id: string) => String(1000 + (ids.includes(id) ? ids.indexOf(id) : ids.push(id) - 1))
  return identifiers(encode, (text) => (/^\d{4,}$/.test(text) ? ids[Number(text) - 1000] : undefined))
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

function extended(more: () => Json) {
  return function walk(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(walk)
    // A timestamp that is an object has one field, error: a fact.
    if (!isJson(value) || 'error' in value) return value
    return { ...Object.fromEntries(Object.entries(value).map(([name, it]) => [name, walk(it)])), ...more() }
  }
}

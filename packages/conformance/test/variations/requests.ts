import { isCnpj, isCpf } from '@partner-payments/brcode'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { type Call, withBody } from '../faulty/call.ts'
import { isJson, type Json, set } from '../faulty/json.ts'
import { bodyOf, problem, withJson } from '../faulty/responses.ts'
import { changeResponse, type Wrap } from '../faulty/wrap.ts'
import { asked, codeOf, DYNAMIC, field, fields, findingsIn, refusing, rows, success, words } from './kit.ts'
import { everyRecord } from './lists.ts'
import { type Service, type Services, together } from './service.ts'

const NUMERIC_CNPJ = '12345678000195'
const OWN_KEY = { '/dict_key': NUMERIC_CNPJ }
const CREATES = /^create(Immediate|DueDate)QrCode$/
const DAY = 86_400_000
const DOCUMENTS: Readonly<Record<string, string>> = {
  '***.444.777-**': '11144477735',
  '***.456.789-**': '12345678909',
}

export const requests: Services = {
  'unknown-refused': refusing(/./, [400, 'invalid_request'], (_, call) => hasUnknown(call, 'body')),
  'unknown-query-refused': refusing(/./, [400, 'invalid_request'], (_, call) => hasUnknown(call, 'query')),
  'amounts-loose': field({
    name: /^(amount|original)$/,
    ask: (value) => (/^\d{1,10}(\.\d)?$/.test(value) ? Number(value).toFixed(2) : value),
  }),
  'texts-255': judged('/components/schemas/Message/maxLength', 255),
  'texts-80': judged('/components/schemas/Message/maxLength', 80),
  'texts-trimmed': field({ name: /^(message|description)$/, ask: (value) => value.trim() }),
  'amount-cap': refusing(/^createTransfer$/, [422, 'limit_exceeded'], ({ amount }) => Number(amount) > 5000),
  'amount-least': refusing(/^create(Transfer|\w+QrCode)$/, [422, 'amount_too_small'], ({ amount = {} }) =>
    isJson(amount) ? Number(amount.original) < 1 : Number(amount) < 1,
  ),
  'ten-pairs': judged('/components/schemas/ImmediateQrCodeRequest/properties/additional_infos/maxItems', 10),
  'five-discounts': judged('/components/schemas/DiscountInput/properties/fixedDateDiscount/maxItems', 5),
  'tx-id-short': judged('/components/schemas/TxId/pattern', '^[a-zA-Z0-9]{1,35}$'),
  'tx-id-of-all': refusing(CREATES, [409, 'tx_id_taken'], async ({ tx_id }, _, sandbox) => {
    const taken = await rows(sandbox, 'SELECT 1 FROM qrcodes WHERE tx_id = ?', String(tx_id))
    return taken.length > 0
  }),
  'tx-id-repeats': { wrap: repeated },
  'cnpj-digits': together(
    {
      prepare: async ({ run }) => {
        for (const [table, column] of Object.entries({
          accounts: 'tax_id',
          keys: 'dict_key',
          qrcodes: 'dict_key',
        }))
          await run(`UPDATE ${table} SET ${column} = '${NUMERIC_CNPJ}' WHERE ${column} = '12ABC34501DE35'`)
      },
      values: { createImmediateQrCode: OWN_KEY, createDueDateQrCode: OWN_KEY },
    },
    refusing(/./, [400, 'invalid_request'], (_, call) => taxIdsIn(call).some(hasLetters)),
    refusing(/./, [422, 'invalid_key'], ({ dict_key }) => hasLetters(String(dict_key))),
  ),
  'check-digits': refusing(/./, [400, 'invalid_request'], (_, call) =>
    taxIdsIn(call).some((it) => !isCpf(it) && !isCnpj(it)),
  ),
  'tax-id-dotted': field({
    name: /^tax_id$/,
    show: (value) =>
      value
        .replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4')
        .replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5'),
    ask: (value) => (/^[\dA-Z]{2,3}\.[\dA-Z./]+-\d\d$/.test(value) ? value.replaceAll(/[./-]/g, '') : value),
  }),
  'keys-loose': { wrap: loosened },
  'keys-404': {
    wrap: changeResponse('checkKey', (response) =>
      response.status === 422 ? problem(404, 'not_found') : response,
    ),
  },
  'key-words': words(/^dict_key_type$/, /checkKey/, { CNPJ: 'COMPANY', PHONE: 'CELLPHONE', EVP: 'RANDOM' }),
  'owner-words': words(/^owner_type$/, /checkKey/, { LEGAL_PERSON: 'LEGAL_ENTITY' }),
  'owner-shown': field({ name: /^owner_document$/, show: (value) => DOCUMENTS[value] ?? value }),
  'owner-tail': field({ name: /^owner_document$/, show: (it) => `*****${(DOCUMENTS[it] ?? it).slice(-4)}` }),
  'account-words': words(/^account_type$/, /./, { CACC: 'CHECKING', SVGS: 'SAVINGS', SLRY: 'SALARY' }),
  'account-dashes': field({
    name: /^account_number$/,
    show: (value) => value.replace(/(.)$/, '-$1'),
    ask: (value) => value.replace(/^(\d+)-(\d)$/, '$1$2'),
  }),
  'expiration-hour': calendars('createImmediateQrCode', () => ({ expiration: 3600 })),
  'expiration-60-days': calendars('createDueDateQrCode', () => ({ expiration_days: 60 })),
  'due-date-optional': calendars('createDueDateQrCode', (now) => ({ due_date: dayAt(now + 3 * DAY) })),
  'payer-required': refusing(
    CREATES,
    [400, 'invalid_request'],
    ({ payer }) => !isJson(payer) || !payer.name || !payer.tax_id,
  ),
  'modality-words': words(/^modality$/, DYNAMIC, {
    1: 'FIXED',
    2: 'PERCENT',
    3: 'FIXED_PER_DAY',
    4: 'FIXED_PER_WORKDAY',
    5: 'PERCENT_PER_DAY',
    6: 'PERCENT_PER_WORKDAY',
    7: 'PERCENT_PER_MONTH',
    8: 'PERCENT_PER_YEAR',
  }),
  'due-within-year': refusing(
    /^createDueDateQrCode$/,
    [422, 'invalid_charge'],
    ({ calendar }, _, { app }) =>
      isJson(calendar) && String(calendar.due_date) > dayAt(app.clock.now() + 365 * DAY),
  ),
}

export function dayAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** Validates requests by the contract with another value at one pointer. */
export function judged(pointer: string, value: unknown): Service {
  // Replacing a value keeps the contract an object.
  return { prepare: ({ app }) => app.reload(set(pointer, value)(contract) as object) }
}

function calendars(id: string, defaults: (now: number) => Json): Service {
  return {
    wrap: asked(new RegExp(`^${id}$`), (body, _, { app }) => {
      const { calendar = {} } = body
      return isJson(calendar) ? { ...body, calendar: { ...defaults(app.clock.now()), ...calendar } } : body
    }),
  }
}

function hasUnknown(call: Call, part: 'body' | 'query'): boolean {
  return findingsIn(call).some(({ keyword, place }) => keyword === 'unknown' && place === part)
}

function hasLetters(cnpj: string): boolean {
  return /^(?=.*[A-Z])[\dA-Z]{14}$/.test(cnpj)
}

function taxIdsIn({ json, url }: Call): string[] {
  const found = url.searchParams.getAll('tax_id')
  fields((name, value) => {
    if (name === 'tax_id') found.push(String(value))
    return value
  })(json)
  return found
}

/** Returns the existing record for a repeated creation. */
function repeated(): ReturnType<Wrap> {
  const made = new Map<string, unknown>()
  return async (call, next) => {
    const response = await next(call)
    if (!CREATES.test(String(call.operation))) return response
    const key = JSON.stringify([call.operation, call.json])
    if (response.ok) made.set(key, (await bodyOf(response))?.id)
    if ((await codeOf(response)) !== 'tx_id_taken' || !made.has(key)) return response
    const first = (await everyRecord(call, next)).find(({ id }) => id === made.get(key))
    return first ? success(response, first) : response
  }
}

/** Looks a key up in its strict form, but returns it as it was sent, because dict_key of the response is a fact. */
function loosened(): ReturnType<Wrap> {
  return async (call, next) => {
    const sent = call.json?.dict_key
    if (!/^(checkKey|createTransfer)$/.test(String(call.operation)) || typeof sent !== 'string')
      return next(call)
    const dict_key = strict(sent)
    const response = await next(dict_key === sent ? call : withBody(call, { ...call.json, dict_key }))
    const body = response.ok && call.operation === 'checkKey' ? await bodyOf(response) : undefined
    return body ? withJson(response, { ...body, dict_key: sent }) : response
  }
}

function strict(key: string): string {
  if (/@|^[\da-f]{8}-/i.test(key)) return key.toLowerCase()
  const digits = key.replaceAll(/[\s().-]/g, '')
  return /^\+?55\d{10,11}$/.test(digits) ? `+${digits.replace('+', '')}` : key
}

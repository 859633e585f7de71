import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { type Call, findingsIn, keepsContract } from '../services/call.ts'
import { isJson, set } from '../services/responses.ts'
import { dayAt } from '../services/state.ts'
import { onCall, onRequest, refuse, type Services, together } from '../services/wrap.ts'
import { DYNAMIC_QR_CODES, EVERYTHING, field, fields, type Scope, shown, words } from './kit.ts'

/** The CNPJ of the seed data, and the one that takes its place. */
const CNPJ = '12ABC34501DE35'
const NUMERIC_CNPJ = '12345678000195'
const OWN_KEY = { '/dict_key': NUMERIC_CNPJ }
const CREATIONS: Scope = new Set(['createImmediateQrCode', 'createDueDateQrCode'])
const LOOK_UPS: Scope = new Set(['checkKey'])
const TRANSFERS: Scope = new Set(['createTransfer', 'transfer.settled', 'transfer.rejected'])
const DAY = 86_400_000
/** The documents that look-ups, checks and transfers mask. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  '***.444.777-**': '11144477735',
  '***.456.789-**': '12345678909',
}

export const requests: Services = {
  'unknown-refused': refuse([400, 'invalid_request'], (_, call) =>
    findingsIn(call).some(({ keyword, place }) => keyword === 'unknown' && place === 'body'),
  ),
  'large-read': onCall(withoutBulk),
  'amounts-loose': field({
    names: ['amount', 'original'],
    ask: (value) => (/^\d{1,10}(\.\d)?$/.test(value) ? Number(value).toFixed(2) : value),
  }),
  'tx-id-short': {
    prepare({ app }) {
      const shorten = set('/components/schemas/TxId/pattern', '^[a-zA-Z0-9]{1,35}$')
      // Replacing a value keeps the contract an object.
      return app.reload(shorten(contract) as object)
    },
  },
  'cnpj-digits': together(
    {
      async prepare({ run }) {
        await run('UPDATE accounts SET tax_id = ? WHERE tax_id = ?', NUMERIC_CNPJ, CNPJ)
        await run('UPDATE keys SET dict_key = ? WHERE dict_key = ?', NUMERIC_CNPJ, CNPJ)
        await run('UPDATE qrcodes SET dict_key = ? WHERE dict_key = ?', NUMERIC_CNPJ, CNPJ)
      },
      values: { createImmediateQrCode: OWN_KEY, createDueDateQrCode: OWN_KEY },
    },
    refuse([400, 'invalid_request'], (_, call) => taxIdsIn(call).some(hasLetters)),
    refuse([422, 'invalid_key'], ({ dict_key }) => hasLetters(String(dict_key))),
  ),
  'key-and-account-words': together(
    words('dict_key_type', LOOK_UPS, { CNPJ: 'COMPANY', PHONE: 'CELLPHONE', EVP: 'RANDOM' }),
    words('owner_type', LOOK_UPS, { LEGAL_PERSON: 'LEGAL_ENTITY' }),
    words('account_type', EVERYTHING, { CACC: 'CHECKING', SVGS: 'SAVINGS', SLRY: 'SALARY' }),
  ),
  'owner-shown': field({
    names: ['owner_document', 'tax_id'],
    show: (value) => DOCUMENTS[value] ?? value,
  }),
  'transfers-unmasked': field({
    names: ['tax_id'],
    scope: TRANSFERS,
    show: (value) => DOCUMENTS[value] ?? value,
  }),
  'payers-masked': shown(EVERYTHING, fields(maskPayer)),
  'account-dashes': field({
    names: ['account_number'],
    show: (value) => value.replace(/(.)$/, '-$1'),
    ask: (value) => value.replace(/^(\d+)-(\d)$/, '$1$2'),
  }),
  'payer-required': {
    operations: CREATIONS,
    ...refuse(
      [400, 'invalid_request'],
      ({ payer }) => !isJson(payer) || !payer.name || !payer.tax_id,
    ),
  },
  'payer-optional': {
    operations: CREATIONS,
    ...onRequest((body) => {
      const { payer = {} } = body
      if (!isJson(payer)) return body
      const { name = 'Consumidor', tax_id = '12345678909' } = payer
      return { ...body, payer: { ...payer, name, tax_id } }
    }),
  },
  'discount-amount-ignored': {
    operations: CREATIONS,
    ...onRequest((body, call) => {
      if (!keepsContract(call)) return body
      if (!isJson(body.amount) || !isJson(body.amount.discount)) return body
      const { amount: _, ...discount } = body.amount.discount
      const isByDate = discount.modality === '1' || discount.modality === '2'
      return isByDate ? { ...body, amount: { ...body.amount, discount } } : body
    }),
  },
  'modality-words': words('modality', DYNAMIC_QR_CODES, {
    1: 'FIXED',
    2: 'PERCENT',
    3: 'FIXED_PER_DAY',
    4: 'FIXED_PER_WORKDAY',
    5: 'PERCENT_PER_DAY',
    6: 'PERCENT_PER_WORKDAY',
    7: 'PERCENT_PER_MONTH',
    8: 'PERCENT_PER_YEAR',
  }),
  'due-within-year': refuse(
    [422, 'invalid_charge'],
    ({ calendar }, _, { app }) =>
      isJson(calendar) && String(calendar.due_date) > dayAt(app.clock.now() + 365 * DAY),
  ),
}

/** Masks the CPF of a payer as that of an owner is masked: `***.444.777-**`. */
function maskPayer(name: string, value: unknown): unknown {
  if (name !== 'payer' || !isJson(value)) return value

  const [, middle, next] = /^\d{3}(\d{3})(\d{3})\d{2}$/.exec(String(value.tax_id)) ?? []
  return middle === undefined ? value : { ...value, tax_id: `***.${middle}.${next}-**` }
}

function hasLetters(cnpj: string): boolean {
  return /^(?=.*[A-Z])[\dA-Z]{14}$/.test(cnpj)
}

function taxIdsIn({ json, url }: Call): string[] {
  const taxIds = url.searchParams.getAll('tax_id')
  const collect = fields((name, value) => {
    if (name === 'tax_id') taxIds.push(String(value))
    return value
  })
  collect(json)
  return taxIds
}

/** Takes out of a body what would be too large or too deep for the sandbox. */
function withoutBulk(call: Call): Call {
  if (call.bytes.byteLength === 0) return call

  const text = new TextDecoder().decode(call.bytes)
  const shorter = text.replace(/,"x_deep": \[+\]+/, '').trimEnd()
  return { ...call, bytes: new TextEncoder().encode(shorter) }
}

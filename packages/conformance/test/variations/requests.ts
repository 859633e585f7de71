import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { type Call, findingsIn } from '../services/call.ts'
import { isJson, set } from '../services/responses.ts'
import { dayAt } from '../services/state.ts'
import { refuse, type Services, together } from '../services/wrap.ts'
import { DYNAMIC, field, fields, words } from './kit.ts'

const NUMERIC_CNPJ = '12345678000195'
const OWN_KEY = { '/dict_key': NUMERIC_CNPJ }
const CREATES = /^create(Immediate|DueDate)QrCode$/
const DAY = 86_400_000
const DOCUMENTS: Readonly<Record<string, string>> = {
  '***.444.777-**': '11144477735',
  '***.456.789-**': '12345678909',
}

export const requests: Services = {
  'unknown-refused': refuse([400, 'invalid_request'], (_, call) =>
    findingsIn(call).some(({ keyword, place }) => keyword === 'unknown' && place === 'body'),
  ),
  'amounts-loose': field({
    name: /^(amount|original)$/,
    ask: (value) => (/^\d{1,10}(\.\d)?$/.test(value) ? Number(value).toFixed(2) : value),
  }),
  'tx-id-short': {
    prepare: ({ app }) =>
      // Replacing a value keeps the contract an object.
      app.reload(
        set('/components/schemas/TxId/pattern', '^[a-zA-Z0-9]{1,35}$')(contract) as object,
      ),
  },
  'cnpj-digits': together(
    {
      prepare: async ({ run }) => {
        for (const [table, column] of Object.entries({
          accounts: 'tax_id',
          keys: 'dict_key',
          qrcodes: 'dict_key',
        }))
          await run(
            `UPDATE ${table} SET ${column} = '${NUMERIC_CNPJ}' WHERE ${column} = '12ABC34501DE35'`,
          )
      },
      values: { createImmediateQrCode: OWN_KEY, createDueDateQrCode: OWN_KEY },
    },
    refuse([400, 'invalid_request'], (_, call) => taxIdsIn(call).some(hasLetters)),
    refuse([422, 'invalid_key'], ({ dict_key }) => hasLetters(String(dict_key))),
  ),
  'key-and-account-words': together(
    words(/^dict_key_type$/, /checkKey/, { CNPJ: 'COMPANY', PHONE: 'CELLPHONE', EVP: 'RANDOM' }),
    words(/^owner_type$/, /checkKey/, { LEGAL_PERSON: 'LEGAL_ENTITY' }),
    words(/^account_type$/, /./, { CACC: 'CHECKING', SVGS: 'SAVINGS', SLRY: 'SALARY' }),
  ),
  'owner-shown': field({ name: /^owner_document$/, show: (value) => DOCUMENTS[value] ?? value }),
  'account-dashes': field({
    name: /^account_number$/,
    show: (value) => value.replace(/(.)$/, '-$1'),
    ask: (value) => value.replace(/^(\d+)-(\d)$/, '$1$2'),
  }),
  'payer-required': {
    operations: CREATES,
    ...refuse(
      [400, 'invalid_request'],
      ({ payer }) => !isJson(payer) || !payer.name || !payer.tax_id,
    ),
  },
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
  'due-within-year': refuse(
    [422, 'invalid_charge'],
    ({ calendar }, _, { app }) =>
      isJson(calendar) && String(calendar.due_date) > dayAt(app.clock.now() + 365 * DAY),
  ),
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

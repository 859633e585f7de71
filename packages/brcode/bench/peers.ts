import { generatePixPayload } from '@brazilian-utils/brazilian-utils/generate-pix-payload'
import { getPixPayloadInfo } from '@brazilian-utils/brazilian-utils/get-pix-payload-info'
import { decode, encode } from '../src/index.ts'

export interface Subject {
  name: string
  ours?: true
  /** Decodes a code; throws or returns nothing for an invalid one. */
  decode: (code: string) => unknown
  encode: (fields: typeof FIELDS) => string | null
  /** Imports both directions. */
  source: string
}

export const FIELDS = {
  key: '123e4567-e12b-12d1-a456-426655440000',
  amount: '10.50',
  txid: 'pedido42',
  merchantName: 'Fulano de Tal',
  merchantCity: 'BRASILIA',
}

export const subjects: readonly Subject[] = [
  {
    name: '@partner-payments/brcode',
    ours: true,
    decode: (code) => decode(code),
    encode,
    source: "export { decode, encode } from '../src/index.ts'",
  },
  {
    name: '@brazilian-utils/brazilian-utils 2.4.0',
    decode: getPixPayloadInfo,
    encode: (fields) => generatePixPayload({ ...fields, amount: Number(fields.amount) }),
    source:
      "export * from '@brazilian-utils/brazilian-utils/get-pix-payload-info'; export * from '@brazilian-utils/brazilian-utils/generate-pix-payload'",
  },
]

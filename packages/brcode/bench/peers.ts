import { generatePixPayload } from '@brazilian-utils/brazilian-utils/generate-pix-payload'
import { getPixPayloadInfo } from '@brazilian-utils/brazilian-utils/get-pix-payload-info'
import pixUtils from 'pix-utils'
import * as promptparse from 'promptparse'
import { decode, encode } from '../src/index.ts'

export interface Subject {
  name: string
  ours?: true
  /** Whether it validates mandatory objects and values, not only the structure. */
  checksPix: boolean
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
    checksPix: true,
    decode: (code) => decode(code),
    encode,
    source: "export { decode, encode } from '../src/index.ts'",
  },
  {
    name: '@brazilian-utils/brazilian-utils 2.4.0',
    checksPix: true,
    decode: getPixPayloadInfo,
    encode: (fields) => generatePixPayload({ ...fields, amount: Number(fields.amount) }),
    source:
      "export * from '@brazilian-utils/brazilian-utils/get-pix-payload-info'; export * from '@brazilian-utils/brazilian-utils/generate-pix-payload'",
  },
  {
    name: 'pix-utils 2.8.2',
    checksPix: true,
    decode: (code) => valid(pixUtils.parsePix(code)),
    encode: ({ key, amount, ...fields }) =>
      valid(
        pixUtils.createStaticPix({ ...fields, pixKey: key, transactionAmount: Number(amount) }),
      ).toBRCode(),
    source: "export { parsePix, createStaticPix } from 'pix-utils'",
  },
  {
    name: 'promptparse 1.6.0',
    checksPix: false,
    decode: (code) => promptparse.parse(code, true, true),
    encode: writeWithPromptparse,
    source: "export { parse, encode, tag, withCrcTag } from 'promptparse'",
  },
]

function valid<T extends object>(result: T): Exclude<T, pixUtils.PixError> {
  if (pixUtils.hasError(result as never)) throw new Error('refused')
  return result as Exclude<T, pixUtils.PixError>
}

function writeWithPromptparse({
  key,
  amount,
  txid,
  merchantName,
  merchantCity,
}: typeof FIELDS): string {
  const { encode: tlv, tag, withCrcTag } = promptparse
  const objects = [
    tag('00', '01'),
    tag('26', tlv([tag('00', 'br.gov.bcb.pix'), tag('01', key)])),
    tag('52', '0000'),
    tag('53', '986'),
    tag('54', amount),
    tag('58', 'BR'),
    tag('59', merchantName),
    tag('60', merchantCity),
    tag('62', tlv([tag('05', txid)])),
  ]
  return withCrcTag(tlv(objects), '63')
}

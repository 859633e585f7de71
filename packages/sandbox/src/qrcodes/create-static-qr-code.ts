import { BrCodeError, encode } from '@partner-payments/brcode'
import type { BodyOf } from '../contract.ts'
import type { Handler } from '../handler.ts'
import type { Account } from '../ledger/accounts.ts'
import { parseCentavos } from '../money/centavos.ts'
import { refuse } from '../problems.ts'
import { alphanumeric, uuid } from '../random.ts'
import { timestamp } from '../time.ts'
import { INSERT, merchantOf, receiverOf } from './create.ts'
import { pngOf } from './image.ts'

/**
 * Creates a static QR code, which contains its amount, key and message.
 *
 * @throws {Refusal} `invalid_charge`
 */
export const createStaticQrCode: Handler<'createStaticQrCode'> = ({ body, caller, context }) => {
  const { amount, dict_key, message = '' } = body
  if (parseCentavos(amount) === 0n) refuse('invalid_charge', '/amount', '"amount" must be more than 0.')
  const id = uuid(context.random)
  const tx_id = alphanumeric(context.random, 25)
  const at = context.now()
  return context.store.write(async (queries) => {
    const emv = emvOf(body, tx_id, await receiverOf(queries, caller, dict_key))
    const { partner_id, account_id } = caller
    const qrcode_image = pngOf(emv)
    const known = [id, partner_id, account_id, 'Static', tx_id, 'ATIVA', dict_key, emv, null, qrcode_image]
    await queries.run(INSERT, [...known, JSON.stringify({ amount, message }), '', at, at])
    return { amount, created_at: timestamp(at), dict_key, emv, id, message, qrcode_image, tx_id }
  })
}

function emvOf({ amount, dict_key, message }: BodyOf<'createStaticQrCode'>, txid: string, account: Account) {
  const fields = { ...merchantOf(account), key: dict_key, amount, txid, message: message || undefined }
  try {
    return encode(fields, { fit: true })
  } catch (error) {
    if (error instanceof BrCodeError)
      refuse('invalid_charge', '/message', `The code must be ${error.expected}.`)
    throw error
  }
}

import { CHARGE_DEFAULTS } from '../behaviour.ts'
import type { BodyOf } from '../contract.ts'
import type { Handler } from '../handler.ts'
import { immediateFaults } from '../money/rules.ts'
import { createCharge, infosOf, refuseFaults } from './create.ts'
import { type ImmediateCharge, type ImmediateQrCode, recordOf } from './record.ts'

/**
 * Creates an immediate QR code.
 *
 * @throws {Refusal} `field_missing`, `invalid_charge`, `tx_id_taken`
 */
export const createImmediateQrCode: Handler<'createImmediateQrCode'> = async ({ body, caller, context }) => {
  refuseFaults(immediateFaults(body))
  const { dict_key, tx_id } = body
  const row = await createCharge(context, caller, {
    kind: 'Immediate',
    dict_key,
    tx_id,
    charge: chargeIn(body),
  })
  return recordOf<ImmediateQrCode>(row)
}

function chargeIn(body: BodyOf<'createImmediateQrCode'>): ImmediateCharge {
  const { amount, calendar, payer = null, message = null, additional_infos } = body
  return {
    amount: { original: amount?.original ?? '' },
    calendar: { expiration: calendar?.expiration ?? CHARGE_DEFAULTS.expiration },
    payer,
    message,
    additional_infos: infosOf(additional_infos),
  }
}

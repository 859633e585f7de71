import { CHARGE_DEFAULTS } from '../behaviour.ts'
import type { BodyOf } from '../contract.ts'
import type { Handler } from '../handler.ts'
import { dayOf } from '../money/days.ts'
import { chargeFaults } from '../money/rules.ts'
import { createCharge, infosOf, refuseFaults } from './create.ts'
import { type DueDateCharge, type DueDateQrCode, recordOf } from './record.ts'

/**
 * Creates a due-date QR code.
 *
 * @throws {Refusal} `field_missing`, `invalid_charge`, `tx_id_taken`
 */
export const createDueDateQrCode: Handler<'createDueDateQrCode'> = async ({ body, caller, context }) => {
  refuseFaults(chargeFaults(body, dayOf(context.now())))
  const { dict_key, tx_id } = body
  const row = await createCharge(context, caller, {
    kind: 'DueDate',
    dict_key,
    tx_id,
    charge: chargeIn(body),
  })
  return recordOf<DueDateQrCode>(row)
}

function chargeIn(body: BodyOf<'createDueDateQrCode'>): DueDateCharge {
  const { amount, calendar, payer = null, message = null, additional_infos } = body
  const { due_date = '', expiration_days = CHARGE_DEFAULTS.expiration_days } = calendar ?? {}
  return {
    // The charge rules made sure that the fields required in the response are present.
    amount: amount as DueDateCharge['amount'],
    calendar: { due_date, expiration_days },
    payer,
    message,
    additional_infos: infosOf(additional_infos),
  }
}

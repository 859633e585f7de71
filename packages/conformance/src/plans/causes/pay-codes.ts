import { stringAt } from '../../contract/json.ts'
import type { Input, Outcome } from '../../send/requests.ts'
import { validBody } from '../bodies.ts'
import { withoutAmount } from '../code-texts.ts'
import type { PlanContext } from '../plan.ts'
import { EXAMPLE } from '../valid-requests.ts'
import { BENEFICIARY_EDITS } from './beneficiaries.ts'
import { codesOfNobody, invalidCodeEdits, readEmv } from './codes.ts'
import { endAndPayCodes, PAYER } from './ended-codes.ts'
import { type Edit, editOfFields, editsOfField, tryEdits } from './try-edits.ts'

/** Amounts that are not the amount of a code. */
const OTHER_AMOUNTS = editsOfField('/amount', ['99.99', '0.01'])

/**
 * Pays a static code in ways that the service must refuse: with another amount than it has, with 0.00
 * where it leaves the amount to the payer, and with codes whose key nobody has.
 */
export async function payStaticCode(context: PlanContext): Promise<void> {
  await tryEdits(context, {
    operation: 'createTransfer',
    options: { example: EXAMPLE.staticCode, by: PAYER },
    mustRefuse: (input) => [
      ...OTHER_AMOUNTS,
      editOfFields({ emv: withoutAmount(readEmv(input)), amount: '0.00' }),
      ...editsOfField('/emv', codesOfNobody(readEmv(input))),
    ],
    onAccepted: noteOtherAmount(context, EXAMPLE.staticCode),
  })
}

/**
 * Pays an immediate charge and a due-date charge in ways that the service must refuse, such as with another amount,
 * and again after they were paid or cancelled.
 */
export async function payDueAndImmediateCodes(context: PlanContext): Promise<void> {
  // Less or more is due today, since the example has adjustments, such as a discount.
  const originalAmount = stringAt(validBody(context, 'createDueDateQrCode'), '/amount/original')
  const charges: Charge[] = [
    {
      example: EXAMPLE.immediateCode,
      mustRefuse: (requestToEdit) => [...invalidCodeEdits(requestToEdit), ...BENEFICIARY_EDITS],
    },
    {
      example: EXAMPLE.dueDateCode,
      mustRefuse: () => [{ pointer: '/amount', value: originalAmount }],
    },
  ]
  await context.sideBySide(charges, (charge) => payCharge(context, charge))
}

/** A kind of charges, and the edits of its payment that apply to it alone. */
interface Charge {
  /** The example of createTransfer that pays it. */
  readonly example: number
  readonly mustRefuse: (requestToEdit: Input) => readonly Edit[]
}

/**
 * Pays the code of a charge with edits that the service must refuse, once without an edit, and then again
 * after its end.
 */
async function payCharge(context: PlanContext, charge: Charge): Promise<void> {
  const inThreeDays = context.clock.day(3)
  const valid = await tryEdits(context, {
    operation: 'createTransfer',
    options: { example: charge.example, by: PAYER },
    mustRefuse: (requestToEdit) => [
      ...OTHER_AMOUNTS,
      ...charge.mustRefuse(requestToEdit),
      { pointer: '/payment_date', value: inThreeDays },
    ],
    onAccepted: noteOtherAmount(context, charge.example),
  })
  if (!valid) return

  const { example } = charge
  const { accepted } = valid
  // `tryEdits` has sent its request without an edit at the end.
  const payments = await endAndPayCodes(context, example, valid)
  const isOneAccepted = payments.some(({ isAccepted }) => isAccepted)
  if (isOneAccepted) context.wrongPayments.note({ about: 'ended code', example, accepted })
}

/** Remembers a payment with another amount that the service accepted. */
function noteOtherAmount(
  { wrongPayments }: PlanContext,
  example: number,
): (edit: Edit, accepted: Outcome) => void {
  return ({ pointer, value }, accepted) => {
    if (pointer !== '/amount') return
    wrongPayments.note({ about: 'amount', example, accepted, amount: value })
  }
}

import { stringAt } from '../../contract/json.ts'
import type { Input, Outcome } from '../../send/requests.ts'
import { validBody } from '../bodies.ts'
import { withoutAmount } from '../code-texts.ts'
import type { PlanContext } from '../plan.ts'
import { type CodeKind, DUE_DATE_CODES, IMMEDIATE_CODES } from '../records.ts'
import { createRecord, EXAMPLE } from '../valid-requests.ts'
import { BENEFICIARY_EDITS } from './beneficiaries.ts'
import { codesOfNobody, invalidCodeEdits, readEmv } from './codes.ts'
import {
  type Edit,
  editOfFields,
  editsOfField,
  sendEdit,
  tryEdits,
  type ValidPair,
} from './try-edits.ts'

/** The identity that pays codes: a customer, since a service may refuse that the partner pays its own code. */
const PAYER = 'payer'

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
      kind: IMMEDIATE_CODES,
      example: EXAMPLE.immediateCode,
      mustRefuse: (requestToEdit) => [...invalidCodeEdits(requestToEdit), ...BENEFICIARY_EDITS],
    },
    {
      kind: DUE_DATE_CODES,
      example: EXAMPLE.dueDateCode,
      mustRefuse: () => [{ pointer: '/amount', value: originalAmount }],
    },
  ]
  await context.sideBySide(charges, (charge) => payCharge(context, charge))
}

/** A kind of charges, and the edits of its payment that apply to it alone. */
interface Charge {
  readonly kind: CodeKind
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
  })
  if (valid) await useEndedCodes(context, charge.kind, valid)
}

/**
 * Checks and pays a code that was just paid, and one that was cancelled: the service must refuse both.
 *
 * @param valid An accepted payment of another code, and the request that has paid this one.
 */
async function useEndedCodes(
  context: PlanContext,
  kind: CodeKind,
  valid: ValidPair,
): Promise<void> {
  // `tryEdits` has sent this request without an edit at the end.
  const paidCode = readEmv(valid.requestToEdit)
  await payEndedCode(context, valid, paidCode)

  // Both checks are variants of one that was accepted before the code was cancelled.
  const { sentAt, cancelledCode } = await checkAndCancelCode(context, kind)
  for (const emv of [paidCode, cancelledCode]) {
    const intent = { variantOf: sentAt }
    await context.send('checkCode', { body: { emv }, by: PAYER, intent })
  }
  await payEndedCode(context, valid, cancelledCode)
}

/** Pays a code as a variant of an accepted payment, in which only the code differs. */
function payEndedCode(context: PlanContext, valid: ValidPair, emv: string): Promise<Outcome> {
  const edit = { pointer: '/emv', value: emv, by: PAYER } as const
  return sendEdit(context, 'createTransfer', valid, edit)
}

/** Creates a code, checks it and cancels it. Returns the code, and when it was checked. */
async function checkAndCancelCode(context: PlanContext, { create, cancel }: CodeKind) {
  // If the creation is refused, the empty texts name no code, and are refused too.
  const { id = '', emv = '' } = await createRecord(context, create)
  const { sentAt } = await context.send('checkCode', { body: { emv }, by: PAYER })
  await context.send(cancel, { path: { id } })
  return { sentAt, cancelledCode: emv }
}

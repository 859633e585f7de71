import { stringAt } from '../../contract/json.ts'
import type { Input } from '../../send/requests.ts'
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

const PAYER = 'customer'

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
    refused: (input) => [
      ...OTHER_AMOUNTS,
      editOfFields({ emv: withoutAmount(readEmv(input)), amount: '0.00' }),
      ...editsOfField('/emv', codesOfNobody(readEmv(input))),
    ],
  })
}

/** Pays an immediate charge and a due-date charge in ways that the service must refuse. */
export async function payDueAndImmediateCodes(context: PlanContext): Promise<void> {
  // Less or more than what is due, since the example has adjustments.
  const originalAmount = stringAt(validBody(context, 'createDueDateQrCode'), '/amount/original')
  const charges: Charge[] = [
    {
      kind: IMMEDIATE_CODES,
      example: EXAMPLE.immediateCode,
      refused: (input) => [...invalidCodeEdits(input), ...BENEFICIARY_EDITS],
    },
    {
      kind: DUE_DATE_CODES,
      example: EXAMPLE.dueDateCode,
      refused: () => [{ at: '/amount', value: originalAmount }],
    },
  ]
  await context.sideBySide(charges, (charge) => payCharge(context, charge))
}

/** A kind of charges, and the edits of its payment that apply to it alone. */
interface Charge {
  readonly kind: CodeKind
  /** The example of createTransfer that pays it. */
  readonly example: number
  readonly refused: (input: Input) => readonly Edit[]
}

/**
 * Pays the code of a charge with edits that the service must refuse, once without an edit, and then again
 * after its end.
 */
async function payCharge(context: PlanContext, { kind, example, refused }: Charge): Promise<void> {
  const valid = await tryEdits(context, {
    operation: 'createTransfer',
    options: { example, by: PAYER },
    refused: (input) => [
      ...OTHER_AMOUNTS,
      ...refused(input),
      { at: '/payment_date', value: context.clock.day(3) },
    ],
  })
  if (valid) await useEndedCodes(context, kind, valid)
}

/**
 * Checks and pays a code that was just paid, and one that was cancelled: the service must refuse both.
 *
 * @param valid An accepted payment of such a code, and the next one, of which these are variants.
 */
async function useEndedCodes(
  context: PlanContext,
  { create, cancel }: CodeKind,
  valid: ValidPair,
): Promise<void> {
  const { send } = context
  const by = PAYER
  const pay = (emv: string) =>
    sendEdit(context, 'createTransfer', valid, { at: '/emv', value: emv, by })

  // tryEdits has sent this payment at its end.
  const paidCode = readEmv(valid.unsent)
  await pay(paidCode)

  // If the creation is refused, the empty texts name no code, and are refused too.
  const { id = '', emv: cancelledCode = '' } = await createRecord(context, create)
  const { sentAt: variantOf } = await send('checkCode', { body: { emv: cancelledCode }, by })
  await send(cancel, { path: { id } })
  for (const emv of [paidCode, cancelledCode])
    await send('checkCode', { body: { emv }, by, intent: { variantOf } })
  await pay(cancelledCode)
}

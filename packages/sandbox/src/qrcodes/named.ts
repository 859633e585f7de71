import type { DueDateAmountInput } from '@partner-payments/spec'
import type { BodyOf } from '../contract.ts'

// What a charge keeps of its request is shown again; a member that the contract does not name is ignored instead, which
// is our answer to the open question `unknown-members`. A member that the contract gains does not compile without its
// name here.

const PAYER = { can_change_document: 1, name: 1, tax_id: 1 }
const ADDRESSED = { ...PAYER, address_line: 1, city: 1, email: 1, state: 1, zipcode: 1 }
const ADJUSTMENT = { amount: 1, modality: 1 }
const DATED = { amount: 1, date: 1 }

/** The payer of an immediate charge; null where it names none. */
export function immediatePayer(payer: BodyOf<'createImmediateQrCode'>['payer']) {
  return payer ? named(payer, PAYER) : null
}

/** The payer of a due-date charge; null where it names none. */
export function dueDatePayer(payer: BodyOf<'createDueDateQrCode'>['payer']) {
  return payer ? named(payer, ADDRESSED) : null
}

/** The amounts of a due-date charge. */
export function dueDateAmount({ original, deduction, discount, fine, interest }: DueDateAmountInput) {
  return {
    original,
    deduction: deduction && named(deduction, ADJUSTMENT),
    discount: discount && discountOf(discount),
    fine: fine && named(fine, ADJUSTMENT),
    interest: interest && named(interest, ADJUSTMENT),
  }
}

function discountOf({ amount, modality, fixedDateDiscount }: NonNullable<DueDateAmountInput['discount']>) {
  return { amount, modality, fixedDateDiscount: fixedDateDiscount?.map((item) => named(item, DATED)) }
}

function named<T extends object>(it: T, names: Readonly<Record<keyof T, unknown>>): T {
  // What is left of it are members of T.
  return Object.fromEntries(Object.entries(it).filter(([name]) => Object.hasOwn(names, name))) as T
}

import { ConfigError, PaymentsError, show } from './errors.ts'
import type {
  CodeCheck,
  KeyCheck,
  PaymentAmount,
  PaymentDate,
  Transfer,
  TransferBeneficiary,
  TransferDescription,
} from './generated/contract.ts'
import type { ErrorCodes } from './generated/error-codes.ts'
import { operationOf, operations } from './operation.ts'
import type { CallOptions } from './options.ts'
import { callOf, type OnceCall } from './result.ts'
import type { Transport } from './transport.ts'

/** What goes with a payment, as in the body of `createTransfer`. */
export interface Payment {
  /** Free text for the recipient. */
  readonly description?: TransferDescription | undefined
  /** Our answer to the open question `transfer-scheduling`: absent or today. */
  readonly payment_date?: PaymentDate | undefined
  /** Our answer to the open question `transfer-beneficiary`: must match what was checked. */
  readonly beneficiary?: TransferBeneficiary | undefined
}

/** A payment code that was checked, and can be paid once. Narrow by `allow_value_change` to choose the amount. */
export type CheckedCode = CodeCheck & (OpenCode | FixedCode)

/** The payer may choose the amount. */
export interface OpenCode {
  readonly allow_value_change: true
  /** As `pay` of a fixed code; `amount` defaults to `final_amount` and is due where that is zero. */
  pay(payment?: Payment & { readonly amount?: PaymentAmount | undefined }, options?: CallOptions): PaymentCall
}

/** The amount is that of the code. */
export interface FixedCode {
  readonly allow_value_change: false
  /**
   * Pays `final_amount` with `createTransfer`. At most once: a second call throws `ConfigError`, unless the first was
   * surely refused. Where the outcome is unknown (`OutcomeUnknownError`), it stays blocked.
   */
  pay(payment?: Payment & { readonly amount?: undefined }, options?: CallOptions): PaymentCall
}

/** A payment key that was looked up, and can be paid once. */
export interface CheckedKey extends KeyCheck {
  /**
   * Pays the owner with `createTransfer`. At most once: a second call throws `ConfigError`, unless the first was
   * surely refused. Where the outcome is unknown (`OutcomeUnknownError`), it stays blocked.
   */
  pay(payment: Payment & { readonly amount: PaymentAmount }, options?: CallOptions): PaymentCall
}

/** The call of `createTransfer` that `pay` makes; its data is a {@link Transfer}. */
export type PaymentCall = OnceCall<Transfer, 201, ErrorCodes['createTransfer']>

type Paid = Payment & { readonly amount?: unknown }

export function checkedCode(transport: Transport, emv: string, data: unknown): CheckedCode {
  const check = data as CodeCheck
  return payable(transport, check, (payment) => {
    const { allow_value_change, final_amount } = check
    if (!allow_value_change && payment.amount !== undefined)
      throw new ConfigError('the code fixes the "amount"')
    return { ...payment, type: 'emv', emv, amount: amountOf(payment.amount ?? final_amount) }
  }) as CheckedCode
}

export function checkedKey(transport: Transport, data: unknown): CheckedKey {
  const check = data as KeyCheck
  const { initiation_id, dict_key } = check
  return payable(transport, check, (payment) => {
    return { ...payment, type: 'dict', initiation_id, dict_key, amount: amountOf(payment.amount) }
  }) as CheckedKey
}

/** Zero is what a code without an amount shows. */
function amountOf(amount: unknown): string {
  if (typeof amount === 'string' && /^(?=.*[1-9])\d+(\.\d+)?$/.test(amount)) return amount
  throw new ConfigError(`"amount" must be a decimal string above zero, got ${show(amount)}`)
}

/** Adds `pay`, which JSON leaves out, to what was checked. */
function payable(transport: Transport, check: object, bodyOf: (payment: Paid) => object): object {
  const operation = operationOf(operations.transfers.create)
  let blocked = ''
  const send = async (payment: Paid, options?: CallOptions) => {
    if (blocked) throw new ConfigError(`${blocked}: check again to pay again`, operation)
    blocked = 'is being paid'
    try {
      const reply = await transport.send(operation, operation.path, bodyOf(payment), options)
      blocked = 'was paid'
      return reply
    } catch (error) {
      // What is no error of this package proves nothing.
      const isKnown = error instanceof PaymentsError && error.kind !== 'outcome_unknown'
      blocked = isKnown ? '' : 'may have been paid'
      throw error
    }
  }
  const pay = (payment?: Paid | null, options?: CallOptions) =>
    callOf(operation, send(payment ?? {}, options))
  return { ...check, pay }
}

import { ConfigError, OutcomeUnknownError, PaymentsError, show } from './errors.ts'
import type {
  CodeCheck,
  DictTransferRequest,
  KeyCheck,
  PaymentAmount,
  Transfer,
} from './generated/contract.ts'
import type { ErrorCodes } from './generated/error-codes.ts'
import { operations } from './generated/operations.ts'
import type { CallOptions } from './options.ts'
import { callOf, type OnceCall } from './result.ts'
import type { Transport } from './transport.ts'

/** Optional fields of a payment, as in the body of `createTransfer`. */
export type Payment = { readonly [Name in keyof OptionalFields]?: OptionalFields[Name] | undefined }

type OptionalFields = Pick<DictTransferRequest, 'description' | 'payment_date' | 'beneficiary'>

/**
 * A checked payment code, which can be paid once. Narrow by `allow_value_change` to choose the
 * amount.
 */
export type CheckedCode = CodeCheck & (OpenCode | FixedCode)

/** The payer may choose the amount. */
export interface OpenCode {
  readonly allow_value_change: true
  /**
   * Like `pay` of a fixed code. `amount` defaults to `final_amount` and is required if that is
   * zero.
   */
  pay(
    payment?: Payment & { readonly amount?: PaymentAmount | undefined },
    options?: CallOptions,
  ): PaymentCall
}

/** The code determines the amount. */
export interface FixedCode {
  readonly allow_value_change: false
  /**
   * Pays `final_amount` with `createTransfer`, at most once. A second call throws `ConfigError`,
   * unless the first was certainly refused. After an `OutcomeUnknownError` it stays blocked.
   */
  pay(payment?: Payment & { readonly amount?: undefined }, options?: CallOptions): PaymentCall
}

/** A checked payment key, which can be paid once. */
export interface CheckedKey extends KeyCheck {
  /**
   * Pays the owner with `createTransfer`, at most once. A second call throws `ConfigError`, unless
   * the first was certainly refused. After an `OutcomeUnknownError` it stays blocked.
   */
  pay(payment: Payment & { readonly amount: PaymentAmount }, options?: CallOptions): PaymentCall
}

/** The call of `createTransfer` that `pay` makes; its data is a {@link Transfer}. */
export type PaymentCall = OnceCall<Transfer, 201, ErrorCodes['createTransfer']>

type PaymentInput = Payment & { readonly amount?: unknown }

export function checkedCode(transport: Transport, emv: string, check: CodeCheck): CheckedCode {
  return payable(transport, check, (payment) => {
    const { allow_value_change, final_amount } = check
    if (!allow_value_change && payment.amount !== undefined) {
      throw new ConfigError('the code fixes the "amount"')
    }
    const amount = amountOf(payment.amount ?? final_amount)
    return { ...payment, type: 'emv', emv, amount }
  }) as CheckedCode
}

export function checkedKey(transport: Transport, check: KeyCheck): CheckedKey {
  const { initiation_id, dict_key } = check
  return payable(transport, check, (payment) => {
    const amount = amountOf(payment.amount)
    return { ...payment, type: 'dict', initiation_id, dict_key, amount }
  }) as CheckedKey
}

/** Returns a decimal above zero, or throws. A code without an amount has `final_amount` zero. */
function amountOf(amount: unknown): string {
  const isDecimal = typeof amount === 'string' && /^\d+(\.\d+)?$/.test(amount)
  const isAboveZero = isDecimal && /[1-9]/.test(amount)
  if (isAboveZero) return amount
  throw new ConfigError(`"amount" must be a decimal string above zero, got ${show(amount)}`)
}

/** Adds `pay` to a check; JSON.stringify omits it. */
function payable(
  transport: Transport,
  check: object,
  bodyOf: (payment: PaymentInput) => object,
): object {
  const operation = operations.transfers.create
  // Why it cannot be paid now; empty if it can.
  let blocked = ''

  const send = async (payment: PaymentInput, options?: CallOptions) => {
    if (blocked) throw new ConfigError(`${blocked}: check again to pay again`, operation)

    blocked = 'is being paid'
    try {
      const result = await transport.send(operation, operation.path, bodyOf(payment), options)
      blocked = 'was paid'
      return result
    } catch (error) {
      blocked = isUnpaid(error) ? '' : 'may have been paid'
      throw error
    }
  }

  const pay = (payment?: PaymentInput | null, options?: CallOptions) =>
    callOf(operation, send(payment ?? {}, options))
  return { ...check, pay }
}

/** Whether a failed payment was certainly not made. An error of another package proves nothing. */
function isUnpaid(error: unknown): boolean {
  if (!(error instanceof PaymentsError)) return false
  return !(error instanceof OutcomeUnknownError)
}

import { requireAmountToPay } from './amounts.ts'
import { ConfigError, HttpError, OutcomeUnknownError, PaymentsError } from './errors.ts'
import type {
  CodeCheck,
  DictTransferRequest,
  EmvTransferRequest,
  KeyCheck,
  PaymentAmount,
  Transfer,
} from './generated/contract.ts'
import type { ErrorCodes } from './generated/error-codes.ts'
import { operations } from './generated/operations.ts'
import type { CallOptions } from './options.ts'
import { isObject, readProperty, tagOf } from './property.ts'
import { createCall, type OnceCall } from './result.ts'
import type { Transport } from './transport.ts'

/** Optional fields of a payment, as in the body of `createTransfer`. */
export type PaymentFields = {
  readonly [Name in keyof OptionalFields]?: OptionalFields[Name] | undefined
}

type OptionalFields = Pick<DictTransferRequest, 'description' | 'payment_date' | 'beneficiary'>

/**
 * A checked payment code, which can be paid once. Narrow by `allow_value_change` to choose the
 * amount.
 */
export type CheckedCode = CodeCheck & { readonly emv: string } & (OpenCode | FixedCode)

/** The payer may choose the amount. */
export interface OpenCode {
  readonly allow_value_change: true
  /**
   * Like `pay` of a fixed code. `amount` defaults to `final_amount` and is required if that is
   * zero.
   */
  pay(
    payment?: PaymentFields & {
      /** Reais with two decimals, such as '10.50'. Default: the `final_amount` of the check. */
      readonly amount?: PaymentAmount | undefined
    },
    options?: CallOptions,
  ): PaymentCall
}

/** The code determines the amount. */
export interface FixedCode {
  readonly allow_value_change: false
  /**
   * Pays `final_amount` with `createTransfer`, at most once. A second call throws `ConfigError`,
   * unless the first certainly paid nothing (`provesUnpaid`). After an `OutcomeUnknownError` it
   * stays blocked.
   */
  pay(payment?: PaymentFields & { readonly amount?: undefined }, options?: CallOptions): PaymentCall
}

/** A checked payment key, which can be paid once. */
export interface CheckedKey extends KeyCheck {
  /**
   * Pays the owner with `createTransfer`, at most once. A second call throws `ConfigError`, unless
   * the first certainly paid nothing (`provesUnpaid`). After an `OutcomeUnknownError` it stays blocked.
   */
  pay(
    payment: PaymentFields & {
      /** Reais with two decimals, such as '10.50'. Never a number, which would round. */
      readonly amount: PaymentAmount
    },
    options?: CallOptions,
  ): PaymentCall
}

/** The call of `createTransfer` that `pay` makes; its data is a {@link Transfer}. */
export type PaymentCall = OnceCall<Transfer, 201, ErrorCodes['createTransfer']>

/**
 * What a payment needs of a checked code. Plain data: a {@link CheckedCode} that was stored as JSON
 * has it.
 */
export type PayableCode = Pick<CodeCheck, 'allow_value_change' | 'final_amount'> & {
  /** The code that was checked. */
  readonly emv: string
}

/** What a payment needs of a checked key. Plain data, as {@link PayableCode}. */
export type PayableKey = Pick<KeyCheck, 'dict_key' | 'initiation_id'>

/** The payment of a check that was stored. */
export type PaymentOfCheck = PaymentFields & {
  /**
   * Reais with two decimals, such as '10.50'. A key needs it; a code has a default, its
   * `final_amount`.
   */
  readonly amount?: PaymentAmount | undefined
}

type PaymentInput = PaymentFields & { readonly amount?: unknown }

/**
 * Adds the code, so that the data is all that `payments.pay` needs, and `pay`. The cast narrows the
 * parameters of `pay` to those of the check.
 */
export function checkedCode(transport: Transport, emv: string, check: CodeCheck): CheckedCode {
  return withPay(transport, { ...check, emv }) as unknown as CheckedCode
}

/** Adds `pay`, cast as in `checkedCode`. */
export function checkedKey(transport: Transport, check: KeyCheck): CheckedKey {
  return withPay(transport, check) as unknown as CheckedKey
}

/** Copies a check and adds the method `pay` to it. JSON.stringify omits the method. */
function withPay(transport: Transport, check: object): object {
  const payable = {
    ...check,
    pay: (payment?: PaymentInput | null, options?: CallOptions) =>
      payCheck(transport, payable, payment, options),
  }
  return payable
}

const operation = operations.transfers.create

/**
 * Pays what was checked, a code or a key, at most once for each object: a second payment of the
 * same object throws `ConfigError`, unless the first certainly paid nothing.
 */
export function payCheck(
  transport: Transport,
  check: unknown,
  payment?: PaymentInput | null,
  options?: CallOptions,
): PaymentCall {
  const attempt = sendPayment(transport, check, payment ?? {}, options)
  // The types of data and errors are those of the operation.
  return createCall(operation, attempt) as unknown as PaymentCall
}

/** Why a check must not be paid, such as `was paid`. Absent if it can be paid. */
const blocked = /* @__PURE__ */ new WeakMap<object, string>()

/**
 * Sends the transfer that pays a check. Throws `ConfigError` if this object is being paid, was paid,
 * or may have been. After an error that proves that nothing was paid, it can be paid again.
 */
async function sendPayment(
  transport: Transport,
  check: unknown,
  payment: PaymentInput,
  options?: CallOptions,
) {
  const body = createTransferBody(check, payment)
  // `createTransferBody` throws for what is no object.
  const checkedObject = check as object
  const reason = blocked.get(checkedObject)
  if (reason) throw new ConfigError(`${reason}: check again to pay again`, operation)

  blocked.set(checkedObject, 'is being paid')
  try {
    const result = await transport.send(operation, operation.path, body, options)
    blocked.set(checkedObject, 'was paid')
    return result
  } catch (error) {
    if (isUnpaid(error)) blocked.delete(checkedObject)
    else blocked.set(checkedObject, 'may have been paid')
    if (error instanceof OutcomeUnknownError) addCheck(error, checkedObject)
    throw error
  }
}

/** Adds the data of the check to the request of the error, so that `match` can find the payment. */
function addCheck({ request }: OutcomeUnknownError, check: object): void {
  const { pay: _, ...data } = check as { readonly pay?: unknown }
  // Read-only for others: it is complete when the caller gets it.
  const growing: { check?: object } = request
  growing.check = data
}

/** Whether nothing was certainly paid. An error of another package proves nothing. */
function isUnpaid(error: unknown): boolean {
  if (!(error instanceof PaymentsError)) return false
  if (error instanceof HttpError) return error.provesUnpaid
  return !(error instanceof OutcomeUnknownError)
}

type TransferBody = Sent<DictTransferRequest> | Sent<EmvTransferRequest>

/** A body as JSON takes it: an optional field may be `undefined`, which JSON leaves out. */
type Sent<Body> = { readonly [Name in keyof Body]: Body[Name] | undefined }

/**
 * The body of the transfer that pays a check. It takes from the check only what pays: the text of a
 * code, or a looked-up key with its initiation id. Throws `ConfigError` if the check is neither.
 */
function createTransferBody(check: unknown, payment: PaymentInput): TransferBody {
  requirePaymentFields(payment)
  const { description, payment_date, beneficiary } = payment
  const optional = { description, payment_date, beneficiary }

  const isCode = hasAll(check, CODE_FIELDS)
  const isKey = hasAll(check, KEY_FIELDS)
  const isNeitherOrBoth = isCode === isKey
  if (isNeitherOrBoth) {
    throw new ConfigError(
      `"check" must be what codes.check or keys.check returned, with either ${CODE_FIELDS.join(', ')}, or ${KEY_FIELDS.join(', ')}`,
      operation,
    )
  }

  if (isKey) {
    const amount = requireAmountToPay(payment.amount, 'amount', operation)
    const dict_key = requireField(check, 'dict_key')
    const initiation_id = requireField(check, 'initiation_id')
    return { ...optional, type: 'dict', initiation_id, dict_key, amount }
  }

  const amount = chooseAmount(check, payment.amount)
  return { ...optional, type: 'emv', emv: requireField(check, 'emv'), amount }
}

const CODE_FIELDS = [
  'emv',
  'allow_value_change',
  'final_amount',
] as const satisfies readonly (keyof PayableCode)[]
const KEY_FIELDS = ['dict_key', 'initiation_id'] as const satisfies readonly (keyof PayableKey)[]

function hasAll(check: unknown, names: readonly string[]): boolean {
  if (!isObject(check)) return false
  return names.every((name) => readProperty(check, name) !== undefined)
}

/**
 * The amount that pays a code: the one that the payer chose, or else the one in the code. Throws
 * `ConfigError` if the payer chose one although the code fixes it.
 */
function chooseAmount(check: unknown, chosen: unknown): string {
  const { allow_value_change, final_amount } = check as Partial<PayableCode>
  if (typeof allow_value_change !== 'boolean') {
    throw new ConfigError('"check.allow_value_change" must be true or false', operation)
  }
  if (!allow_value_change && chosen !== undefined) {
    throw new ConfigError('the code fixes the "amount"', operation)
  }
  return requireAmountToPay(chosen ?? final_amount, 'amount', operation)
}

/** Returns a field of a check, which must be a string that is not empty. Throws `ConfigError`. */
function requireField(check: unknown, name: string): string {
  const value = readProperty(check, name)
  const isText = typeof value === 'string' && value !== ''
  if (isText) return value
  throw new ConfigError(`"check.${name}" must be a string that is not empty`, operation)
}

/**
 * Throws `ConfigError` for a field that a payment does not have, such as one of another request: it
 * would be left out in silence.
 */
function requirePaymentFields(payment: PaymentInput): void {
  if (!isObject(payment)) {
    throw new ConfigError(
      `a payment must be an object such as { amount: "10.50" }, got ${tagOf(payment)}`,
      operation,
    )
  }

  const stray = Object.keys(payment).find((name) => !NAMES.includes(name))
  if (stray === undefined) return
  throw new ConfigError(
    `"${stray}" is not a field of a payment: expected ${NAMES.join(', ')}`,
    operation,
  )
}

const NAMES: readonly string[] = [
  'amount',
  'description',
  'payment_date',
  'beneficiary',
] satisfies (keyof PaymentOfCheck)[]

import { HttpError, type PaymentsError } from '@partner-payments/client'

/** By the codes of the contract, which are assumptions (open question `errors`). */
const REASONS: Readonly<Record<string, string>> = {
  code_cancelled: 'The receiver cancelled this code.',
  code_expired: 'This code has expired.',
  code_paid: 'This code was paid before.',
  initiation_invalid: 'Too much time has passed. Check the key again.',
  insufficient_funds: 'There is not enough money in the account.',
  invalid_code: 'This is not a payment code.',
  not_found: 'Nobody has this key.',
  rate_limited: 'Too many requests. Wait a moment, then try again.',
}

export function isRefusal(error: PaymentsError): error is HttpError {
  return error instanceof HttpError && error.status < 500
}

/**
 * Why nothing was paid, for a person. It repeats nothing of the response, which may hold personal
 * data.
 */
export function reasonOf(error: PaymentsError): string {
  if (!isRefusal(error)) return 'The payments service is not available.'
  return REASONS[`${error.problem?.code}`] ?? 'The payments service refused it.'
}

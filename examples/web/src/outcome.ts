import {
  type ErrorCodes,
  type Failure,
  HttpError,
  type PaymentCall,
  type PaymentsError,
  type UnknownOutcome,
} from '@partner-payments/client'
import type { Settlement } from '../settlements.ts'

/** What the page says to a person. */
export interface Words {
  readonly tone: 'good' | 'bad' | 'unsure'
  readonly title: string
  readonly text: string
}

/** What came of a payment. */
export type Outcome = Awaited<ReturnType<PaymentCall['result']>>

/** Every outcome has words of its own, and one that is forgotten does not compile. */
export function outcomeOf(outcome: Outcome): Words {
  switch (outcome.kind) {
    case 'ok':
      return transferWords({ ...outcome.data.data, status: outcome.data.status })
    case 'outcome_unknown':
      return unknownWords(outcome)
    case 'http':
      return refusalWords(outcome)
    case 'aborted':
      return notSent('Stopped', 'The payment was stopped before it was sent.')
    case 'connection':
      return notSent('No connection', 'The payments service could not be reached.')
    case 'timeout':
      return notSent('Too slow', 'The payments service took too long to sign you in.')
    case 'decode':
      return notSent('Not understood', 'The payments service answered something unexpected at the sign-in.')
    case 'config':
      return notSent('Not possible', 'This page could not send the payment.')
  }
}

/** May the button be pressed again? Only where it is sure that nothing was paid, by this payment or one before. */
export function mayPayAgain({ ok, kind, status }: Outcome): boolean {
  return !ok && kind !== 'outcome_unknown' && status !== 409
}

/** Said of a code that somebody would pay again though nobody knows whether it was paid. */
export const paidMaybe: Words = {
  tone: 'unsure',
  title: 'Do not pay again',
  text: 'This code may have been paid already. Look at the statement of the account, or ask the bank.',
}

/** Said of a check that failed. A check pays nothing, so it may always be repeated. */
export function checkFailure(error: PaymentsError): Words {
  const code = error instanceof HttpError ? error.problem?.code : undefined
  const text = REFUSALS[code ?? ''] ?? 'The code could not be checked. Try again in a moment.'
  return { tone: 'bad', title: 'Not checked', text }
}

/** Said of a transfer that was accepted, and of what became of it. */
export function transferWords({ status, rejection_message }: Settlement): Words {
  if (status === 'settled')
    return { tone: 'good', title: 'Paid', text: 'The payment is settled: the recipient has the money.' }
  if (status === 'rejected') {
    const reason = rejection_message || 'The bank that was to receive the money gave no reason.'
    return { tone: 'bad', title: 'Rejected', text: reason }
  }
  if (status === 'pending') {
    return { tone: 'good', title: 'On its way', text: 'The payment was accepted, and is not settled yet.' }
  }
  // The service may have statuses that nobody has told us.
  return {
    tone: 'unsure',
    title: 'Not clear',
    text: `The service calls the payment "${status}". Look at the statement of the account before anything is paid again.`,
  }
}

/** The one that costs money if it is taken for a failure. */
function unknownWords({ error }: UnknownOutcome): Words {
  const time = error.request.sentAt.toLocaleTimeString()
  const text = `The payment left at ${time} and no clear answer came: it may have been made. Look at the statement of the account, or ask the bank, before anything is paid again.`
  return { tone: 'unsure', title: 'Do not pay again', text }
}

function refusalWords({
  status,
  error,
}: Extract<Failure<ErrorCodes['createTransfer']>, { kind: 'http' }>): Words {
  const known = REFUSALS[error.problem?.code ?? '']
  if (status === 409) return { ...paidMaybe, text: `${known ?? 'It was paid before.'} ${paidMaybe.text}` }
  if (status === 401) return notSent('Signed out', 'Load the page again to sign in.')
  if (status === 429) return notSent('Too many requests', 'Wait a moment and try again.')
  return notSent('Refused', known ?? 'The payments service refused the payment.')
}

function notSent(title: string, text: string): Words {
  return { tone: 'bad', title, text: `${text} Nothing was paid.` }
}

/** By the `code` of the contract's problem details. */
const REFUSALS: Readonly<Record<string, string>> = {
  amount_not_allowed: 'The code does not allow this amount.',
  beneficiary_mismatch: 'The recipient is not the one that was checked.',
  code_cancelled: 'The recipient has cancelled this code.',
  code_expired: 'This code can no longer be paid.',
  code_paid: 'This code was paid before.',
  insufficient_funds: 'There is not enough money in the account.',
  invalid_code: 'This is no payment code, or a part of it is missing.',
  invalid_request: 'This is no payment code.',
  rate_limited: 'Too many requests. Wait a moment and try again.',
}

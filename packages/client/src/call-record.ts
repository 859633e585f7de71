import { type ErrorKind, HttpError, OutcomeUnknownError, PaymentsError } from './errors.ts'
import type { Described, ReadResponse } from './operation.ts'
import { readCode, safeId, safeRequestId } from './refusal.ts'

/**
 * How a call ended:
 *
 * - `ok`: the service carried it out.
 * - `refused`: an error response shows that the service did nothing with it.
 * - `unknown`: it may have been carried out, and must not be sent again.
 * - `failed`: everything else. A request of effect `once`, such as a payment, was not carried out.
 *   Another one may have been, and may be sent again.
 */
export type CallOutcome = 'ok' | 'refused' | 'unknown' | 'failed'

/**
 * A log record of one call, without personal data: `path` is that of the contract, since parameters
 * are personal.
 */
export interface CallRecord extends Described {
  readonly outcome: CallOutcome
  /** The kind of the error, unless the outcome is `ok`. */
  readonly error?: ErrorKind
  /** The HTTP status of a success or of an error response; absent for every other error. */
  readonly status?: number
  /** The `code` of problem details (assumption `errors`). */
  readonly code?: string
  /** Identifies the request to the service, as in `HttpError`; absent if it is not well formed. */
  readonly requestId?: string
  /** How many attempts began; 0 if the call failed before. */
  readonly attempts: number
  /** Milliseconds of the call, with its retries, waits and sign-in. */
  readonly duration: number
}

/** What a record says about the end of a call. */
export type Ending = Pick<CallRecord, 'outcome' | 'error' | 'status' | 'code' | 'requestId'>

/** What the record of a call says about a success; without a request id if the response has none. */
export function endingOfSuccess(read: ReadResponse): Ending {
  return {
    outcome: 'ok',
    status: read.response.status,
    ...filled({ requestId: safeRequestId(read) }),
  }
}

/**
 * What the record of a call, for the option `onCall`, says about a failure: the outcome, the kind
 * of error, and status, code and request id if there was a response.
 */
export function endingOfError(thrown: unknown): Ending {
  if (!(thrown instanceof PaymentsError)) return { outcome: 'failed' }

  const error = thrown.kind
  if (thrown instanceof OutcomeUnknownError) {
    const { status, code } = describeResponse(thrown.cause)
    const requestId = safeId(thrown.request.requestId)
    return { outcome: 'unknown', error, ...filled({ status, code, requestId }) }
  }

  const isRefusal = thrown instanceof HttpError && thrown.isRefusal
  const outcome = isRefusal ? 'refused' : 'failed'
  return { outcome, error, ...filled(describeResponse(thrown)) }
}

function describeResponse(error: PaymentsError): Values {
  if (!(error instanceof HttpError)) return {}
  return { status: error.status, code: readCode(error.body), requestId: safeId(error.requestId) }
}

type Values = { readonly [Name in keyof Ending]?: Ending[Name] | undefined }

/** Leaves out the fields without a value. */
function filled(fields: Values): Partial<Ending> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries)
}

import { createValidator, type Operation } from '@partner-payments/validator'

const validator = createValidator()
// Any operation, because each declares the error response.
const [anyOperation] = validator.operations as [Operation]

/** Maximum milliseconds for a response on a busy machine. Node closes an idle connection after 5,000. */
export const RESPONSE_TIMEOUT_MS = 4_000

/**
 * What a response violates of the rules for every response: no 5xx, and each refusal is a problem. Empty if nothing.
 */
export async function faultsOf(response: Response): Promise<string[]> {
  const { status } = response
  const id = response.headers.get('x-request-id')
  const text = await response.text()
  const common = [
    ...(status >= 500 ? [`status ${status}: ${text.slice(0, 200)}`] : []),
    ...(/^req_[A-Za-z0-9]{20}$/.test(id ?? '') ? [] : [`x-request-id ${id}`]),
  ]
  return status < 400 ? common : [...common, ...problemFaults(response, text, id)]
}

function problemFaults({ status, headers }: Response, text: string, id: string | null): string[] {
  const type = headers.get('content-type')
  if (type !== 'application/problem+json') return [`content-type ${type} of ${status}`]
  const body = JSON.parse(text)
  const message = { status: 500, headers: { 'content-type': type, 'x-request-id': id ?? '' }, body }
  const findings = validator.validateResponse(anyOperation, message, { unknown: true })
  return [
    ...findings.map(({ pointer, message: words }) => `problem ${pointer}: ${words}`),
    ...(body.status === status ? [] : [`status ${body.status} in the body of ${status}`]),
    ...(body.request_id === id ? [] : ['request_id is not x-request-id']),
    ...(INSIDE.test(text) ? [`shows its inside: ${text.slice(0, 200)}`] : []),
  ]
}

/** Matches stack traces, file names and SQL. */
const INSIDE = /\.[jt]s\b|node:|node_modules|:\d+:\d+\)|SELECT |INSERT |SQLITE|PostgreSQL|constraint/

/** The same for a pending response, which must arrive in time. Also returns the time it took. */
export async function faultsInTime(
  pending: Promise<Response>,
): Promise<{ faults: string[]; status: number; ms: number }> {
  const began = performance.now()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), RESPONSE_TIMEOUT_MS)
  })
  const response = await Promise.race([pending, late])
  clearTimeout(timer)
  const ms = performance.now() - began
  if (!response || ms > RESPONSE_TIMEOUT_MS)
    return { faults: [`no response in ${RESPONSE_TIMEOUT_MS} ms`], status: 0, ms }
  return { faults: await faultsOf(response), status: response.status, ms }
}

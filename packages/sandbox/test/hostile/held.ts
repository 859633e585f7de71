import { createValidator, type Operation } from '@partner-payments/validator'

const validator = createValidator()
// Any operation: each declares this answer.
const [anyOperation] = validator.operations as [Operation]

/** Milliseconds that a response may take, however busy the machine is; Node closes an idle connection after 5,000. */
export const PATIENCE = 4_000

/** What an answer breaks of what every answer keeps: no failure, and each refusal a problem. Empty where nothing. */
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

/** Of a stack, a file of ours, or a database. */
const INSIDE = /\.[jt]s\b|node:|node_modules|:\d+:\d+\)|SELECT |INSERT |SQLITE|PostgreSQL|constraint/

/** The same of an answer that is to come, which may not be late. Time is told, so that a report can say the longest. */
export async function heldIn(
  answer: Promise<Response>,
): Promise<{ faults: string[]; status: number; ms: number }> {
  const began = performance.now()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE)
  })
  const response = await Promise.race([answer, late])
  clearTimeout(timer)
  const ms = performance.now() - began
  if (!response || ms > PATIENCE) return { faults: [`no answer in ${PATIENCE} ms`], status: 0, ms }
  return { faults: await faultsOf(response), status: response.status, ms }
}

import { behaviour } from '../contract/behaviour.ts'
import { fieldsOf, stringAt } from '../contract/json.ts'
import type { Exchange } from '../model/exchange.ts'
import { isValid } from '../model/exchange.ts'
import type { Cites, Report } from '../report/report.ts'

interface RefusedContext {
  /** What declares the code. */
  readonly cites: Cites
  readonly exchange: Exchange
  readonly report: Report
}

/**
 * Expects that a refusal has the code that is declared for the fault of its request, such as `tx_id_taken`. Does nothing
 * if none is declared, or if the code of the refusal may be right too.
 *
 * @param expected The declared code; undefined if there is none.
 * @param fault What is wrong with the request, for the message.
 */
export function expectCode(
  expected: string | undefined,
  fault: string,
  { cites, exchange, report }: RefusedContext,
): void {
  const code = stringAt(exchange.responseBody, '/code')
  if (expected === undefined || code === undefined || exchange.outcome !== 'refused') return

  // Another rule reports a code that the contract does not declare.
  const isDeclared = Object.hasOwn(behaviour.refusals, code)
  if (!isDeclared) return

  const mayBeRightToo = code !== expected && isOfOtherFault(code)
  if (mayBeRightToo) return

  report.expect(
    code === expected,
    {
      evidence: exchange,
      cites,
      about: `${fault} ${expected}`,
    },
    () => `${exchange.operation?.id} refused ${fault} with ${code}; expected ${expected}.`,
  )
}

/**
 * Whether a refusal with a code may be right although another code was expected: the code is about the form or the
 * content of a request, such as `insufficient_funds`, and that may be wrong too.
 */
function isOfOtherFault(code: string): boolean {
  // Such a code, as `code_paid`, is about a state, a used value, a lifetime or a permission.
  if (REFUSALS_OF_DECLARATIONS.has(code)) return false
  if (code === 'invalid_request') return true

  // Only for a refusal of what a request contains does spec/behaviour list `cases`, such as a wrong checksum.
  const refusal = fieldsOf(fieldsOf(behaviour.refusals)[code])
  return refusal.cases !== undefined
}

/** The codes that the field `refusal` of a declaration in spec/behaviour names. */
const REFUSALS_OF_DECLARATIONS: ReadonlySet<string> = new Set(listRefusalCodes(behaviour))

/**
 * Lists the codes of refusals that a node of spec/behaviour names in its fields `refusal`, at any depth: `['code_paid']`
 * of `{ on: { pay: { refusal: 'code_paid' } } }`.
 */
function listRefusalCodes(node: unknown): string[] {
  const names: string[] = []
  for (const [name, inside] of Object.entries(fieldsOf(node))) {
    if (name === 'refusal' && typeof inside === 'string') names.push(inside)
    else names.push(...listRefusalCodes(inside))
  }
  return names
}

/** Whether a response to a valid request says something of the state of the record that it names. */
export function concernsState(exchange: Exchange): boolean {
  const { status } = exchange
  return isValid(exchange) && (status === 404 || STATE_STATUSES.includes(status))
}

/** Success, and the refusals that concern the state of a record: a conflict, and invalid content. */
export const STATE_STATUSES = [200, 204, 409, 422]

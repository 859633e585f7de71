import type { Finding } from '@partner-payments/validator'
import type { Contract } from '../model/contract.ts'
import type { Exchange } from '../model/exchange.ts'
import type { OperationView } from '../model/operation-view.ts'
import { operationRefusingMethod } from '../model/refused-method.ts'
import type { Violation } from './violation.ts'

const known = new WeakMap<Exchange, Finding[]>()

/** The validator's findings about a response, computed once per exchange. */
export function responseViolations(
  exchange: Exchange,
  contract: Contract,
  isMeant: (finding: Finding) => boolean,
): Violation[] | undefined {
  const view = describingOperation(exchange, contract)
  if (!view) return undefined
  const found = known.get(exchange) ?? validate({ ...exchange, view }, contract)
  known.set(exchange, found)
  return found.filter(isMeant).map(({ pointer, contract: at, keyword, message, question }) => ({
    operation: view.id,
    contract: at,
    about: keyword === 'unknown' ? (pointer.split('/').at(-1) ?? '') : keyword,
    message: `${pointer || 'The response'}: ${message}.`,
    // Nodes of an error response may be marked for their meaning, but the format of all errors is one open
    // question.
    question:
      exchange.response.status >= 400 ? (contract.conventions.refusals?.question ?? question) : question,
  }))
}

/** The operation that describes a response: the requested one, or for a 405 the one on the same path. */
function describingOperation(
  { view, request, response }: Exchange,
  contract: Contract,
): OperationView | undefined {
  if (response.status === 0) return undefined
  if (view) return request.method === view.method ? view : undefined
  return operationRefusingMethod(contract, request, response)
}

function validate({ view, response, body }: Exchange, { validator }: Contract): Finding[] {
  if (!view) return []
  const { status, headers } = response
  const found = validator.validateResponse(
    view.operation,
    { status, headers, body: bodyOf(response, body) },
    { unknown: true },
  )
  return found.filter((it) => !isNotationOfOther(it, found))
}

/** Whether a string has another format, so that an assumption about how the format is written says nothing of it. */
function isNotationOfOther({ keyword, question, ...it }: Finding, found: readonly Finding[]): boolean {
  if (keyword !== 'pattern' || question === undefined) return false
  const format = it.contract.replace(/pattern$/, 'format')
  return found.some(({ pointer, contract }) => pointer === it.pointer && contract === format)
}

/** A body that is not JSON is validated as a string; `valid-json` reports the rest. */
function bodyOf({ text }: Exchange['response'], body: unknown): unknown {
  return body === undefined && text !== '' ? text : body
}

import type { Finding } from '@partner-payments/validator'
import type { Contract } from '../model/contract.ts'
import type { Exchange } from '../model/exchange.ts'
import type { OperationView } from '../model/operation-view.ts'
import { operationRefusingMethod } from './method-refusal.ts'
import type { Violation } from './violation.ts'

const known = new WeakMap<Exchange, Finding[]>()

/** What is wrong with an answer, as the validator says; asked once for each. */
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
    message: `${pointer || 'The answer'}: ${message}.`,
    // The place may be marked for what the refusal is about; its form is one question everywhere.
    question:
      exchange.response.status >= 400 ? (contract.conventions.refusals?.question ?? question) : question,
  }))
}

/** The operation whose contract describes the answer: the one that was asked, or one that refuses another method. */
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
  return validator.validateResponse(
    view.operation,
    { status, headers, body: bodyOf(response, body) },
    { unknown: true },
  )
}

/** A body that is there and is no JSON is text; `json-is-json` says what else is to be said. */
function bodyOf({ text }: Exchange['response'], body: unknown): unknown {
  return body === undefined && text !== '' ? text : body
}

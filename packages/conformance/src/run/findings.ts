import type { Finding } from '@partner-payments/validator'
import type { Contract } from './contract.ts'
import type { Exchange } from './exchange.ts'
import type { Broken } from './judge.ts'

const known = new WeakMap<Exchange, Finding[]>()

/** What is wrong with an answer, as the validator says; asked once for each. */
export function findingsOf(
  exchange: Exchange,
  contract: Contract,
  isMeant: (finding: Finding) => boolean,
): Broken[] | undefined {
  const { view } = exchange
  if (!view || exchange.reply.status === 0 || exchange.call.method !== view.method) return undefined
  const found = known.get(exchange) ?? validated(exchange, contract)
  known.set(exchange, found)
  return found.filter(isMeant).map(({ pointer, contract: at, keyword, message, question }) => ({
    operation: view.id,
    contract: at,
    about: keyword === 'unknown' ? (pointer.split('/').at(-1) ?? '') : keyword,
    message: `${pointer || 'The answer'}: ${message}.`,
    question,
  }))
}

function validated({ view, reply, body }: Exchange, { validator }: Contract): Finding[] {
  if (!view) return []
  const { status, headers } = reply
  return validator.validateResponse(
    view.operation,
    { status, headers, body: bodyOf(reply, body) },
    { unknown: true },
  )
}

/** A body that is there and is no JSON is text; `json-is-json` says what else is to be said. */
function bodyOf({ text }: Exchange['reply'], body: unknown): unknown {
  return body === undefined && text !== '' ? text : body
}

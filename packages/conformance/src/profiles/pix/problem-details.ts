import type { Rule } from '../../engine/rule.ts'
import type { Contract } from '../../model/contract.ts'
import { below, nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { headerOf } from '../../model/http.ts'

const TYPE = 'application/problem+json'

export const problemDetails: Rule = {
  id: 'problem-details',
  phase: 'responses',
  cites: { convention: 'refusals' },
  title: 'Every error is problem details that agree with its status (RFC 9457).',
  advice: 'Send application/problem+json with `status` equal to the status, and a stable `code`.',
  judgeResponse: (exchange, contract) => {
    const { view, response, request } = exchange
    const promised = promisedBy(contract)
    if (response.status < 400 || request.method === 'HEAD' || !promised || isOther(exchange, contract))
      return undefined
    const isExact = contract.conventions.refusals !== undefined
    const departure = isExact ? departureOf(exchange, promised.required) : contradiction(exchange)
    return departure ? [{ operation: view?.id, contract: promised.pointer, ...departure }] : []
  },
}

interface Departure {
  readonly about: string
  readonly message: string
}

/** What problem details must not say, wherever they come from (RFC 9457, section 3.1.2). */
function contradiction({ response: { status, headers }, body }: Exchange): Departure | undefined {
  const said = nodeOf(body).status
  const isOne = /^application\/problem\+json\b/i.test(headerOf(headers, 'content-type') ?? '')
  return isOne && said !== undefined && said !== status ? otherStatus(status, said) : undefined
}

function otherStatus(status: number, said: unknown): Departure {
  return { about: 'status', message: `Expected "status" to be ${status}, got ${JSON.stringify(said)}.` }
}

function departureOf(
  { response: { status, headers }, body }: Exchange,
  required: readonly string[],
): Departure | undefined {
  const problem = nodeOf(body)
  const type = headerOf(headers, 'content-type') ?? 'nothing'
  if (!/^application\/problem\+json\b/i.test(type))
    return { about: 'content-type', message: `Expected ${TYPE}, got ${type}.` }
  if (problem.status !== status && (problem.status !== undefined || required.includes('status')))
    return otherStatus(status, problem.status)
  // The request id has a rule of its own.
  const missing = required.find((name) => name !== 'request_id' && !Object.hasOwn(problem, name))
  return missing ? { about: missing, message: `Expected a "${missing}", got none.` } : undefined
}

/** Whether the contract declares another body for this very error. */
function isOther({ view, response }: Exchange, { document }: Contract): boolean {
  const declared = view && document.follow(below(view.pointer, 'responses', String(response.status))).node
  const types = Object.keys(nodeOf(declared?.content))
  return types.length > 0 && !types.includes(TYPE)
}

interface Promised {
  readonly pointer: string
  readonly required: readonly string[]
}

const promises = new WeakMap<Contract, { readonly promised: Promised | undefined }>()

/** What the problem details of a contract have to hold; undefined where it has none. */
function promisedBy(contract: Contract): Promised | undefined {
  const known = promises.get(contract) ?? { promised: firstOf(contract) }
  promises.set(contract, known)
  return known.promised
}

function firstOf({ document, operations }: Contract): Promised | undefined {
  for (const { pointer, statuses } of operations) {
    for (const status of statuses) {
      const response = document.follow(below(pointer, 'responses', status))
      const schema = below(response.pointer, 'content', TYPE, 'schema')
      if (document.at(schema) === undefined) continue
      const place = document.follow(schema)
      return { pointer: place.pointer, required: [place.node.required ?? []].flat().map(String) }
    }
  }
  return undefined
}

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
  title: 'Every error is a problem details object whose `status` is the status of the response (RFC 9457).',
  advice: 'Send application/problem+json with `status` equal to the status, and a stable `code`.',
  judgeResponse: (exchange, contract) => {
    const { view, response, request } = exchange
    const declared = declaredProblem(contract)
    if (response.status < 400 || request.method === 'HEAD' || !declared || hasOtherBody(exchange, contract))
      return undefined
    const fault = faultIn(exchange, declared.required)
    return fault ? [{ operation: view?.id, contract: declared.pointer, ...fault }] : []
  },
}

interface Fault {
  readonly about: string
  readonly message: string
}

function faultIn(
  { response: { status, headers }, body }: Exchange,
  required: readonly string[],
): Fault | undefined {
  const problem = nodeOf(body)
  const type = headerOf(headers, 'content-type') ?? 'none'
  if (!/^application\/problem\+json\b/i.test(type))
    return { about: 'content-type', message: `Expected ${TYPE}, got ${type}.` }
  if (problem.status !== status && (problem.status !== undefined || required.includes('status')))
    return {
      about: 'status',
      message: `Expected "status" to be ${status}, got ${JSON.stringify(problem.status)}.`,
    }
  // The rule request-id judges `request_id`.
  const missing = required.find((name) => name !== 'request_id' && !Object.hasOwn(problem, name))
  return missing ? { about: missing, message: `Expected the field "${missing}", got none.` } : undefined
}

/** Whether the contract declares another body for this error. */
function hasOtherBody({ view, response }: Exchange, { document }: Contract): boolean {
  const declared = view && document.follow(below(view.pointer, 'responses', String(response.status))).node
  const types = Object.keys(nodeOf(declared?.content))
  return types.length > 0 && !types.includes(TYPE)
}

interface DeclaredProblem {
  readonly pointer: string
  readonly required: readonly string[]
}

const known = new WeakMap<Contract, { readonly declared: DeclaredProblem | undefined }>()

/** The required fields of the contract's problem details; undefined if it declares none. */
function declaredProblem(contract: Contract): DeclaredProblem | undefined {
  const found = known.get(contract) ?? { declared: firstOf(contract) }
  known.set(contract, found)
  return found.declared
}

function firstOf({ document, operations }: Contract): DeclaredProblem | undefined {
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

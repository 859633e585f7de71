import type { Finding } from '@partner-payments/validator'
import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Alias } from '../../model/contract.ts'
import { type Exchange, isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { UNREADABLE } from '../../transport/guard.ts'
import { isRead } from '../../transport/tracked-resources.ts'

export const aliasesServed: Rule = {
  id: 'aliases-served',
  phase: 'http',
  cites: { convention: 'aliases' },
  needsQuestion: true,
  title: 'Every alias of an operation is served, and responds as the operation does.',
  advice: 'Call the path of the operation where its alias is not served.',
  run: async (context) => {
    const aliases = context.contract.aliases.filter(({ of }) => canProbe(of) && context.isIncluded(of))
    await context.each(aliases, async (alias) => {
      const isServed = await expectServed(context, alias)
      // Nothing is paid or created just to see the response.
      if (isServed && alias.of.effect !== 'once') await expectSameShape(context, alias)
    })
  },
}

/** Whether a request exists that no service can execute, or that changes nothing. */
function canProbe(of: OperationView): boolean {
  return of.pathParameters.length === 0 && (of.isBodyRequired || isRead(of))
}

/** Compares the status of the alias with those of its operation and of a path that does not exist. */
async function expectServed(context: Context, { view, of }: Alias): Promise<boolean> {
  const full = await probe(context, of.path, of)
  const missing = await probe(context, view.path.replace(/[^/]+$/, 'no-such-path'), of)
  const exchange = await probe(context, view.path, of)
  const [expected, absent, got] = [full, missing, exchange].map(({ response }) => response.status)
  if (expected === absent || [expected, absent, got].some(isInconclusive)) {
    context.inconclusive(`got ${expected}, on a path that does not exist ${absent}, and ${got} on the alias`)
    return false
  }
  const isServed = got !== absent && got !== 405
  const message = isServed
    ? `Expected ${expected} on ${nameOf(view)} as on ${nameOf(of)}, got ${got}: its responses differ from its document.`
    : `Expected ${nameOf(view)} to be served, got ${got}: it is not served.`
  return context.expect(exchange, got === expected ? undefined : message, placeOf({ view, of }))
}

/** Sends a request that is harmless on every path: an unreadable body, or a read. */
function probe(context: Context, path: string, of: OperationView): Promise<Exchange> {
  const body = of.isBodyRequired ? UNREADABLE : undefined
  const headers = body === undefined ? {} : { 'content-type': of.bodyType }
  return context.send(
    path === of.path ? of : undefined,
    {},
    { raw: { method: of.method, path, body }, headers },
  )
}

/** Compares the bodies that both return for a request that the operation accepts. */
async function expectSameShape(context: Context, { view, of, validator }: Alias): Promise<void> {
  const full = await context.accepted(of.id)
  if (!full) return context.inconclusive()
  const { body } = full.input
  const exchange = await context.send(undefined, { body }, { raw: { method: of.method, path: view.path } })
  const known = new Set(findingsIn(full, of, context.contract.validator).map(placeOfFinding))
  const [own] = findingsIn(exchange, view, validator).filter((it) => !known.has(placeOfFinding(it)))
  const seen = isSuccess(exchange)
    ? own && `${own.pointer || 'the body'}: ${own.message}`
    : `got ${exchange.response.status}`
  const message = `Expected ${nameOf(view)} to respond as its document declares, ${seen}: its responses differ from its document.`
  context.expect(exchange, seen === undefined ? undefined : message, placeOf({ view, of }))
}

function findingsIn(
  { response, body }: Exchange,
  { operation }: OperationView,
  validator: Alias['validator'],
): Finding[] {
  return validator.validateResponse(operation, { status: response.status, headers: response.headers, body })
}

/** A finding at the same place of both responses is not a difference between them. */
function placeOfFinding({ pointer, keyword }: Finding): string {
  return `${pointer} ${keyword}`
}

function placeOf({ view, of }: Pick<Alias, 'view' | 'of'>) {
  return { operation: of.id, contract: of.pointer, about: view.path }
}

function nameOf({ method, path }: OperationView): string {
  return `${method} ${path}`
}

/** After no response, a timeout, a 429 or a 5xx, nobody knows whether the path exists. */
function isInconclusive(status = 0): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500
}

import type { Finding } from '@partner-payments/validator'
import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Alias } from '../../model/contract.ts'
import { withValueAt } from '../../model/document.ts'
import { type Exchange, isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { UNREADABLE } from '../../transport/guard.ts'
import { isRead, removalsOf } from '../../transport/tracked-resources.ts'

export const aliasesServed: Rule = {
  id: 'aliases-served',
  phase: 'http',
  cites: { convention: 'aliases' },
  title: 'Every alias of an operation is served, and responds as the operation does.',
  advice: 'Call the path of the operation where its alias is not served.',
  run: async (context) => {
    const aliases = context.contract.aliases.filter(({ of }) => canProbe(of) && context.isIncluded(of))
    await context.each(aliases, async (alias) => {
      const isServed = await expectServed(context, alias)
      // On a live service, nothing is paid or created just to see the response.
      const mayTakeEffect = context.target === 'sandbox' || alias.of.effect !== 'once'
      if (isServed && mayTakeEffect) await expectSameShape(context, alias)
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
async function expectSameShape(context: Context, alias: Alias): Promise<void> {
  const { view, of, validator } = alias
  const full = await context.accepted(of.id)
  const input = full && (await context.builder.refreshed(of, full.input, 'partner'))
  if (!input) return context.inconclusive()
  const body = declaredBody(alias, input.body)
  const exchange = await context.send(undefined, { body }, { raw: { method: of.method, path: view.path } })
  await remove(context, alias, exchange)
  // The second request of two may be refused for what the first one did.
  if (of.effect === 'once' && !isSuccess(exchange)) return context.inconclusive()
  const known = new Set(findingsIn(full, of, context.contract.validator).map(placeOfFinding))
  const [own] = findingsIn(exchange, view, validator).filter((it) => !known.has(placeOfFinding(it)))
  const seen = isSuccess(exchange)
    ? own && `${own.pointer || `the ${own.place}`}: ${own.message}`
    : `got ${exchange.response.status}`
  const message = `Expected ${nameOf(view)} to respond as its document declares, ${seen}: its responses differ from its document.`
  context.expect(exchange, seen === undefined ? undefined : message, placeOf({ view, of }))
}

/** The body without the fields that only the operation of the contract declares. */
function declaredBody({ view, validator }: Alias, body: unknown): unknown {
  const { bodyPointer } = view
  if (bodyPointer === undefined) return body
  const found = validator.validateValue(bodyPointer, body, { unknown: true })
  const unknown = found.filter(({ keyword }) => keyword === 'unknown')
  return unknown.reduce((it, { pointer }) => withValueAt(it, pointer, undefined), body)
}

/** Deletes the record that an alias created: cleanup does not know its path. */
async function remove(context: Context, { of }: Alias, exchange: Exchange): Promise<void> {
  const removal = removalsOf(context.contract).find(({ from }) => from === of.id)
  const input = removal && isSuccess(exchange) ? context.builder.inputFromLink(removal, exchange) : undefined
  if (removal && input) await context.send(context.contract.operation(removal.to), input)
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

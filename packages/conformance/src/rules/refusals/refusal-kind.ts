import type { Context } from '../../engine/context.ts'
import { parameterBreaks } from '../../generate/parameter-cases.ts'
import type { Json } from '../../generate/schema/index.ts'
import { nodeOf } from '../../model/document.ts'
import { type Exchange, type Input, isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { businessRefusals } from './refusal-rows.ts'

/** Invalid requests that are sent to learn how an operation refuses them. */
const PROBES = 3

/** Whether a refusal has the form of those of certainly invalid requests, and not that of a business rule. */
export async function isSchemaRefusal(context: Context, { exchange, valid }: Refused): Promise<boolean> {
  const { view } = exchange
  if (!view || isSuccess(exchange)) return false
  const form = formOf(exchange)
  const { schema, business } = await formsIn(context, view, valid)
  return schema.includes(form) && !business.includes(form)
}

/**
 * Whether a request is refused by a rule that the contract does not declare: with a code of its own, from a service that
 * otherwise uses the declared codes, and while the accepted request is still accepted.
 */
export async function isUndeclaredRule(context: Context, { exchange, valid }: Refused): Promise<boolean> {
  const { refusals } = context.behaviour
  const { view, response, body } = exchange
  const { code } = nodeOf(body)
  if (!view || !refusals || OTHER.has(response.status) || typeof code !== 'string') return false
  const isDeclared = (it: string) => Object.hasOwn(refusals, it)
  const { schema, business } = await formsIn(context, view, valid)
  const others = [...schema, ...business]
    .map((form) => form.slice(form.indexOf(' ') + 1))
    .filter((it) => it !== code)
  if (isDeclared(code) || others.length === 0 || !others.every(isDeclared)) return false
  const input = await context.builder.refreshed(view, valid, 'partner')
  const again = input && (await context.send(view, input))
  return again !== undefined && isSuccess(again)
}

interface Refused {
  readonly exchange: Exchange
  /** A request of the operation that was just accepted. */
  readonly valid: Input
}

interface Forms {
  readonly schema: readonly string[]
  readonly business: readonly string[]
}

function formsIn(context: Context, view: OperationView, valid: Input): Promise<Forms> {
  return context.learn(`refusals ${view.id}`, () => learn(context, view, valid))
}

async function learn(context: Context, view: OperationView, valid: Input): Promise<Forms> {
  const invalid: Exchange[] = []
  for (const input of invalidRequests(context, view, valid)) invalid.push(await context.send(view, input))
  const forbidden = await businessRefusals(context, view)
  return { schema: formsOf(invalid), business: formsOf(forbidden) }
}

/** Statuses that do not depend on the content of a request. */
const OTHER = new Set([401, 403, 404, 405, 408, 409, 413, 415, 429])

function formsOf(exchanges: readonly Exchange[]): string[] {
  return exchanges
    .filter(({ response: { status } }) => status >= 400 && status < 500 && !OTHER.has(status))
    .map(formOf)
}

/** A status and a code; without a code, the names of the fields stand for it. */
export function formOf({ response: { status }, body }: Exchange): string {
  const { code, type, error } = nodeOf(body)
  const named = [code, type, error].find(
    (it) => typeof it === 'string' && /^[\w.:/-]{1,80}$/.test(it) && it !== 'about:blank',
  )
  return `${status} ${named ?? Object.keys(nodeOf(body)).sort().join(' ')}`
}

/** Requests with a value of another type, which no schema of the operation allows. */
function invalidRequests({ schemas }: Context, view: OperationView, valid: Input): Input[] {
  const bodies = view.bodyPointer === undefined ? [] : schemas.breaks(view.bodyPointer, valid.body as Json)
  const queries = view.queryParameters.flatMap((parameter) =>
    parameterBreaks(schemas, parameter)
      .slice(0, 1)
      .map(({ value }) => ({ ...valid, query: { ...valid.query, [parameter.name]: value } })),
  )
  const typed = bodies.filter(({ change: { keyword } }) => keyword === 'type' || keyword === 'required')
  return [...typed.map(({ body }) => ({ ...valid, body })), ...queries].slice(0, PROBES)
}

import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Input } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { withBase } from '../valid-requests.ts'

export const unsupportedMediaType: Rule = {
  id: 'unsupported-media-type',
  phase: 'http',
  cites: { question: 'errors' },
  title: 'A body of another media type than the contract declares is answered 415.',
  advice: 'Answer 415 before reading the body.',
  run: (context) =>
    withBase(context, async (view, base) => {
      if (view.bodyPointer === undefined) return
      for (const type of sameAs(view)) {
        const input = await fresh(context, view, base)
        const named = await context.send(view, input, { headers: { 'content-type': type } })
        if (isSuccess(named)) context.passed()
        else if (named.response.status !== 415) context.inconclusive()
        else context.expect(named, `Expected ${type} to be accepted, got 415.`, { about: 'charset' })
      }
      await context.each(othersThan(context, view), async (type) => {
        const named = type === NONE ? { without: ['content-type'] } : { headers: { 'content-type': type } }
        const exchange = await context.send(view, base, named)
        const { status } = exchange.response
        context.expect(exchange, status === 415 ? undefined : `Expected 415 for ${type}, got ${status}.`, {
          about: String(status),
        })
      })
    }),
}

/** A parameter, a space and capitals do not make it another media type (RFC 9110, section 8.3.1). */
function sameAs({ bodyType }: OperationView): string[] {
  const type = bare(bodyType)
  return [`${type}; charset=utf-8`, `${type.replace(/^a|json$/g, (it) => it.toUpperCase())};charset="UTF-8"`]
}

function bare(type: string): string {
  return type.split(';', 1)[0]?.trim() ?? ''
}

/** The body is not called anything. */
const NONE = 'a body of no type'

const OTHERS = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'application/vnd.api+json',
]

/** Types that are none of the declared ones, where the contract says that they are refused. */
function othersThan(context: Context, { bodyTypes, statuses }: OperationView): string[] {
  const onlyIfAsked = context.contract.questions.has('errors')
  if (!onlyIfAsked && !statuses.includes('415')) return []
  const isTaken = (type: string) =>
    bodyTypes.some((it) => bare(it) === type || (it.endsWith('/*') && isIn(type, it)))
  const others = OTHERS.filter((type) => !isTaken(type))
  // A body that is not called anything may be looked at (RFC 9110, section 8.3).
  return onlyIfAsked ? [...others, NONE] : others
}

/** Whether a media type is of a range. */
function isIn(type: string, range: string): boolean {
  return range === '*/*' || type.startsWith(range.slice(0, -1))
}

async function fresh(context: Context, view: OperationView, base: Input): Promise<Input> {
  return (await context.builder.refreshed(view, base, 'partner')) ?? base
}

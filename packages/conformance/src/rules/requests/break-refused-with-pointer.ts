import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { parameterBreaks } from '../../generate/parameters.ts'
import type { Json } from '../../generate/schema/index.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange, Input } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { withBase } from '../valid-requests.ts'

export const breakRefusedWithPointer: Rule = {
  id: 'break-refused-with-pointer',
  phase: 'invalid requests',
  cites: { question: 'errors' },
  onlyIfAsked: true,
  title: 'A refusal for the form of a request names the member or the parameter that is wrong, in `errors`.',
  advice: 'Name the member by a JSON pointer in `errors`, the parameter by its name.',
  run: (context) =>
    withBase(context, async (view, base) => {
      await context.each([...bodies(context, view, base), ...queries(context, view, base)], async (it) => {
        const exchange = await context.send(view, it.input)
        if (exchange.response.status !== 400) return context.inconclusive()
        const named = namedIn(exchange)
        const message = `Expected "${it.name}" to be named in errors, got ${named.join(', ') || 'nothing'}.`
        context.expect(exchange, named.some(it.isNamed) ? undefined : message, { about: 'pointer' })
      })
    }),
}

interface Wrong {
  readonly input: Input
  readonly name: string
  readonly isNamed: (pointer: string) => boolean
}

/** One break of each member: what names a member for one keyword names it for the others. */
function bodies({ schemas }: Context, { bodyPointer }: OperationView, base: Input): Wrong[] {
  const breaks = bodyPointer === undefined ? [] : schemas.breaks(bodyPointer, base.body as Json)
  const byPointer = new Map(breaks.map((it) => [it.change.pointer, it]))
  byPointer.delete('')
  return [...byPointer].map(([name, { body }]) => ({
    input: { ...base, body },
    name,
    // The member, what is around it, or what is inside of it; not the whole body.
    isNamed: (it) => it === name || (it !== '' && name.startsWith(`${it}/`)) || it.startsWith(`${name}/`),
  }))
}

function queries(context: Context, { queryParameters }: OperationView, base: Input): Wrong[] {
  return queryParameters.flatMap((parameter) => {
    const { name } = parameter
    const [first] = parameterBreaks(context.schemas, parameter)
    if (!first) return []
    const input = { ...base, query: { ...base.query, [name]: first.value } }
    return [{ input, name, isNamed: (it: string) => it.split(/[/.]/).at(-1) === name }]
  })
}

function namedIn({ body }: Exchange): string[] {
  return Object.values(nodeOf(nodeOf(body).errors)).map((it) => String(nodeOf(it).pointer))
}

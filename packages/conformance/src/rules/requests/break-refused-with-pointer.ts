import type { Scene } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import { parameterBreaks } from '../../generate/parameters.ts'
import type { Json } from '../../generate/schema/index.ts'
import { nodeOf } from '../../model/document.ts'
import type { OperationView } from '../../model/operation-view.ts'
import type { Exchange, Input } from '../../transport/exchange.ts'
import { withBase } from '../valid-requests.ts'

export const breakRefusedWithPointer: Law = {
  id: 'break-refused-with-pointer',
  phase: 'twins',
  question: 'errors',
  isOurs: true,
  title: 'A refusal for the form of a request names the member or the parameter that is wrong, in `errors`.',
  advice: 'Name the member by a JSON pointer in `errors`, the parameter by its name.',
  run: (scene) =>
    withBase(scene, async (view, base) => {
      await scene.each([...bodies(scene, view, base), ...queries(scene, view, base)], async (it) => {
        const exchange = await scene.send(view, it.input)
        if (exchange.reply.status !== 400) return scene.masked()
        const named = namedIn(exchange)
        const message = `Expected "${it.name}" to be named in errors, got ${named.join(', ') || 'nothing'}.`
        scene.expect(exchange, named.some(it.isNamed) ? undefined : message, { about: 'pointer' })
      })
    }),
}

interface Wrong {
  readonly input: Input
  readonly name: string
  readonly isNamed: (pointer: string) => boolean
}

/** One break of each member: what names a member for one keyword names it for the others. */
function bodies({ schemas }: Scene, { bodyPointer }: OperationView, base: Input): Wrong[] {
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

function queries(scene: Scene, { queryParameters }: OperationView, base: Input): Wrong[] {
  return queryParameters.flatMap((parameter) => {
    const { name } = parameter
    const [first] = parameterBreaks(scene, parameter)
    if (!first) return []
    const input = { ...base, query: { ...base.query, [name]: first.value } }
    return [{ input, name, isNamed: (it: string) => it.split(/[/.]/).at(-1) === name }]
  })
}

function namedIn({ body }: Exchange): string[] {
  return Object.values(nodeOf(nodeOf(body).errors)).map((it) => String(nodeOf(it).pointer))
}

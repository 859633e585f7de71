import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
import type { Exchange } from '../run/exchange.ts'
import { doStep, withRecords } from '../run/records.ts'
import { resourcesOf } from '../run/resources.ts'
import { isSuccess } from '../run/scene.ts'

export const echoEqualsRequest: Law = {
  id: 'echo-equals-request',
  phase: 'lifecycles',
  title: 'A member that a request gives and an answer shows has the same value in both.',
  advice: 'Show what was given, unchanged.',
  stateful: true,
  run: async (scene) => {
    await withRecords(scene, resourcesOf(scene.contract), async ({ read }, created) => {
      scene.expect(created, departure(created.input.body, created.body))
      if (!read) return
      const shown = await doStep(scene, read, created)
      if (isSuccess(shown)) scene.expect(shown, departure(created.input.body, shown.body))
    })
    const views = scene.contract.operations.filter((it) => it.effect !== undefined && it.examples.length > 0)
    const cases = views
      .filter((it) => scene.isAsked(it))
      .flatMap((view) => [...view.examples.keys()].map((example) => ({ view, example })))
    await scene.each(cases, async ({ view, example }) => {
      const exchange = await scene.accepted(view.id, { example, set: textsOf(view.examples[example]) })
      if (exchange) scene.expect(exchange, echoed(exchange))
      else scene.masked()
    })
  },
}

/** Members of free text, to be set to one that more than ASCII is needed for. */
function textsOf(example: unknown): Record<string, string> {
  const names = ['message', 'description'].filter((name) => typeof nodeOf(example)[name] === 'string')
  return Object.fromEntries(names.map((name) => [`/${name}`, 'Olá, São João']))
}

function echoed({ input, body }: Exchange): string | undefined {
  const { data } = nodeOf(body)
  return departure(input.body, body) ?? departure(without(input.body, 'type'), data)
}

/** `type` of a transfer says how it is told, and is no member of what is shown. */
function without(value: unknown, name: string): unknown {
  const { [name]: _, ...rest } = nodeOf(value)
  return rest
}

/** The first member that both have and that differs; objects are compared by the members of the request. */
function departure(given: unknown, shown: unknown, path = ''): string | undefined {
  for (const [name, value] of Object.entries(nodeOf(given))) {
    const other = nodeOf(shown)[name]
    if (!Object.hasOwn(nodeOf(shown), name) || isSame(value, other)) continue
    if (typeof value === 'object' && value !== null && typeof other === 'object' && other !== null) {
      const deeper = departure(value, other, `${path}/${name}`)
      if (deeper) return deeper
    } else if (typeof value === typeof other)
      return `Expected "${path}/${name}" as it was given, got another value.`
  }
  return undefined
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

import { nodeOf, valueAt } from './document.ts'
import type { Exchange, Input, Who } from './exchange.ts'
import { evaluated } from './maker.ts'
import { operationsOf, type Resource, type Step } from './resources.ts'
import type { Scene } from './scene.ts'

/** The input of a step on a record that was made. */
export function inputOn(step: Step, created: Exchange, body?: unknown): Input {
  const path = Object.entries(step.link.parameters).map(([name, it]) => [
    name,
    String(evaluated(it, created)),
  ])
  return { path: Object.fromEntries(path), body }
}

/** What a path parameter of a step is, on a record that was made. */
function idOf(step: Step, created: Exchange): string {
  return Object.values(inputOn(step, created).path ?? {})[0] ?? ''
}

/** Tells a record that was made from the other items of a list, by the member that its id comes from. */
export function isOf(step: Step, created: Exchange): (item: unknown) => boolean {
  const id = idOf(step, created)
  const named = idIn(step)
  return (item) => (named ? String(named(item)) === id : Object.values(nodeOf(item)).map(String).includes(id))
}

/**
 * What the id of an item of a list is, by the member that the id of a record comes from; the creation may have an
 * envelope around it that items have not. Undefined where it comes from no body.
 */
export function idIn(step: Step): ((item: unknown) => unknown) | undefined {
  const [expression] = Object.values(step.link.parameters)
  const [, pointer] = /^\$response\.body#(.*)$/.exec(String(expression)) ?? []
  if (pointer === undefined) return undefined
  const last = pointer.slice(pointer.lastIndexOf('/'))
  return (item) => valueAt(item, pointer) ?? valueAt(item, last)
}

/** A step that leads to a record, whatever it does there: its link says what the id is. */
export function anyStep({ read, update, cancel, remove, act }: Resource): Step | undefined {
  return read ?? cancel ?? remove ?? update ?? act
}

/** Does a step on a record. */
export function doStep(
  scene: Scene,
  step: Step,
  created: Exchange,
  options: { body?: unknown; who?: Who } = {},
): Promise<Exchange> {
  return scene.send(step.view, inputOn(step, created, options.body), { who: options.who ?? 'partner' })
}

/** Makes a record for each resource that has what is asked for, and hands it on; counts those that could not be made. */
export async function withRecords(
  scene: Scene,
  resources: readonly Resource[],
  work: (resource: Resource, created: Exchange) => Promise<void>,
): Promise<void> {
  await scene.each(
    resources.filter((it) => operationsOf(it).some(scene.isAsked) && scene.may(it.create)),
    async (resource) => {
      const created = await scene.accepted(resource.create.id)
      if (created) await work(resource, created)
      else scene.masked()
    },
  )
}

/** The one array that an answer of a list holds. */
export function listIn(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body
  return Object.values(nodeOf(body)).find((it) => Array.isArray(it)) ?? []
}

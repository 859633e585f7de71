import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { kindsOfTexts, outermost } from '../../generate/free-texts.ts'
import { EXAMPLE, type Json } from '../../generate/schema/index.ts'
import { nodeOf, valueAt } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { isSameMoment, momentsIn } from '../../model/instants.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { type Resource, resourcesOf } from '../../model/resources.ts'
import { doStep, withRecords } from '../records/records.ts'
import { unusualOf } from '../records/unusual-values.ts'
import { branchesOf } from '../valid-requests.ts'

export const echoEqualsRequest: Rule = {
  id: 'echo-equals-request',
  phase: 'records',
  cites: 'contract',
  title: 'A member that a request gives and an answer shows has the same value in both.',
  advice: 'Show what was given, unchanged.',
  stateful: true,
  run: async (context) => {
    await withRecords(context, resourcesOf(context.contract), async (resource, created) => {
      const { read } = resource
      const { document } = context.contract
      const moments = momentsIn(document, resource.create.bodyPointer, created.input.body)
      context.expect(created, departure(created.input.body, created.body, { moments }))
      await tryKinds(context, resource, created)
      if (!read) return
      const shown = await doStep(context, read, created)
      if (isSuccess(shown)) context.expect(shown, departure(created.input.body, shown.body, { moments }))
    })
    const views = context.contract.operations.filter(
      (it) => it.effect !== undefined && it.examples.length > 0,
    )
    const cases = views
      .filter((it) => context.isAsked(it))
      .flatMap((view) => [...view.examples.keys()].map((example) => ({ view, example })))
    await context.each(cases, async ({ view, example }) => {
      const exchange = await context.accepted(view.id, {
        example,
        set: textsOf(membersOf(context, view, example)),
      })
      if (exchange) context.expect(exchange, echoed(context, exchange))
      else context.inconclusive()
    })
    const alike = views.filter((it) => context.isAsked(it) && context.may(it))
    await context.each(
      alike.flatMap((view) => uncommonOf(context, view)),
      async ({ view, example, sets }) => {
        const exchange = await firstAccepted(context, view, { example, sets })
        if (exchange) context.expect(exchange, echoed(context, exchange))
        else context.inconclusive()
      },
    )
  },
}

interface Uncommon {
  readonly example: number
  /** Members to be set; where a rule of the business refuses the first of them, the next. */
  readonly sets: readonly Readonly<Record<string, unknown>>[]
}

/** Texts of every kind, and the values that the schemas show, in one example of each kind of body. */
function uncommonOf({ schemas }: Context, view: OperationView): (Uncommon & { view: OperationView })[] {
  const pointer = view.bodyPointer
  if (pointer === undefined) return []
  return branchesOf(view).flatMap((example) => {
    const asked = { pointer, body: view.examples[example] as Json }
    const kinds = kindsOfTexts(schemas, asked).map((texts) => [texts, outermost(texts)])
    const shown = schemas.boundaries(pointer, asked.body).flatMap(({ body, change }) => {
      const value = valueAt(body, change.pointer)
      return change.note === EXAMPLE && typeof value === 'string' ? [[{ [change.pointer]: value }]] : []
    })
    const unusual = unusualOf(asked.body).map((it) => [it])
    return [...kinds, ...shown, ...unusual].map((sets) => ({ view, example, sets }))
  })
}

async function firstAccepted(
  context: Context,
  { id }: OperationView,
  { example, sets }: Uncommon,
): Promise<Exchange | undefined> {
  for (const set of sets) {
    const exchange = Object.keys(set).length > 0 ? await context.accepted(id, { example, set }) : undefined
    if (exchange) return exchange
  }
  return undefined
}

const INFOS = [
  { name: 'Pedido', value: '1' },
  { name: 'Loja', value: '2' },
]

/** Members of free text, to be set to one that more than ASCII is needed for. */
function textsOf(members: ReadonlySet<string>): Record<string, unknown> {
  const names = ['message', 'description'].filter((name) => members.has(name))
  const texts = Object.fromEntries(names.map((name) => [`/${name}`, 'Olá, São João']))
  // Two pairs, whose order counts.
  return members.has('additional_infos') ? { ...texts, '/additional_infos': INFOS } : texts
}

/** The members that an example shows, or that its schema has outright. */
function membersOf(
  { contract }: Context,
  { bodyPointer, examples }: OperationView,
  example: number,
): Set<string> {
  const schema = bodyPointer === undefined ? {} : contract.document.follow(bodyPointer).node
  return new Set([...Object.keys(nodeOf(examples[example])), ...Object.keys(nodeOf(schema.properties))])
}

function echoed({ contract: { document } }: Context, { input, body, view }: Exchange): string | undefined {
  const { data } = nodeOf(body)
  const moments = momentsIn(document, view?.bodyPointer, input.body)
  return departure(input.body, body, { moments }) ?? departure(without(input.body, 'type'), data, { moments })
}

/** `type` of a transfer says how it is told, and is no member of what is shown. */
function without(value: unknown, name: string): unknown {
  const { [name]: _, ...rest } = nodeOf(value)
  return rest
}

interface Compared {
  /** Texts that are moments, and may be written otherwise. */
  readonly moments: ReadonlySet<unknown>
  readonly path?: string
}

/** The first member that both have and that differs; objects are compared by the members of the request. */
function departure(given: unknown, shown: unknown, { moments, path = '' }: Compared): string | undefined {
  for (const [name, value] of Object.entries(nodeOf(given))) {
    const other = nodeOf(shown)[name]
    const isShown = Object.hasOwn(nodeOf(shown), name)
    // Of an object that is shown, every member that was given is; of the whole, each operation shows its own.
    if (!isShown && path !== '') return `Expected "${path}/${name}" as it was given, and it is gone.`
    const isMoment = moments.has(value) && isSameMoment(value, other)
    if (!isShown || isMoment || isDeepStrictEqual(value, other)) continue
    if (typeof value === 'object' && value !== null && typeof other === 'object' && other !== null) {
      const deeper = departure(value, other, { moments, path: `${path}/${name}` })
      if (deeper) return deeper
    } else if (typeof value === typeof other)
      return `Expected "${path}/${name}" as it was given, got another value.`
  }
  return undefined
}

/** One record of each value that an enumeration of the request has, and of values that are easily lost. */
async function tryKinds(context: Context, { create, read }: Resource, created: Exchange): Promise<void> {
  if (!read || create.bodyPointer === undefined) return
  const kinds = context.schemas.boundaries(create.bodyPointer, created.input.body as Json)
  const unusual = unusualOf(created.input.body).map((it) => context.builder.withMembers(created.input, it))
  const bodies = [...kinds.filter(({ change }) => change.keyword === 'enum'), ...unusual]
  for (const { body } of bodies) {
    const other = await context.accepted(create.id, { input: { ...created.input, body } })
    const shown = other && (await doStep(context, read, other))
    const moments = momentsIn(context.contract.document, create.bodyPointer, body)
    if (shown && isSuccess(shown)) context.expect(shown, departure(body, shown.body, { moments }))
  }
}

import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Contract } from '../../model/contract.ts'
import { below, nodeOf, valueAt } from '../../model/document.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { resourcesOf } from '../../model/resources.ts'

export const defaultsKept: Rule = {
  id: 'defaults-kept',
  phase: 'records',
  cites: { question: 'bounds' },
  stateful: true,
  title: 'A member that a creation leaves out has the default that the contract says, and is shown so.',
  advice: 'Fill in the default of the schema, or correct the schema.',
  run: (context) => {
    const views = resourcesOf(context.contract).map(({ create }) => create)
    return context.each(
      views.filter((it) => context.isAsked(it) && context.may(it)),
      async (view) => {
        for (const it of defaultsOf(context.contract, view)) await tryDefault(context, view, it)
      },
    )
  },
}

interface Default {
  /** Where the member is in a body. */
  readonly at: string
  readonly value: unknown
  readonly question: string | undefined
}

/** The defaults of a request, at any depth outside of arrays. */
function defaultsOf({ document }: Contract, { bodyPointer }: OperationView): Default[] {
  const found: Default[] = []
  const visit = (pointer: string, at: string, depth: number): void => {
    const place = document.follow(pointer)
    if (place.node.default !== undefined && at !== '')
      found.push({ at, value: place.node.default, question: questionOf(place.node) })
    for (const name of depth > 0 ? Object.keys(nodeOf(place.node.properties)) : [])
      visit(below(place.pointer, 'properties', name), `${at}/${name}`, depth - 1)
  }
  if (bodyPointer !== undefined) visit(bodyPointer, '', DEPTH)
  return found
}

const DEPTH = 3

function questionOf(schema: Readonly<Record<string, unknown>>): string | undefined {
  const question = nodeOf(schema['x-open-question']).default
  return typeof question === 'string' ? question : undefined
}

async function tryDefault(
  context: Context,
  view: OperationView,
  { at, value, question }: Default,
): Promise<void> {
  const created = await context.accepted(view.id, { set: { [at]: undefined } })
  if (!created) return context.inconclusive()
  const shown = valueAt(created.body, at)
  if (shown === undefined) return
  const message = `Expected "${at}" to be ${value} where it was left out, got ${shown}.`
  context.expect(created, shown === value ? undefined : message, { about: at, question })
}

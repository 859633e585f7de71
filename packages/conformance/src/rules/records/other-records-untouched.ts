import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { type Resource, resourcesOf, type Step } from '../../model/resources.ts'
import { MAY_BE_MADE, mayBeMade } from './absence.ts'
import { isSameBut, movingIn } from './observed.ts'
import { isPaged } from './pages.ts'
import { bodyOf, doStep, inputOn, isOf, listIn } from './records.ts'

/** Records that a page has to hold: those of this rule, made just now. */
const NEWEST = 5

export const otherRecordsUntouched: Rule = {
  id: 'other-records-untouched',
  phase: 'lists',
  cites: 'contract',
  stateful: true,
  impact: 'high',
  title: 'What is done to a record leaves the others as they are.',
  advice: 'Name the record in what is written, by its id and the kind that the path means.',
  run: async (context) => {
    const resources = resourcesOf(context.contract).filter(
      (it) => context.isAsked(it.create) && context.may(it.create),
    )
    await context.each(resources, (resource) => tryNeighbours(context, resource))
    for (const resource of resources)
      for (const other of resources) if (other !== resource) await tryOtherKind(context, resource, other)
  },
}

/** Acts on the middle one of three records, and looks at the other two. */
async function tryNeighbours(context: Context, resource: Resource): Promise<void> {
  const made: Exchange[] = []
  for (let i = 0; i < 3; i++) {
    const created = await context.accepted(resource.create.id)
    if (created) made.push(created)
  }
  const [first, middle, last] = made
  if (!first || !middle || !last) return context.inconclusive()
  const others = () => Promise.all([first, last].map((it) => shownOf(context, resource, it)))
  const earlier = await others()
  let before = await others()
  const moving = before.flatMap((it, i) => movingIn(earlier[i], it))
  isThere(context, last, before[0])
  for (const { step, body } of changesOf(resource)) {
    const done = await doStep(context, step, middle, { body })
    const after = await others()
    if (before.includes(undefined) || !isSuccess(done)) return context.inconclusive()
    const message = 'Expected the other records as they were, and one of them is not.'
    context.expect(done, before.every((it, i) => isSameBut(moving, it, after[i])) ? undefined : message)
    before = after
  }
}

function isThere(context: Context, created: Exchange, shown: unknown): void {
  const message = 'Expected the record that was created before to be there still, and it is not.'
  context.expect(created, shown === undefined ? message : undefined, { about: 'created' })
}

/** Does what is for one kind of record with the id of another. */
async function tryOtherKind(context: Context, resource: Resource, other: Resource): Promise<void> {
  const created = await context.accepted(other.create.id)
  if (!created) return context.inconclusive()
  const earlier = await shownOf(context, other, created)
  const before = await shownOf(context, other, created)
  const moving = movingIn(earlier, before)
  for (const step of stepsOf(resource)) {
    // Ids that are counted for each table lead to a record of its own, which is not ours to change.
    if (await leadsElsewhere(context, resource, { step, created, before, moving })) {
      context.inconclusive(IN_BOTH)
      continue
    }
    const done = await doStep(context, step, created, { body: bodyOf(step) })
    const isKept = isSameBut(moving, await shownOf(context, other, created), before)
    const message = `Expected what ${other.create.id} made to be none of its records, and it is.`
    if (isKept && mayBeMade(context.contract, done)) context.inconclusive(MAY_BE_MADE)
    else context.expect(done, isKept && !isSuccess(done) ? undefined : message, { about: other.create.id })
  }
}

/** Why what is for one kind of record is not done with the id of another. */
const IN_BOTH = 'its id may be that of a record of the other kind too'

interface Crossed {
  readonly step: Step
  readonly created: Exchange
  /** The record that was created, as it is shown. */
  readonly before: unknown
  readonly moving: readonly string[]
}

/** Whether the id of a record is, or may be, that of another record of the other kind. */
async function leadsElsewhere(
  context: Context,
  { read }: Resource,
  { step, created, before, moving }: Crossed,
): Promise<boolean> {
  const ids = Object.values(inputOn(step, created).path ?? {})
  if (!read) return ids.some((id) => /^\d+$/.test(id))
  const shown = await doStep(context, read, created)
  return isSuccess(shown) && !isSameBut(moving, shown.body, before)
}

/** A record as it is read, or listed where it cannot be read: of the newest, on the first page. */
async function shownOf(
  context: Context,
  { read, list, cancel }: Resource,
  created: Exchange,
): Promise<unknown> {
  if (read) {
    const shown = await doStep(context, read, created)
    // What is no JSON, as a picture, is there all the same.
    return isSuccess(shown) ? (shown.body ?? shown.response.text) : undefined
  }
  const query = list && isPaged(list) ? { limit: String(NEWEST) } : {}
  const page = list && cancel && (await context.send(list, { query }))
  return page && cancel && listIn(page.body).find(isOf(cancel, created))
}

/** What changes a record, with each of its examples, so that it sets another value once at least; what ends it last. */
function changesOf(resource: Resource): { step: Step; body: unknown }[] {
  return stepsOf(resource).flatMap((step) => {
    const bodies = step.view.bodyPointer === undefined ? [undefined] : step.view.examples
    return bodies.map((body) => ({ step, body }))
  })
}

function stepsOf({ update, act, cancel, remove }: Resource): Step[] {
  return [update, act, cancel, remove].filter((it) => it !== undefined)
}

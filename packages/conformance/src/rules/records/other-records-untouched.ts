import { isSuccess, type Scene } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import { type Resource, resourcesOf, type Step } from '../../model/resources.ts'
import type { Exchange } from '../../transport/exchange.ts'
import { MAY_BE_MADE, mayBeMade } from './absence.ts'
import { isSameBut, movingIn } from './observed.ts'
import { isPaged } from './pages.ts'
import { bodyOf, doStep, inputOn, isOf, listIn } from './records.ts'

/** Records that a page has to hold: those of this law, made just now. */
const NEWEST = 5

export const otherRecordsUntouched: Law = {
  id: 'other-records-untouched',
  phase: 'data',
  stateful: true,
  atStake: true,
  title: 'What is done to a record leaves the others as they are.',
  advice: 'Name the record in what is written, by its id and the kind that the path means.',
  run: async (scene) => {
    const resources = resourcesOf(scene.contract).filter(
      (it) => scene.isAsked(it.create) && scene.may(it.create),
    )
    await scene.each(resources, (resource) => tryNeighbours(scene, resource))
    for (const resource of resources)
      for (const other of resources) if (other !== resource) await tryOtherKind(scene, resource, other)
  },
}

/** Acts on the middle one of three records, and looks at the other two. */
async function tryNeighbours(scene: Scene, resource: Resource): Promise<void> {
  const made: Exchange[] = []
  for (let i = 0; i < 3; i++) {
    const created = await scene.accepted(resource.create.id)
    if (created) made.push(created)
  }
  const [first, middle, last] = made
  if (!first || !middle || !last) return scene.masked()
  const others = () => Promise.all([first, last].map((it) => shownOf(scene, resource, it)))
  const earlier = await others()
  let before = await others()
  const moving = before.flatMap((it, i) => movingIn(earlier[i], it))
  isThere(scene, last, before[0])
  for (const { step, body } of changesOf(resource)) {
    const done = await doStep(scene, step, middle, { body })
    const after = await others()
    if (before.includes(undefined) || !isSuccess(done)) return scene.masked()
    const message = 'Expected the other records as they were, and one of them is not.'
    scene.expect(done, before.every((it, i) => isSameBut(moving, it, after[i])) ? undefined : message)
    before = after
  }
}

function isThere(scene: Scene, created: Exchange, shown: unknown): void {
  const message = 'Expected the record that was created before to be there still, and it is not.'
  scene.expect(created, shown === undefined ? message : undefined, { about: 'created' })
}

/** Does what is for one kind of record with the id of another. */
async function tryOtherKind(scene: Scene, resource: Resource, other: Resource): Promise<void> {
  const created = await scene.accepted(other.create.id)
  if (!created) return scene.masked()
  const earlier = await shownOf(scene, other, created)
  const before = await shownOf(scene, other, created)
  const moving = movingIn(earlier, before)
  for (const step of stepsOf(resource)) {
    // Ids that are counted for each table lead to a record of its own, which is not ours to change.
    if (await leadsElsewhere(scene, resource, { step, created, before, moving })) {
      scene.masked(IN_BOTH)
      continue
    }
    const done = await doStep(scene, step, created, { body: bodyOf(step) })
    const isKept = isSameBut(moving, await shownOf(scene, other, created), before)
    const message = `Expected what ${other.create.id} made to be none of its records, and it is.`
    if (isKept && mayBeMade(scene.contract, done)) scene.masked(MAY_BE_MADE)
    else scene.expect(done, isKept && !isSuccess(done) ? undefined : message, { about: other.create.id })
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
  scene: Scene,
  { read }: Resource,
  { step, created, before, moving }: Crossed,
): Promise<boolean> {
  const ids = Object.values(inputOn(step, created).path ?? {})
  if (!read) return ids.some((id) => /^\d+$/.test(id))
  const shown = await doStep(scene, read, created)
  return isSuccess(shown) && !isSameBut(moving, shown.body, before)
}

/** A record as it is read, or listed where it cannot be read: of the newest, on the first page. */
async function shownOf(scene: Scene, { read, list, cancel }: Resource, created: Exchange): Promise<unknown> {
  if (read) {
    const shown = await doStep(scene, read, created)
    return isSuccess(shown) ? shown.body : undefined
  }
  const query = list && isPaged(list) ? { limit: String(NEWEST) } : {}
  const page = list && cancel && (await scene.send(list, { query }))
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

import type { Context } from '../../engine/context.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { Resource } from '../../model/resources.ts'
import { anyStep, bodyOf, canStep, createdId, doStep, sendable } from '../common/record-steps.ts'

/** Records that are created one after the other: five would be in order by chance in one of 120 runs. */
export const IN_TURN = 8
/** Most records that are created to fill more than a page. */
const MOST = 60

interface Filled {
  /** Records that were created one after the other. */
  readonly ids: readonly string[]
  /** The id of the record that was changed after all were created. */
  readonly changed?: string | undefined
}

export const NONE: Filled = { ids: [] }

/**
 * Makes a list longer than a page, and changes an early record. On a live service, where records may be permanent, it
 * creates few.
 */
export async function fill(context: Context, resource: Resource, wanted: number): Promise<Filled> {
  const { create } = resource
  const step = anyStep(resource)
  if (!step || !context.canSend(create)) return NONE
  const more = context.target === 'live' || wanted > MOST ? 0 : Math.max(0, wanted - IN_TURN)
  await context.each([...Array(more).keys()], async () => void (await context.accepted(create.id)))
  const created: Exchange[] = []
  for (let i = 0; i < IN_TURN; i++) {
    const exchange = await context.accepted(create.id)
    if (exchange) created.push(exchange)
  }
  const [, early] = created
  if (early) await changeRecord(context, resource, early)
  return { ids: created.map((it) => createdId(step, it)), changed: early && createdId(step, early) }
}

/** Updates or cancels a record. A list that is ordered by the last change then shows it out of turn. */
async function changeRecord(context: Context, resource: Resource, created: Exchange): Promise<void> {
  const { update, cancel } = sendable(context, resource)
  const step = update ?? cancel
  if (step && canStep(step, created)) await doStep(context, step, created, { body: bodyOf(context, step) })
}

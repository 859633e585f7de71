import type { Resource as Declared } from '@partner-payments/spec/behaviour'
import type { Context } from '../../engine/context.ts'
import type { OperationView } from '../../model/operation-view.ts'
import type { Resource } from '../../model/resources.ts'
import { createdBy } from '../common/declared-resources.ts'
import { citedTimes, timeIn } from '../common/record-times.ts'
import { keyFor, type Walk, walkList } from './walk.ts'

/** Two reads show the same times of creation. */
export async function expectSameTimes(
  context: Context,
  list: OperationView,
  resource: Resource | undefined,
): Promise<void> {
  const declared = resource && createdBy(context, resource.create.id)
  const first = await walkList(context, list, { most: 1 })
  // Times are compared to the millisecond, so a service that shows the current time shows another one after two.
  await context.pause(2)
  const second = first && (await walkList(context, list, { most: 1 }))
  if (!second) return
  const timesIn = creationTimes(keyFor(context, list), declared)
  const before = timesIn(first)
  const known = [...timesIn(second)].filter(
    ([key, time]) => time !== undefined && before.get(key) !== undefined,
  )
  if (known.length === 0) return
  const isMoved = known.some(([key, time]) => time !== before.get(key))
  const message = `${list.id} shows another time of creation with each read; expected it to stay.`
  context.expect(second.first, isMoved ? message : undefined, { about: 'created', ...citedTimes(declared) })
}

/** Returns a function that reads the times of creation by record, and that of the object around the records as `''`. */
function creationTimes(keyOf: (item: unknown) => string, declared: Declared | undefined) {
  return ({ first, items }: Walk) =>
    new Map([
      ['', timeIn(first.body, undefined, 'created')],
      ...items.map((it) => [keyOf(it), timeIn(it, declared, 'created')] as const),
    ])
}

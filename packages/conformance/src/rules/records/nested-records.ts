import type { Context } from '../../engine/context.ts'
import { nodeOf } from '../../model/document.ts'
import { type Exchange, isSuccess } from '../../model/exchange.ts'
import type { Resource } from '../../model/resources.ts'
import { inputOn } from '../common/record-steps.ts'
import { wholeList } from '../lists/walk.ts'
import { createdRecordIn } from './observe.ts'

/** A path is hierarchical, and the id of the outer record is a part of it. */
const OF_ITS_PATH = { cites: { standard: 'RFC 3986, section 3.3' } }

/**
 * A record that shows the id of the record it was created below is shown and listed below that one alone. `one` and
 * `other` were created below different records.
 */
export async function expectNested(
  context: Context,
  { list, read }: Resource,
  [one, other]: readonly [Exchange, Exchange],
): Promise<void> {
  const outer = one.input.path ?? {}
  const names = Object.keys(outer).filter((name) => nodeOf(one.body)[name] === outer[name])
  if (names.length === 0 || other.input.path === undefined) return
  const isOutside = (record: unknown) =>
    names.some((name) => (nodeOf(record)[name] ?? outer[name]) !== outer[name])
  const walk = list && (await wholeList(context, list, { path: outer }))
  if (walk) {
    const message = `${list.id} shows a record with another ${names.join(', ')} than its path has.`
    context.expect(walk.first, walk.items.some(isOutside) ? message : undefined, {
      about: 'below',
      ...OF_ITS_PATH,
    })
  }
  if (!read) return
  const input = inputOn(read, other)
  const mixed = await context.send(read.view, { ...input, path: { ...input.path, ...outer } })
  const isShown = isSuccess(mixed) && isOutside(createdRecordIn(mixed, read, other))
  const message = `${read.view.id} shows a record below another record than its own.`
  context.expect(mixed, isShown ? message : undefined, { about: 'below', ...OF_ITS_PATH })
}

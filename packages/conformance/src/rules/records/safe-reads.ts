import type { Context } from '../../engine/context.ts'
import { type Exchange, isSuccess } from '../../model/exchange.ts'
import type { Resource } from '../../model/resources.ts'
import { createdBy } from '../common/declared-resources.ts'
import { doStep } from '../common/record-steps.ts'
import { timeIn } from '../common/record-times.ts'
import { changedFields } from './differences.ts'
import { createdRecordIn } from './observe.ts'

/** Reads in a row: an asynchronous change of the record happens between two of them at most. */
const READS = 4

/** A read is safe: it does not count as a change of the record (RFC 9110, section 9.2.1). */
export async function expectSafeReads(
  context: Context,
  { create, read }: Resource,
  created: Exchange,
): Promise<void> {
  if (!read) return
  const reads: Exchange[] = []
  for (let i = 0; i < READS; i++) {
    reads.push(await doStep(context, read, created))
    // Times are compared to the millisecond, so a service that shows the current time shows another one after two.
    await context.pause(2)
  }
  const [first, ...later] = reads
  if (!first || !reads.every(isSuccess)) return
  const records = reads.map((it) => createdRecordIn(it, read, created))
  const times = records.map((it) => timeIn(it, createdBy(context, create.id), 'updated'))
  const isMoved = times.every((it, i) => it !== undefined && (i === 0 || it > (times[i - 1] ?? 0)))
  const isAlone = later.every((_, i) => changedFields(records[i], records[i + 1]).length === 1)
  const message = `${read.view.id} moves the time of the last change with each read; expected it to stay.`
  if (times[0] !== undefined)
    context.expect(first, isMoved && isAlone ? message : undefined, {
      about: 'safe',
      cites: { standard: 'RFC 9110, section 9.2.1' },
    })
}

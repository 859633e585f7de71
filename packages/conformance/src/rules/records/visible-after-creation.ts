import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { type Resource, resourcesOf, type Step } from '../../model/resources.ts'
import { isCreatedElsewhen } from './created-at.ts'
import { differingMember } from './differing-member.ts'
import { type Seen, seen } from './observed.ts'
import { doStep, isOf, withRecords } from './records.ts'

export const visibleAfterCreation: Rule = {
  id: 'visible-after-creation',
  phase: 'records',
  cites: 'contract',
  isTraffic: true,
  stateful: true,
  title: 'What was created can be read at once, as the record that it is, beside others that are read.',
  advice:
    'Answer a creation when the record is there, not before, and keep nothing of a request outside of it.',
  run: (context) =>
    withRecords(context, resourcesOf(context.contract), async (resource, created) => {
      const { read } = resource
      if (!read) return
      const { exchange: shown, moving } = await seen(context, read, created)
      context.expect(
        shown,
        isSuccess(shown) ? undefined : `Expected the record that was created, got ${shown.response.status}.`,
      )
      if (!isSuccess(shown)) return
      isSame(context, created, { exchange: shown, moving })
      const elsewhen = isCreatedElsewhen(shown.body, created, context.contract)
      context.expect(
        shown,
        elsewhen ? 'Expected created_at to be when it was made, in UTC, got another time.' : undefined,
        { about: 'created', question: 'timestamp-formats' },
      )
      await tryAtOnce(context, { resource, read }, created)
    }),
}

/** What the answer to the creation says of the record, it says itself, but for what changes from read to read. */
function isSame(context: Context, created: Exchange, { exchange, moving }: Seen): void {
  const name = differingMember(created.body, exchange.body, moving)
  const message = name && `Expected "${name}" as the record has it that was created, got another value.`
  context.expect(created, message, { about: 'same' })
}

interface Readable {
  readonly resource: Resource
  readonly read: Step
}

/** Reads two records at the same moment, some times. */
async function tryAtOnce(context: Context, { resource, read }: Readable, created: Exchange): Promise<void> {
  const other = await context.accepted(resource.create.id)
  if (!other) return context.inconclusive()
  const meant = [created, other, created, other]
  const shown = await Promise.all(meant.map((it) => doStep(context, read, it)))
  for (const [i, exchange] of shown.entries()) {
    if (!isSuccess(exchange)) return context.inconclusive()
    const [own = created, another = other] = [meant[i], meant[(i + 1) % meant.length]]
    // What shows no id, as a picture, says nothing of whose it is.
    const isWrong = isOf(read, another)(exchange.body) && !isOf(read, own)(exchange.body)
    const message = 'Expected the record that was asked for while another is read, got another.'
    context.expect(exchange, isWrong ? message : undefined, { about: 'at once' })
  }
}

import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../engine/context.ts'
import { isRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { isSameMoment, momentsIn } from '../../model/instants.ts'
import { type Resource, resourcesOf } from '../../model/resources.ts'
import { differingMember } from './differing-member.ts'
import { seen } from './observed.ts'
import { doStep, isOf, withRecords } from './records.ts'
import { itemOf, PARTIAL } from './whole-list.ts'

export const updateKept: Rule = {
  id: 'update-kept',
  phase: 'records',
  cites: 'contract',
  stateful: true,
  title: 'What an update has changed is shown by the next read and on the list, and nothing else is changed.',
  advice: 'Write the update before it is answered.',
  run: (context) =>
    withRecords(context, resourcesOf(context.contract), async (resource, created) => {
      const { read, update } = resource
      if (!read || !update) return
      let wasTaken = false
      for (const body of bodiesOf(update.view.examples[0])) {
        const { exchange: before, moving } = await seen(context, read, created)
        const changed = await doStep(context, update, created, { body })
        // Of an update that was taken before, no rule of the business can refuse the next: it is the same, but for texts.
        if (wasTaken && isRefusal(changed))
          return void context.expect(
            changed,
            `Expected another update to be accepted, got ${changed.response.status}.`,
          )
        if (!isSuccess(changed)) return context.inconclusive()
        wasTaken = true
        const shown = await doStep(context, read, created)
        if (!isSuccess(shown) || !showsAny(shown.body, body)) return context.inconclusive()
        const moments = momentsIn(context.contract.document, update.view.bodyPointer, body)
        const lost = Object.entries(nodeOf(body)).find(([name, value]) =>
          differs(nodeOf(shown.body)[name], value, moments),
        )
        context.expect(shown, lost && `Expected "${lost[0]}" as the update set it, got another value.`)
        isItself(context, before, shown)
        await isListed(context, resource, { created, shown, moving })
      }
    }),
}

function showsAny(shown: unknown, given: unknown): boolean {
  return Object.keys(nodeOf(given)).some((name) => nodeOf(shown)[name] !== undefined)
}

/** Who a record is, and since when, is no matter of an update. */
function isItself(context: Context, before: Exchange, after: Exchange): void {
  const name = ['id', 'created_at'].find((it) => {
    const [old, now] = [nodeOf(before.body)[it], nodeOf(after.body)[it]]
    return old !== undefined && !isDeepStrictEqual(old, now)
  })
  context.expect(after, name && `Expected "${name}" as before the update, got another value.`, {
    about: 'itself',
  })
}

interface Changed {
  readonly created: Exchange
  readonly shown: Exchange
  /** Members that change by themselves. */
  readonly moving: readonly string[]
}

async function isListed(
  context: Context,
  resource: Resource,
  { created, shown, moving }: Changed,
): Promise<void> {
  const { list, read } = resource
  if (!list || !read) return
  const item = await itemOf(context, resource, isOf(read, created))
  // Whether it is listed at all has a rule of its own.
  if (item === undefined) return context.inconclusive(PARTIAL)
  const name = differingMember(item, shown.body, moving)
  context.expect(shown, name && `Expected "${name}" on the list as it is read, got another value.`, {
    operation: list.id,
    contract: list.pointer,
    about: 'list',
  })
}

function differs(shown: unknown, given: unknown, moments: ReadonlySet<unknown>): boolean {
  if (shown === undefined || isDeepStrictEqual(shown, given)) return false
  return !(moments.has(given) && isSameMoment(shown, given))
}

/** The example, its opposite, and those with other texts. */
function bodiesOf(example: unknown): unknown[] {
  const url = nodeOf(example).url
  const others = typeof url === 'string' ? [{ url: `${url}/2`, type: 'transfer' }, { type: 'qrcode' }] : []
  // The same once more, which changes nothing.
  return [example, example, otherThan(example), ...others.map((it) => ({ ...nodeOf(example), ...it }))]
}

/** The update that takes the first one back, where a member says active or inactive. */
function otherThan(body: unknown): unknown {
  const { status, ...rest } = nodeOf(body)
  return status === undefined ? body : { ...rest, status: status === 'inactive' ? 'active' : 'inactive' }
}

import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf, valueAt } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { resourcesOf } from '../../model/resources.ts'
import { doStep } from './records.ts'

/** What the examples of a 409 name, and the caller chooses: a second request with it is refused, also at once. */
export const uniqueRefused: Rule = {
  id: 'unique-refused',
  phase: 'records',
  isTraffic: true,
  cites: { question: 'tx-id-form' },
  stateful: true,
  title:
    'A value that has to be unique is refused the second time, also after the first was ended, and one of many at once is accepted.',
  advice: 'Let the store keep it unique, in the transaction that writes the record.',
  run: async (context) => {
    const views = context.contract.operations.filter(
      (it) => it.usedOnce.length > 0 && it.method === 'POST' && context.isAsked(it),
    )
    const creations = views.filter((it) =>
      it.usedOnce.every((pointer) => !isGiven(context.contract.links, it.id, pointer)),
    )
    await context.each(creations, async (view) => {
      const created = await context.accepted(view.id)
      if (!created) return context.inconclusive()
      const again = await context.send(view, created.input)
      context.expect(
        again,
        again.response.status === 409
          ? undefined
          : `Expected 409 the second time, got ${again.response.status}.`,
      )
      await tryOther(context, view, created)
      await tryEnded(context, view, created)
      await tryOtherKinds(
        context,
        creations.filter((it) => it !== view),
        { view, created },
      )
      const input = await context.builder.inputOf(view, { identity: 'partner' })
      if (!input) return
      const all = await Promise.all(Array.from({ length: 6 }, () => context.send(view, input)))
      const count = all.filter(isSuccess).length
      const [first] = all
      if (first)
        context.expect(
          first,
          count === 1 ? undefined : `Expected 1 of 6 at once to be accepted, got ${count}.`,
          { about: 'at once' },
        )
    })
  },
}

/** What a record has used it goes on using once it was ended. */
async function tryEnded(context: Context, view: OperationView, created: Exchange): Promise<void> {
  const { cancel } = resourcesOf(context.contract).find(({ create }) => create === view) ?? {}
  if (!cancel) return
  if (!isSuccess(await doStep(context, cancel, created))) return context.inconclusive()
  const again = await context.send(view, created.input)
  const message = `Expected 409 for a value of what was cancelled, got ${again.response.status}.`
  context.expect(again, again.response.status === 409 ? undefined : message, { about: 'ended' })
}

/** Unique per partner: that another one has used it is nothing that a partner is told. */
async function tryOther(context: Context, view: OperationView, { input }: Exchange): Promise<void> {
  if (!context.identities.has('other') || !context.contract.questions.has('tx-id-form')) return
  const exchange = await context.send(view, input, { identity: 'other' })
  const message = 'Expected no conflict over a value that another partner has used, got one.'
  context.expect(exchange, exchange.response.status === 409 ? message : undefined, { about: 'other partner' })
}

/** Unique among all that have the member, as a tx_id is among both kinds of QR code. */
async function tryOtherKinds(
  context: Context,
  others: readonly OperationView[],
  { view, created }: TrackedResources,
): Promise<void> {
  // That one value is for all kinds is an answer of ours.
  if (!context.contract.questions.has('tx-id-form')) return
  for (const other of others) {
    const shared = view.usedOnce.filter((pointer) => other.usedOnce.includes(pointer))
    const input =
      shared.length > 0 ? await context.builder.inputOf(other, { identity: 'partner' }) : undefined
    if (!input) continue
    const values = Object.fromEntries(
      shared.map((pointer) => [pointer, valueAt(created.input.body, pointer)]),
    )
    const exchange = await context.send(other, context.builder.withMembers(input, values))
    const { status } = exchange.response
    const message = `Expected 409 for a value that ${view.id} has used, got ${status}.`
    context.expect(exchange, status === 409 ? undefined : message, { about: 'other kind' })
  }
}

interface TrackedResources {
  readonly view: OperationView
  readonly created: Exchange
}

function isGiven(links: readonly { to: string; body: unknown }[], id: string, pointer: string): boolean {
  return links.some(({ to, body }) => to === id && valueAt(nodeOf(body), pointer) !== undefined)
}

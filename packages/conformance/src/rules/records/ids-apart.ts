import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { OperationView } from '../../model/operation-view.ts'

/** Members that name what was made, or let somebody in: of no two answers they are the same. */
const NAMES = ['id', 'secret', 'initiation_id', 'url', 'emv'] as const

export const idsApart: Rule = {
  id: 'ids-apart',
  phase: 'records',
  cites: { question: 'identifiers' },
  stateful: true,
  impact: 'high',
  title: 'What is made twice is two: each has an id of its own, and a secret, a code and an initiation_id.',
  advice: 'Draw ids and secrets anew for each record, at random, and keep them unique in the store.',
  run: async (context) => {
    // To deduplicate what is sent twice, or to leave it alone, an operation of another effect may well choose.
    const views = context.contract.operations.filter(
      (it) => it.method === 'POST' && (it.effect === 'once' || it.id === 'checkKey') && context.isAsked(it),
    )
    await context.each(
      views.filter((it) => context.may(it)),
      (view) => tryTwo(context, view),
    )
  },
}

async function tryTwo(context: Context, { id }: OperationView): Promise<void> {
  const [first, second] = [await context.accepted(id), await context.accepted(id)]
  if (!first || !second) return context.inconclusive()
  const [one, other] = [made(first.body), made(second.body)]
  // An id that is looked up is that of what was there before.
  const names = id === 'checkKey' ? ['initiation_id'] : NAMES
  for (const name of names) {
    if (typeof one[name] !== 'string' || typeof other[name] !== 'string' || one[name] === '') continue
    const message = `Expected ${/^[aeiou]/.test(name) ? 'an' : 'a'} "${name}" of its own for each of two, got the same.`
    context.expect(second, one[name] === other[name] ? message : undefined, { about: name })
  }
}

/** What was made: the answer itself, or what it is in. */
function made(body: unknown): Readonly<Record<string, unknown>> {
  return { ...nodeOf(nodeOf(body).data), ...nodeOf(body) }
}

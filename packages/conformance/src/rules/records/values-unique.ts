import type { Context } from '../../engine/context.ts'
import { isRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Violation } from '../../engine/violation.ts'
import { nodeOf, valueAt } from '../../model/document.ts'
import { type Exchange, isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { resourcesOf } from '../../model/resources.ts'
import { createdBy } from '../common/declared-resources.ts'
import { citing, questionsIn } from '../common/declared-sources.ts'
import { doStep } from '../common/record-steps.ts'
import { expectDeclaredRefusal } from '../refusals/judge-variant.ts'

export const valuesUnique: Rule = {
  id: 'values-unique',
  phase: 'records',
  isTraffic: true,
  cites: { convention: 'ids' },
  questions: ({ resources = {} }) => Object.values(resources).flatMap(({ unique }) => questionsIn(unique)),
  stateful: true,
  title:
    'No two records share an id, a secret or a code, and only one of several equal requests with a unique value is accepted.',
  advice:
    'Draw ids and secrets at random, and let the store keep values unique in the transaction that writes the record.',
  run: async (context) => {
    const sendable = context.contract.operations.filter((it) => it.method === 'POST' && context.canSend(it))
    const views = sendable.filter(context.isIncluded)
    await context.each(views, (view) => tryIssued(context, view))
    const isUnique = (it: OperationView) => uniqueOf(context, it).length > 0
    const creations = views.filter(isUnique)
    await context.each(creations, (view) => tryUnique(context, view))
    // The first record may be of a kind that the run does not include.
    await context.each(sendable.filter(isUnique), (view) => tryOtherKinds(context, view, creations))
  },
}

/** The values that identify a created record: those that links take from it, and those that are shown once. */
function issuedBy(context: Context, view: OperationView): string[] {
  const { behaviour, contract } = context
  const once = Object.values(behaviour.oneTimeValues ?? {}).flatMap((it) =>
    it.from.filter((at) => at.startsWith(`${view.id}#`)),
  )
  const declared = createdBy(context, view.id)
  // An operation with another effect may return one record twice.
  if (view.effect !== 'once') return once.map((it) => it.slice(view.id.length + 1))
  const linked = contract.links
    .filter((it) => it.from === view.id)
    .flatMap((it) => [...Object.values(it.parameters), ...Object.values(nodeOf(it.body))])
    .flatMap((it) => /^\$response\.body#(.+)$/.exec(String(it))?.[1] ?? [])
  const shown = [declared?.id ?? [], declared?.shownOnce?.fields ?? []].flat()
  return [...new Set(['/id', ...shown, ...linked, ...once.map((it) => it.slice(view.id.length + 1))])]
}

async function tryIssued(context: Context, view: OperationView): Promise<void> {
  const pointers = issuedBy(context, view)
  if (pointers.length === 0) return
  const [first, second] = [await context.accepted(view.id), await context.accepted(view.id)]
  if (!first || !second) return context.inconclusive()
  for (const pointer of pointers) {
    const [one, other] = [first, second].map(({ body }) => valueAt(body, pointer))
    if (typeof one !== 'string' || typeof other !== 'string' || one === '') continue
    const message = `${view.id} shows the same ${pointer} for two records; expected one of its own for each.`
    context.expect(second, one === other ? message : undefined, { about: pointer, impact: 'high' })
  }
}

interface Unique {
  readonly pointer: string
  readonly code: string | undefined
  /** The scope of the uniqueness, such as one partner. */
  readonly scope: string | undefined
  readonly place: Partial<Violation>
}

/** The unique values of a creation: as declared, or those that its 409 names and no link provides. */
function uniqueOf(context: Context, view: OperationView): Unique[] {
  const declared = createdBy(context, view.id)
  if (declared)
    return Object.entries(declared.unique ?? {}).map(([pointer, it]) => {
      return { pointer, code: it.refusal, scope: it.scope, place: citing(it, declared) }
    })
  const links = context.contract.links.filter(({ to }) => to === view.id)
  const isGiven = (pointer: string) => links.some(({ body }) => valueAt(nodeOf(body), pointer) !== undefined)
  return view.oneTimeFields
    .filter((it) => !isGiven(it))
    .map((pointer) => ({ pointer, code: undefined, scope: undefined, place: {} }))
}

async function tryUnique(context: Context, view: OperationView): Promise<void> {
  for (const unique of uniqueOf(context, view)) {
    const created = await context.accepted(view.id)
    if (!created) return context.inconclusive()
    const used = { view, created, unique }
    expectUsed(context, used, await context.send(view, created.input), 'a second time')
    if (unique.scope === 'partner') await tryOtherPartner(context, used)
    const { cancel } = resourcesOf(context.contract).find(({ create }) => create === view) ?? {}
    const ended = cancel && (await doStep(context, cancel, created))
    if (ended && isSuccess(ended))
      expectUsed(context, used, await context.send(view, created.input), 'after its record was ended')
    await tryAtOnce(context, used)
  }
}

interface Used {
  readonly view: OperationView
  readonly created: Exchange
  readonly unique: Unique
}

/** A refusal of another form than declared is a refusal too. */
function expectUsed(context: Context, { unique }: Used, exchange: Exchange, words: string): void {
  const { id = '' } = exchange.view ?? {}
  const { pointer, code = '', place } = unique
  const says = `${pointer} ${words}`
  const message = `${id} accepted ${says}; expected it to be refused.`
  if (isSuccess(exchange)) context.expect(exchange, message, { ...place, about: says })
  else if (!isRefusal(exchange)) context.inconclusive()
  else expectDeclaredRefusal(context, exchange, { code, says, place: { ...place, about: says } })
}

/** A conflict would reveal that another partner has used the value. */
async function tryOtherPartner(context: Context, { view, created, unique }: Used): Promise<void> {
  if (!context.identities.has('other')) return
  const exchange = await context.send(view, created.input, { identity: 'other' })
  const isConflict = exchange.response.status === 409
  const message = `${view.id} refused ${unique.pointer} that another partner has used (409); expected no conflict.`
  context.expect(exchange, isConflict ? message : undefined, {
    ...unique.place,
    about: `${unique.pointer} other partner`,
  })
}

/** A value is unique among all kinds of records that have it. */
async function tryOtherKinds(
  context: Context,
  view: OperationView,
  creations: readonly OperationView[],
): Promise<void> {
  for (const unique of uniqueOf(context, view)) {
    const isOther = (it: OperationView) =>
      it !== view && uniqueOf(context, it).some(({ pointer }) => pointer === unique.pointer)
    const others = unique.scope === undefined ? [] : creations.filter(isOther)
    if (others.length === 0) continue
    const created = await context.accepted(view.id)
    if (!created) context.inconclusive()
    else for (const other of others) await tryOtherKind(context, { view, created, unique }, other)
  }
}

async function tryOtherKind(context: Context, used: Used, other: OperationView): Promise<void> {
  const { view, created, unique } = used
  // The same request with a new value is accepted, so a refusal is about the value.
  const valid = await context.accepted(other.id)
  const set = { [unique.pointer]: valueAt(created.input.body, unique.pointer) }
  const input = valid && context.builder.withFields(valid.input, set)
  if (input) expectUsed(context, used, await context.send(other, input), `used by ${view.id}`)
  else context.inconclusive()
}

/** Requests that are sent at once. */
const AT_ONCE = 6

async function tryAtOnce(context: Context, { view, unique }: Used): Promise<void> {
  const input = await context.builder.inputOf(view, { identity: 'partner' })
  if (!input) return
  const all = await Promise.all(Array.from({ length: AT_ONCE }, () => context.send(view, input)))
  const count = all.filter(isSuccess).length
  const message = `${view.id} accepted ${count} of ${AT_ONCE} requests at once with the same ${unique.pointer}; expected 1.`
  const [first] = all
  if (first)
    context.expect(first, count === 1 ? undefined : message, {
      ...unique.place,
      about: `${unique.pointer} at once`,
      impact: 'critical',
    })
}

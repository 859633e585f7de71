import type { Context } from '../../engine/context.ts'
import { isRefusal } from '../../engine/refusal.ts'
import type { Violation } from '../../engine/violation.ts'
import { below, nodeOf } from '../../model/document.ts'
import { type Exchange, isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import type { Resource, Step } from '../../model/resources.ts'
import { propertiesOf } from '../../model/schema-properties.ts'
import { createdBy } from '../common/declared-resources.ts'
import { citing } from '../common/declared-sources.ts'
import { inputOn, itemMatcher } from '../common/record-steps.ts'
import { citedTimes, timeIn } from '../common/record-times.ts'
import { PARTIAL } from '../lists/walk.ts'
import { differingField } from './differences.ts'
import {
  createdRecordIn,
  isUnchanged,
  type Look,
  lookAt,
  lookInList,
  type Observed,
  observe,
} from './observe.ts'
import { transitionOf } from './states-and-times.ts'

interface Tracked {
  readonly resource: Resource
  readonly created: Exchange
}

/** A record, and others that must not change. */
export interface LifeCycle extends Tracked {
  readonly others: readonly (Tracked & { readonly observed: Observed })[]
}

/** An action on a record, and the changes that it may make. */
export interface Action {
  readonly step: Step
  readonly body?: unknown
  /** Fields that may change besides those of the request: `any`, or undefined if the action removes the record. */
  readonly may: readonly string[] | 'any' | undefined
  /** Whether it has to be refused, or accepted since it was accepted before. */
  readonly expected?: 'accepted' | 'refused' | undefined
  /** Words for messages. */
  readonly about: string
  /** The citation of differences. Default: the place in the contract. */
  readonly place?: Partial<Violation>
  /** Further expectations if the action was accepted. */
  readonly also?: (done: Done) => void
}

/** An accepted action, with the record as it was shown before and after it. */
export interface Done {
  readonly exchange: Exchange
  readonly before: unknown
  readonly after: unknown
  /** The response that shows the record after it. */
  readonly shownBy: Exchange
}

/** Creates a record between two others of its kind, and one of each other kind. */
export async function startLifeCycle(
  context: Context,
  resource: Resource,
  kinds: readonly Resource[],
): Promise<LifeCycle | undefined> {
  const tracked: Tracked[] = []
  let wasShown = false
  for (const it of [resource, resource, resource, ...kinds.filter((it) => it !== resource)]) {
    const created = await context.accepted(it.create.id)
    if (!created) continue
    if (tracked.length === 0) wasShown = (await lookAt(context, it, created))?.record !== undefined
    tracked.push({ resource: it, created })
  }
  const [first, subject, ...rest] = tracked
  if (!first || subject?.resource !== resource) return undefined
  const others: LifeCycle['others'][number][] = []
  for (const it of [first, ...rest]) {
    const observed = await observe(context, it.resource, it.created)
    if (observed?.look.isSure) others.push({ ...it, observed })
  }
  expectFirst(context, subject.created, wasShown ? others[0] : undefined)
  return { ...subject, others }
}

/** A record that was created before another one is still there. */
function expectFirst(
  context: Context,
  exchange: Exchange,
  first: LifeCycle['others'][number] | undefined,
): void {
  const isKnown = first?.resource.create === exchange.view
  const isGone = first?.observed.look.record === undefined
  const message = isGone ? `${exchange.view?.id} removed an earlier record.` : undefined
  if (isKnown) context.expect(exchange, message, { about: 'removed', impact: 'high' })
  else context.inconclusive(PARTIAL)
}

/** Does an action and looks at all records; undefined where it was not done. */
export async function act(context: Context, life: LifeCycle, action: Action): Promise<Done | undefined> {
  const { resource, created } = life
  const { step, body } = action
  const before = await observe(context, resource, created)
  const exchange = await context.send(step.view, { ...inputOn(step, created), body })
  const after = await lookAt(context, resource, created)
  expectOutcome(context, action, exchange)
  await expectOthers(context, action.may === 'any' ? withoutKind(life) : life, exchange)
  if (!before || before.look.record === undefined || !after) return void context.inconclusive()
  if (!isSuccess(exchange)) return void expectRefused(context, { exchange, before, after })
  const done = { exchange, before: before.look.record, after: after.record, shownBy: after.exchange }
  if (action.may === undefined) await expectGone(context, life, { action, before, after, exchange })
  else if (after.record === undefined) context.inconclusive(PARTIAL)
  else await expectChange(context, life, { action, done, before })
  if (after.record !== undefined) action.also?.(done)
  return done
}

function expectOutcome(context: Context, { step, expected, about, place }: Action, exchange: Exchange): void {
  const isAccepted = isSuccess(exchange)
  if (!expected || !(isAccepted || isRefusal(exchange, [404]))) return
  const message = `${step.view.id} ${isAccepted ? 'accepted' : 'refused'} ${about} (${exchange.response.status}).`
  const isRight = isAccepted === (expected === 'accepted')
  context.expect(exchange, isRight ? undefined : message, { about, ...place })
}

/** An action may concern other records of its kind: only one of them is the default. */
function withoutKind({ others, ...life }: LifeCycle): LifeCycle {
  return { ...life, others: others.filter(({ resource }) => resource !== life.resource) }
}

async function expectOthers(context: Context, { others }: LifeCycle, exchange: Exchange): Promise<void> {
  for (const { resource, created, observed } of others) {
    const look = await lookAt(context, resource, created)
    const isKept = look !== undefined && isUnchanged(observed, look.record)
    const message = `${exchange.view?.id} changed another record than the one it names.`
    if (look?.isSure)
      context.expect(exchange, isKept ? undefined : message, { about: 'others', impact: 'high' })
    else context.inconclusive()
  }
}

interface Judged {
  readonly exchange: Exchange
  readonly before: Observed
  readonly after: Look
}

function expectRefused(context: Context, { exchange, before, after }: Judged): void {
  const { status } = exchange.response
  const isKept = isUnchanged(before, after.record)
  const message = `${exchange.view?.id} refused a request (${status}) and changed the record.`
  if (!isRefusal(exchange, [404]) || !after.isSure) context.inconclusive()
  else context.expect(exchange, isKept ? undefined : message, { about: 'refused' })
}

interface Changed {
  readonly action: Action
  readonly done: Done
  readonly before: Observed
}

/** Every response shows the change, and no other field of the record has changed. */
async function expectChange(context: Context, { resource, created }: LifeCycle, it: Changed): Promise<void> {
  const { contract } = context
  const { action, done, before } = it
  const { exchange, after } = done
  const { view } = action.step
  const { volatile } = before
  const isAny = action.may === 'any'
  const expect = (about: string, message: string | undefined, place: Partial<Violation> = {}) =>
    context.expect(exchange, message, { about, ...action.place, ...(isAny && SHOWN_BY_200), ...place })
  const sent = Object.keys(nodeOf(action.body)).map((it) => below('', it))
  if (action.may !== undefined && action.may !== 'any') {
    const but = [...action.may, ...sent, ...volatileIn(context, resource, { view, record: after })]
    const rest = differingField(contract, [done.before, after], { volatile, but })
    const place = isMergePatch(context, resource, view) ? MERGED : {}
    expect('rest', rest && `${view.id} changed ${rest} of the record; expected it as it was.`, place)
  }
  // What an action responds with may be another record, and a 202 is done later (RFC 9110, section 15.3.3).
  const shown = createdRecordIn(exchange, action.step, created)
  if (exchange.response.status !== 202 && (!isAny || itemMatcher(action.step, created)(shown))) {
    const own = differingField(contract, [shown, after], { volatile })
    expect('response', own && `${view.id} shows another ${own} than the record has then.`)
  }
  const listed = await lookInList(context, resource, created)
  const other = differingField(contract, [listed?.record, after], { volatile })
  expect('list', other && `${resource.list?.id} shows another ${other} than the record has after ${view.id}.`)
  expectTimes(context, resource, exchange)
}

/** A 200 represents the outcome of an action; no contract says what an action does. */
const SHOWN_BY_200 = { cites: { standard: 'RFC 9110, section 15.3.1' } }
/** A PATCH of JSON describes a change of what it names; other fields may depend on that. */
const MERGED = { cites: { standard: 'RFC 5789, section 2' } }

/** Whether a PATCH names the fields that it changes, and the contract declares no others. */
function isMergePatch(context: Context, { create }: Resource, { method }: OperationView): boolean {
  return method === 'PATCH' && createdBy(context, create.id) === undefined
}

interface ChangedBy {
  readonly view: OperationView
  readonly record: unknown
}

/**
 * Fields that a change may touch although the request does not name them: as declared. Without a declaration, all but the
 * ids, the time of the creation, and what a PATCH could have named (RFC 5789, section 2).
 */
function volatileIn(context: Context, { create }: Resource, { view, record }: ChangedBy): readonly string[] {
  const declared = createdBy(context, create.id)
  if (declared) return declared.volatile ?? []
  const { document } = context.contract
  const places = view.method === 'PATCH' ? propertiesOf(document, view.bodyPointer ?? '') : []
  const named = places.map(([name]) => name)
  const isKept = (it: string) => KEPT.test(it) || (named.includes(it) && !MOVING.test(it))
  return Object.keys(nodeOf(record)).flatMap((it) => (isKept(it) ? [] : [below('', it)]))
}

/** Fields that no change touches, and those that each change moves. */
const KEPT = /(^id|Id)$|^created/
const MOVING = /^(updated|modified|version|revision|etag)/i

function expectTimes(context: Context, { create }: Resource, exchange: Exchange): void {
  const declared = createdBy(context, create.id)
  const created = timeIn(exchange.body, declared, 'created')
  const updated = timeIn(exchange.body, declared, 'updated')
  if (created === undefined || updated === undefined) return
  const message =
    updated < created ? `${exchange.view?.id} shows a last change before the creation.` : undefined
  context.expect(exchange, message, { about: 'moments', ...citedTimes(declared) })
}

/** A deleted record is not shown. If it is shown unchanged, the deletion was not done. */
async function expectGone(
  context: Context,
  { resource, created }: LifeCycle,
  it: Judged & { action: Action },
): Promise<void> {
  const declared = createdBy(context, resource.create.id)
  const { to, next, place } = transitionOf(declared, it.action.step.view)
  for (const look of [it.after, await lookInList(context, resource, created)]) {
    if (!look?.isSure) {
      if (look) context.inconclusive(PARTIAL)
      continue
    }
    const cited = isUnchanged(it.before, look.record) ? place : citing(next, declared)
    const message = `${look.exchange.view?.id} shows a record after ${it.exchange.view?.id}; expected none.`
    context.expect(look.exchange, look.record === undefined ? undefined : message, {
      about: 'gone',
      ...(to !== undefined && cited),
    })
  }
}

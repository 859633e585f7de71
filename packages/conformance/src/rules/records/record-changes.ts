import type { Resource as Declared } from '@partner-payments/spec/behaviour'
import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Json } from '../../generate/schema/index.ts'
import { below, nodeOf, valueAt } from '../../model/document.ts'
import { isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { operationsOf, type Resource, resourcesOf, type Step } from '../../model/resources.ts'
import { createdBy } from '../common/declared-resources.ts'
import { citing } from '../common/declared-sources.ts'
import { bodyOf, canStep, doStep, inputOn, sendable } from '../common/record-steps.ts'
import { differingField } from './differences.ts'
import { act, type Done, type LifeCycle, startLifeCycle } from './life-cycle.ts'
import { isDeclaredMissing } from './missing-records.ts'
import { lookAt } from './observe.ts'
import { tryRefusedCreations } from './refused-creations.ts'
import { shownFault } from './shown-values.ts'
import { transitionOf } from './states-and-times.ts'
import { variationsOf } from './varied-requests.ts'

export const recordChanges: Rule = {
  id: 'record-changes',
  phase: 'records',
  isTraffic: true,
  cites: 'contract',
  questions: ({ resources = {} }) => Object.values(resources).flatMap(endQuestions),
  stateful: true,
  title:
    'A request changes only its own record, a deleted record is gone, and a refused request changes nothing.',
  advice: 'Check the request first, then write by the id and the kind of the record, before you respond.',
  run: async (context) => {
    const creatable = resourcesOf(context.contract).filter(({ create }) => context.canSend(create))
    const resources = creatable.map((it) => sendable(context, it))
    // One after the other: each looks at records of the others.
    for (const it of resources.filter((it) => operationsOf(it).some(context.isIncluded)))
      await context.each([it], (resource) => tryLifeCycle(context, resource, resources))
  },
}

/** The open questions about the end of a record. */
function endQuestions(declared: Declared): string[] {
  const { cancel, delete: remove } = declared.operations
  return [cancel, remove].flatMap((id) => {
    const { to, next, place } = transitionOf(declared, { id: id ?? '' })
    return to === undefined ? [] : [place.question ?? [], next?.question ?? []].flat()
  })
}

async function tryLifeCycle(
  context: Context,
  resource: Resource,
  resources: readonly Resource[],
): Promise<void> {
  const life = await startLifeCycle(context, resource, resources)
  if (!life) return context.inconclusive()
  await tryOtherKinds(context, life)
  await tryUpdates(context, life)
  for (const step of resource.actions) await tryRotation(context, life, step)
  await tryCancel(context, life)
  await tryDeletion(context, life)
  await tryRefusedCreations(context, resource)
  // At last, since an action may change other records of its kind.
  await tryTransitions(context, life)
}

/** The source of the rule that the deletion of a missing record is refused. */
const DELETION_OF_MISSING = { cites: { standard: 'RFC 9110, section 15.5.5' } }

/** The reason why an operation is not tried with the id of another kind of record. */
const IN_BOTH = 'its id may be that of a record of the other kind too'

/** Operations refuse ids of other kinds of records. Ids that are counted per table may exist for both kinds. */
async function tryOtherKinds(context: Context, { resource, others }: LifeCycle): Promise<void> {
  for (const other of others.filter((it) => it.resource !== resource))
    for (const step of stepsOf(resource).filter((it) => canStep(it, other.created))) {
      const ids = Object.values(inputOn(step, other.created).path ?? {})
      const read = resource.read && (await doStep(context, resource.read, other.created))
      const isElsewhere = read ? isSuccess(read) : ids.some((id) => /^\d+$/.test(id))
      if (isElsewhere) context.inconclusive(IN_BOTH)
      else
        await act(
          context,
          { ...other, others: [] },
          {
            step,
            body: bodyOf(context, step),
            may: [],
            expected: 'refused',
            about: `the id of ${other.resource.create.id}`,
            // The deletion of a missing record may succeed, although the contract declares a refusal.
            ...(step === resource.remove && { place: DELETION_OF_MISSING }),
          },
        )
    }
}

function stepsOf({ update, actions, cancel, remove }: Resource): Step[] {
  return [update, ...actions, cancel, remove].filter((it) => it !== undefined)
}

/** Refused updates of one record that are tried. */
const REFUSED = 4

/** Sends invalid updates, the example with other values, the example, and the same example again. */
async function tryUpdates(context: Context, life: LifeCycle): Promise<void> {
  const { update } = life.resource
  const { bodyPointer, id } = update?.view ?? {}
  if (!update || bodyPointer === undefined) return
  const breaks = context.schemas.breaks(bodyPointer, bodyOf(context, update) as Json)
  const broken = [...new Map(breaks.map((it) => [it.change.pointer, it.body])).values()].slice(0, REFUSED)
  for (const body of broken) {
    const refused = await act(context, life, {
      step: update,
      body,
      may: [],
      about: 'a request that breaks its schema',
    })
    if (refused) break
  }
  const example = await acceptedBody(context, life, update)
  const sets = variationsOf(context, update.view, example).flatMap(([set]) => (set ? [topLevel(set)] : []))
  // At last each field differs from its value at the creation, so that a reset to a default is found.
  const created = nodeOf(life.others[0]?.observed.look.record)
  const kept = sets.filter((set) => Object.keys(set).every((it) => nodeOf(example)[it] === created[it]))
  const also = ({ exchange, after, shownBy }: Done, body: unknown) => {
    for (const [it, shown] of [
      [exchange, exchange.body],
      [shownBy, after],
    ] as const) {
      const sent = { contract: context.contract, view: update.view, shownBy: it.view, body, earlier: sets }
      const fault = shownFault(sent, shown)
      context.expect(it, fault && `${it.view?.id} after ${id}: ${fault}.`, { about: `after ${id}` })
    }
  }
  const updated = (body: unknown, about: string, expected?: 'accepted') =>
    act(context, life, { step: update, body, may: [], about, expected, also: (done) => also(done, body) })
  for (const set of sets) await updated({ ...nodeOf(example), ...set }, 'an update')
  if (update.view.method === 'PATCH')
    for (const part of singleFieldBodies(context, update.view, [...sets, nodeOf(example)]))
      await updated(part, 'an update')
  if (await updated(example, 'an update')) await updated(example, 'the same update again', 'accepted')
  await updated(Object.assign({}, example, ...kept), 'an update')
}

/** Bodies of one field each, with one value and those that careless code takes for no value. */
function singleFieldBodies(
  { contract: { validator } }: Context,
  { bodyPointer = '' }: OperationView,
  bodies: readonly Readonly<Record<string, unknown>>[],
): Record<string, unknown>[] {
  const all = bodies.flatMap((body) => Object.entries(body))
  const plain = new Map(all.map(([name, it]) => [name, { [name]: it }]))
  const empty = all.filter(([, it]) => it === false || it === 0 || it === null)
  const distinct = new Map(
    [...plain.values(), ...empty.map(([name, it]) => ({ [name]: it }))].map((it) => [JSON.stringify(it), it]),
  )
  const isValid = (it: unknown) => validator.validateValue(bodyPointer, it).length === 0
  return [...distinct.values()].filter(isValid)
}

function topLevel(set: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(set).map(([pointer, it]) => [pointer.slice(1), it]))
}

/** The example of an update. If the service refuses its strings, they are replaced by those of the record. */
async function acceptedBody(
  context: Context,
  { resource, created }: LifeCycle,
  update: Step,
): Promise<unknown> {
  const example = bodyOf(context, update)
  if (isSuccess(await doStep(context, update, created, { body: example }))) return example
  const record = nodeOf((await lookAt(context, resource, created))?.record)
  const shown = Object.keys(nodeOf(example)).filter((it) => typeof record[it] === 'string')
  return { ...nodeOf(example), ...Object.fromEntries(shown.map((it) => [it, record[it]])) }
}

/** An action that rotates a secret issues another one each time, in every state. */
async function tryRotation(context: Context, life: LifeCycle, step: Step): Promise<void> {
  const fields = secretsOf(context, life, step)
  if (fields.length === 0) return
  const { resource, created } = life
  // The record was updated before. If the action works on a new record, this one can only be refused for its state.
  const fresh = await context.accepted(resource.create.id)
  const first = fresh && (await doStep(context, step, fresh))
  const also = ({ exchange }: Done) => {
    for (const field of fields) {
      const [old, now] = [created, exchange].map(({ body }) => valueAt(body, field))
      const isNew = now !== undefined && now !== old
      context.expect(exchange, isNew ? undefined : `${step.view.id} shows no new ${field}.`, {
        about: field,
        impact: 'high',
      })
    }
    const name = differingField(context.contract, [created.body, exchange.body], { but: fields })
    const message = name && `${step.view.id} shows another ${name} than the creation.`
    context.expect(exchange, message, { about: 'creation' })
  }
  const expected = first && isSuccess(first) ? ('accepted' as const) : undefined
  await act(context, life, { step, may: fields, about: 'a record that was updated', expected, also })
}

/** Words in the names of operations that rotate a secret. */
const ROTATION = /rotat|renew|regenerat|secret/i

/** The fields that an action rotates: those that the contract shows once, or those with a name of a secret. */
function secretsOf(context: Context, { resource, created }: LifeCycle, { view }: Step): readonly string[] {
  const declared = createdBy(context, resource.create.id)?.shownOnce?.fields
  if (declared || !ROTATION.test(`${view.id} ${view.path}`)) return declared ?? []
  return Object.keys(nodeOf(created.body)).flatMap((it) => (/secret/i.test(it) ? [below('', it)] : []))
}

/** Does each other action on a new record. Actions that refuse its state are tried after the first accepted one. */
async function tryTransitions(context: Context, life: LifeCycle): Promise<void> {
  const { actions, read, list } = life.resource
  if (!read && !list) return
  const refused: Step[] = []
  let first: Step | undefined
  for (const step of actions.filter((it) => secretsOf(context, life, it).length === 0)) {
    const isAccepted = await tryTransition(context, life, step)
    if (isAccepted) first ??= step
    else refused.push(step)
  }
  if (first) for (const step of refused) await tryTransition(context, life, step, first)
}

/** Does an action on a new record, after another action if there is one. Returns whether it was accepted. */
async function tryTransition(
  context: Context,
  life: LifeCycle,
  step: Step,
  earlier?: Step,
): Promise<boolean> {
  const created = await context.accepted(life.resource.create.id)
  if (!created || (earlier && !isSuccess(await doStep(context, earlier, created)))) return false
  const done = await act(context, { ...life, created }, { step, may: 'any', about: 'an action' })
  return done !== undefined
}

/** Cancels a record as declared, and again, which must change nothing. */
async function tryCancel(context: Context, life: LifeCycle): Promise<void> {
  const { cancel: step, create } = life.resource
  const declared = createdBy(context, create.id)
  const { status, touched } = declared ?? {}
  if (!step || status === undefined) return
  const { action, to, next, place } = transitionOf(declared, step.view)
  if (to === undefined) return
  const also = ({ exchange, before, after }: Done) => {
    const word = valueAt(after, status)
    const message = `${step.view.id} leaves the record as ${word}; expected ${to}.`
    if (word !== undefined)
      context.expect(exchange, word === to ? undefined : message, { about: 'status', ...place })
    const [old, now] = [before, after].map((it) => Number(valueAt(it, touched?.revision ?? status)))
    const isRaised = Number.isNaN(old) || Number(now) > Number(old)
    const stays = `${step.view.id} left ${touched?.revision} as it was; expected a higher one.`
    context.expect(exchange, isRaised ? undefined : stays, {
      about: 'revision',
      ...citing(touched, declared),
    })
  }
  const done = await act(context, life, { step, may: [status], about: 'a new record', place, also })
  if (!done || next?.on?.[action]?.to !== to) return
  const again = ({ exchange, before, after }: Done) => {
    const name = differingField(context.contract, [before, after])
    context.expect(exchange, name && `${step.view.id} changed ${name} the second time.`, {
      about: 'second',
      ...place,
    })
  }
  await act(context, life, {
    step,
    may: [],
    about: 'a second time',
    expected: 'accepted',
    place,
    also: again,
  })
}

/** Deletes a record in its current state. Afterwards no operation accepts its id. */
async function tryDeletion(context: Context, life: LifeCycle): Promise<void> {
  const { resource, created } = life
  const { read, update, actions, remove: step, create } = resource
  if (!step) return
  const declared = createdBy(context, create.id)
  const { to, next } = transitionOf(declared, step.view)
  const place = to === undefined ? {} : citing(next, declared)
  const accepted: Step[] = []
  // Another record, since a state may forbid the deletion.
  const probe = await context.accepted(create.id)
  const rotations = actions.filter((it) => secretsOf(context, life, it).length > 0)
  for (const it of [read, ...rotations, update].filter((it) => it !== undefined))
    if (probe && isSuccess(await doStep(context, it, probe, { body: bodyOf(context, it) }))) accepted.push(it)
  const fresh = await context.accepted(create.id)
  const isDeletable = fresh && isSuccess(await doStep(context, step, fresh))
  const done = await act(context, life, {
    step,
    may: undefined,
    about: 'a record that was updated',
    expected: isDeletable ? 'accepted' : undefined,
  })
  for (const it of done ? [...accepted, step] : []) {
    const exchange = await doStep(context, it, created, { body: bodyOf(context, it) })
    const { status } = exchange.response
    const message = `${it.view.id} responded with ${status} after the deletion; expected 404.`
    // `act` has already judged the read.
    if (it !== read || !isSuccess(exchange))
      context.expect(exchange, isDeclaredMissing(exchange) ? undefined : message, {
        about: 'deleted',
        ...(it === step && { cites: { standard: 'RFC 9110, section 15.5.5' } }),
        ...place,
      })
  }
}

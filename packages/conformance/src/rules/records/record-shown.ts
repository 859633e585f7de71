import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { below, nodeOf, valueAt } from '../../model/document.ts'
import { type Exchange, isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { operationsOf, type Resource, resourcesOf } from '../../model/resources.ts'
import { createdBy } from '../common/declared-resources.ts'
import { citing } from '../common/declared-sources.ts'
import { anyStep, doStep, itemMatcher } from '../common/record-steps.ts'
import { citedTimes, timeIn } from '../common/record-times.ts'
import { branchesOf } from '../common/valid-requests.ts'
import { isCut, pagingOf } from '../lists/paging.ts'
import { PARTIAL } from '../lists/walk.ts'
import { differingField, type VolatileFields } from './differences.ts'
import { expectLinkedRecords } from './linked-records.ts'
import { createdRecordIn, type Look, lookAt, lookInList, observe } from './observe.ts'
import { expectSafeReads } from './safe-reads.ts'
import { shownFault } from './shown-values.ts'
import { isCreatedAtAnotherTime } from './states-and-times.ts'
import { type Alternatives, leastAccepted, variationsOf } from './varied-requests.ts'

export const recordShown: Rule = {
  id: 'record-shown',
  phase: 'records',
  isTraffic: true,
  cites: 'contract',
  stateful: true,
  title:
    'A created record is read and listed at once, everywhere with the values of its request, or their defaults.',
  advice:
    'Write the record before you respond, keep what was sent unchanged, and show a record by one function.',
  run: async (context) => {
    const kinds = kindsOf(context)
    await context.each(kinds, async (kind) => {
      await context.each(casesOf(context, kind), (it) => tryCase(context, kind, it))
      const least = await leastAccepted(context, kind.view)
      if (least) await expectShown(context, kind, least)
      for (const it of defaultsOf(context, kind.view)) await tryDefault(context, kind.view, it)
      if (kind.resource) await tryBesideOthers(context, kind.resource)
    })
    await expectLinkedRecords(context)
  },
}

/** An operation whose response repeats its request, and the resource that it creates. */
interface Kind {
  readonly view: OperationView
  readonly resource: Resource | undefined
  /** Fields of its records that change by themselves. */
  volatile?: Promise<VolatileFields>
}

function kindsOf(context: Context): Kind[] {
  const resources = resourcesOf(context.contract)
  const kinds = context.contract.operations.map((view) => {
    return { view, resource: resources.find(({ create }) => create === view) }
  })
  return kinds.filter(({ view, resource }) => {
    const isMeant = resource !== undefined || (view.effect !== undefined && view.bodyPointer !== undefined)
    const isRecord = resource !== undefined || view.pathParameters.length === 0
    const operations = resource ? operationsOf(resource) : [view]
    return isMeant && isRecord && operations.some(context.isIncluded) && context.canSend(view)
  })
}

interface Case {
  readonly example: number
  readonly alternatives: Alternatives
}

/** Each example, and variations of each kind of body with values that are easily lost. */
function casesOf(context: Context, { view }: Kind): Case[] {
  const plain = Array.from({ length: Math.max(1, view.examples.length) }, (_, example) => example)
  const varied = branchesOf(view).flatMap((example) =>
    variationsOf(context, view, view.examples[example]).map((alternatives) => ({ example, alternatives })),
  )
  return [...plain.map((example) => ({ example, alternatives: [{}] })), ...varied]
}

async function tryCase(context: Context, kind: Kind, { example, alternatives }: Case): Promise<void> {
  for (const set of alternatives) {
    const created = await context.accepted(kind.view.id, { example, set })
    // A record with a lifetime of 0, or one that is archived, need not be shown.
    const mayHide = Object.values(set).some((it) => typeof it !== 'string')
    if (created) return expectShown(context, kind, created, mayHide)
  }
  context.inconclusive()
}

/** In the response, where the record is read, and on its list. */
async function expectShown(context: Context, kind: Kind, created: Exchange, mayHide = false): Promise<void> {
  const { resource, view } = kind
  const step = resource && anyStep(resource)
  expectValues(context, created, created, created.body)
  expectCreation(context, created)
  expectInitial(context, created, created.body)
  if (!resource || !step) return
  if (!kind.volatile) {
    kind.volatile = observe(context, resource, created).then((it) => it?.volatile ?? new Set())
    // A rejection is for those who await it below: a record may lack what a read needs.
    kind.volatile.catch(() => undefined)
    await expectSafeReads(context, resource, created)
  }
  const volatile = await kind.volatile
  const looks = [
    resource.read && (await lookAt(context, resource, created)),
    await lookInList(context, resource, created),
  ]
  const shown = [createdRecordIn(created, step, created)]
  for (const look of looks.filter((it) => it !== undefined)) {
    if (look.record === undefined && mayHide) context.inconclusive(MAY_HIDE)
    else expectThere(context, view, look)
    if (look.record === undefined) continue
    expectValues(context, created, look.exchange, look.record)
    expectInitial(context, created, look.record)
    const name = shown
      .map((it) => differingField(context.contract, [it, look.record], { volatile }))
      .find(Boolean)
    const message =
      name && `${look.exchange.view?.id} shows another ${name} of a record than the other responses do.`
    context.expect(look.exchange, message, { about: `same ${view.id}` })
    shown.push(look.record)
  }
}

/** The reason why a record that is not shown is inconclusive. */
const MAY_HIDE = 'a value of the request may hide the record'

function expectValues(context: Context, { view, input }: Exchange, exchange: Exchange, shown: unknown): void {
  if (!view) return
  const copied = copiedBy(context, view.id)
  const sent = { contract: context.contract, view, shownBy: exchange.view, body: input.body, copied }
  const fault = shownFault(sent, shown)
  const message = fault && `${exchange.view?.id} after ${view.id}: ${fault}.`
  context.expect(exchange, message, exchange.view === view ? {} : { about: view.id })
}

/** Fields of a response that come from an earlier response instead of the request. */
function copiedBy({ behaviour }: Context, id: string): string[] {
  const copies = Object.values(behaviour.copies ?? {}).filter(({ to }) => to === id)
  return copies.flatMap(({ fields = {} }) => Object.values(fields).flat())
}

function expectThere(context: Context, create: OperationView, { exchange, record, isSure }: Look): void {
  const { status } = exchange.response
  const message = `${exchange.view?.id} does not show the record that ${create.id} just created (${status}).`
  if (record === undefined && isSuccess(exchange) && !isSure) context.inconclusive(PARTIAL)
  else context.expect(exchange, record === undefined ? message : undefined, { about: 'there' })
}

/** Expects the time of the creation. */
function expectCreation(context: Context, created: Exchange): void {
  const { view, body } = created
  const declared = view && createdBy(context, view.id)
  const time = timeIn(body, declared, 'created')
  const late = isCreatedAtAnotherTime(time, created, context.contract)
  const message = late ? `${view?.id} shows another creation time than now, in UTC.` : undefined
  if (time !== undefined) context.expect(created, message, { about: 'created', ...citedTimes(declared) })
}

/** The state of a new record, as a response shows it. */
function expectInitial(context: Context, created: Exchange, record: unknown): void {
  const { view } = created
  const declared = view && createdBy(context, view.id)
  const status = declared?.status && valueAt(record, declared.status)
  if (!declared?.initial || status === undefined) return
  const other = `${view?.id} shows a new record as ${status}; expected ${declared.initial.join(' or ')}.`
  context.expect(created, declared.initial.includes(String(status)) ? undefined : other, {
    about: 'initial',
    ...citing(declared.states?.[declared.initial[0] ?? ''], declared),
  })
}

/** Records that are created after one: a list without pages must still show it. */
const MORE = 20

/** Reads two records at once, and looks for a record in a long list. */
async function tryBesideOthers(context: Context, resource: Resource): Promise<void> {
  const { create, read } = resource
  const [one, other] = [await context.accepted(create.id), await context.accepted(create.id)]
  if (!one || !other) return context.inconclusive()
  const meant = [one, other, one, other]
  const shown = read ? await Promise.all(meant.map((it) => doStep(context, read, it))) : []
  for (const [i, exchange] of shown.entries()) {
    // A body that is not JSON has no id to compare.
    if (isSuccess(exchange) && exchange.body === undefined) continue
    const created = meant[i] ?? one
    const isIt = read && itemMatcher(read, created)(createdRecordIn(exchange, read, created))
    const message = `${exchange.view?.id} shows another record than was asked for, while two are read at once.`
    if (isSuccess(exchange)) context.expect(exchange, isIt ? undefined : message, { about: 'at once' })
    else context.inconclusive()
  }
  await tryLongList(context, resource, one)
}

async function tryLongList(context: Context, resource: Resource, created: Exchange): Promise<void> {
  const { create, list, remove } = resource
  if (!list || !remove || isCut(pagingOf(context, list)) || context.target !== 'sandbox') return
  const more = await Promise.all(Array.from({ length: MORE }, () => context.accepted(create.id)))
  const look = await lookInList(context, resource, created)
  if (look) expectThere(context, create, look)
  // Webhooks that remain would receive every later event.
  for (const it of more) if (it) await doStep(context, remove, it)
}

interface Default {
  /** Where the field is in a body. */
  readonly at: string
  readonly value: unknown
  readonly question: string | undefined
}

/** The defaults that the contract declares for a record, or in the schema of the request. */
function defaultsOf(context: Context, view: OperationView): Default[] {
  const declared = createdBy(context, view.id)
  const found = new Map(schemaDefaults(context, view.bodyPointer).map((it) => [it.at, it]))
  for (const [at, it] of Object.entries(declared?.defaults ?? {}))
    found.set(at, { at, value: it.value, question: citing(it, declared).question })
  return [...found.values()]
}

/** Defaults down to this depth of a request, outside of arrays. */
const DEPTH = 3

function schemaDefaults(context: Context, schema = '', at = '', depth = DEPTH): Default[] {
  const { node, pointer } = context.contract.document.follow(schema)
  const question = nodeOf(node['x-open-question']).default
  const own = { at, value: node.default, question: typeof question === 'string' ? question : undefined }
  const names = depth > 0 ? Object.keys(nodeOf(node.properties)) : []
  const inside = names.flatMap((it) =>
    schemaDefaults(context, below(pointer, 'properties', it), below(at, it), depth - 1),
  )
  return node.default === undefined || at === '' ? inside : [own, ...inside]
}

async function tryDefault(
  context: Context,
  view: OperationView,
  { at, value, question }: Default,
): Promise<void> {
  const created = await context.accepted(view.id, { set: { [at]: undefined } })
  if (!created) return context.inconclusive()
  const shown = valueAt(created.body, at)
  if (shown === undefined) return
  const message = `${view.id} shows ${at} as ${JSON.stringify(shown)} where it was left out; expected ${JSON.stringify(value)}.`
  context.expect(created, isDeepStrictEqual(shown, value) ? undefined : message, { about: at, question })
}

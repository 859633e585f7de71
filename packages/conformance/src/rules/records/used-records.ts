import type { Resource, Transition } from '@partner-payments/spec/behaviour'
import type { Context } from '../../engine/context.ts'
import { eventually } from '../../engine/eventually.ts'
import type { Rule } from '../../engine/rule.ts'
import { valueAt } from '../../model/document.ts'
import { type Exchange, isSuccess } from '../../model/exchange.ts'
import { resourcesOf } from '../../model/resources.ts'
import { createdBy, declaredResources, recordIdIn, recordIn } from '../common/declared-resources.ts'
import { citing } from '../common/declared-sources.ts'
import { actOn, requestWithRecords, userOf } from '../common/record-requests.ts'
import { eventName } from '../deliveries/judge-event.ts'
import { about, declaredDeliveries, type Subscriber, subscribe } from '../deliveries/subscribers.ts'
import { findListed } from '../lists/walk.ts'
import { judgeVariant } from '../refusals/judge-variant.ts'

/** A change of state that happens when a request uses the record. */
interface Row {
  readonly resource: Resource
  readonly initial: string
  readonly change: Transition
}

export const usedRecords: Rule = {
  id: 'used-records',
  phase: 'records',
  cites: 'contract',
  needs: ({ resources = {} }) => Object.values(resources).flatMap(usersOf),
  stateful: true,
  impact: 'high',
  title:
    'A record that a request has used up shows that, and refuses the operations that its new state forbids.',
  advice:
    'Write the state in the transaction that uses the record, and change it from the states that are declared only.',
  run: (context) => context.each(rowsOf(context), (row) => tryRow(context, row)),
}

/** The operations that use records of a resource. */
function usersOf({ states = {} }: Resource): string[] {
  const changes = Object.values(states).flatMap(({ on = {} }) => Object.values(on))
  return changes.flatMap(({ by = '' }) => (by.includes('#') ? (by.split('#')[0] ?? []) : []))
}

function rowsOf(context: Context): Row[] {
  const { contract } = context
  const resources = declaredResources(context).filter(({ operations: { create = '' } }) =>
    contract.has(create),
  )
  return resources.flatMap((resource) =>
    (resource.initial ?? []).flatMap((initial) =>
      Object.values(resource.states?.[initial]?.on ?? {})
        .filter(({ by = '', to }) => by.includes('#') && contract.has(by.split('#')[0] ?? '') && to)
        .map((change) => ({ resource, initial, change })),
    ),
  )
}

async function tryRow(context: Context, row: Row): Promise<void> {
  const { resource, change } = row
  const [id = '', field = ''] = change.by?.split('#') ?? []
  const view = context.contract.operation(id)
  const example = Math.max(
    0,
    view.examples.findIndex((it) => valueAt(it, field) !== undefined),
  )
  const from = resource.operations.create
  const built = await requestWithRecords(context, view, { identity: userOf(context), example, from })
  const record = built?.records.find((it) => it.view?.id === from)
  const subscriber = change.after === undefined ? undefined : await subscribeToAll(context)
  const wasShown = record !== undefined && (await shownInList(context, resource, record)).state !== undefined
  const used = built && record && (await context.send(view, built.input, { identity: userOf(context) }))
  if (!record || !used || !isSuccess(used)) return context.inconclusive()
  const isDue = () => hasReached(context, change.after, { used, subscriber })
  if (!(await expectListed(context, row, { record, isDue, wasShown }))) return
  for (const [action, { refusal }] of Object.entries(resource.states?.[change.to ?? '']?.on ?? {}))
    if (refusal) await expectRefused(context, { ...row, record }, { action, code: refusal })
}

async function subscribeToAll(context: Context): Promise<Subscriber | undefined> {
  const declared = declaredDeliveries(context)
  return declared && subscribe(context, declared)
}

interface Used {
  readonly used: Exchange
  readonly subscriber: Subscriber | undefined
}

/** Whether the record of the request is known to be in a state: its creation shows that, or an event tells it. */
function hasReached(context: Context, state: string | undefined, { used, subscriber }: Used): boolean {
  const user = createdBy(context, used.view?.id)
  const id = user && recordIdIn(used.body, user)
  if (!user || id === undefined || state === undefined || statusIn(user, used.body) === state) return true
  const changes = Object.values(user.states ?? {}).flatMap(({ on = {} }) => Object.values(on))
  const event = changes.find(({ to }) => to === state)?.event
  return subscriber !== undefined && about(subscriber.inbox, { id }).some((it) => eventName(it) === event)
}

const NOT_LISTED = 'the record is not listed'
/** The reason why a state is inconclusive if one identity creates the record and uses it. */
const TO_ITSELF = 'a service may reject what an account pays to itself'
const NOT_DUE = 'the record is not known to be used yet: nothing says how long that takes'

interface Listed {
  readonly record: Exchange
  /** Whether the record is known to be used. */
  readonly isDue: () => boolean
  /** Whether the list showed the record before it was used. */
  readonly wasShown: boolean
}

/**
 * Waits for the list to show the new state. Returns whether the state may have changed. Undeclared states are findings of
 * response-schema.
 */
async function expectListed(context: Context, row: Row, listed: Listed): Promise<boolean> {
  const { resource, initial, change } = row
  const { record } = listed
  const list = listedAs(context, record)?.list
  if (!list) return true
  const before = statusIn(resource, record.body) ?? initial
  const shown = await afterUse(context, row, { ...listed, before })
  const reason = unclearReason(context, shown, { ...listed, before })
  if (reason !== undefined) {
    context.inconclusive(reason)
    return false
  }
  const { state } = shown
  const isOther = state !== undefined && state !== before && !(String(state) in (resource.states ?? {}))
  const what = state === undefined ? 'no longer shows a record' : `shows as ${state} a record`
  const message = `${list.id} ${what} that ${change.by?.split('#')[0]} has used; expected it as ${change.to}.`
  context.expect(record, state === change.to || isOther ? undefined : message, {
    operation: list.id,
    contract: list.pointer,
    about: 'listed',
    ...citing(resource.states?.[initial]),
  })
  return true
}

interface Waited extends Listed {
  readonly before: unknown
}

/** How the list shows the record after its use; it has as long for the change as for the use. */
async function afterUse(
  context: Context,
  { resource }: Row,
  { record, isDue, before }: Waited,
): Promise<Shown> {
  const look = () => shownInList(context, resource, record)
  const isChanged = ({ state }: Shown) => state !== undefined && state !== before
  const first = await eventually(context, look, (it) => isChanged(it) || isDue())
  return isDue() && !isChanged(first) ? eventually(context, look, isChanged) : first
}

/** The reason why a state says nothing; undefined if it does. */
function unclearReason(
  context: Context,
  { state, isSure }: Shown,
  { before, isDue, wasShown }: Waited,
): string | undefined {
  if (state === undefined) return wasShown && isSure && isDue() ? undefined : NOT_LISTED
  if (state !== before) return undefined
  if (!isDue()) return NOT_DUE
  return userOf(context) === 'partner' ? TO_ITSELF : undefined
}

function listedAs({ contract }: Context, record: Exchange) {
  return resourcesOf(contract).find(({ create }) => create.id === record.view?.id)
}

/** How a list shows a record. */
interface Shown {
  /** Undefined if no page that was read shows the record. */
  readonly state: unknown
  /** Whether all pages were read. */
  readonly isSure: boolean
}

async function shownInList(context: Context, resource: Resource, record: Exchange): Promise<Shown> {
  const list = listedAs(context, record)?.list
  const id = recordIdIn(record.body, resource)
  const found = list && (await findListed(context, list, (it) => recordIdIn(it, resource) === id))
  return { state: statusIn(resource, found?.item), isSure: found?.isSure === true }
}

function statusIn(resource: Resource, body: unknown): unknown {
  return resource.status && valueAt(recordIn(body, resource), resource.status)
}

interface Refused {
  readonly action: string
  readonly code: string
}

async function expectRefused(
  context: Context,
  { resource, change, record }: Row & { readonly record: Exchange },
  { action, code }: Refused,
): Promise<void> {
  const operation = resource.operations[action]
  const exchange = operation && (await actOn(context, record, operation))
  if (!operation || !exchange) return
  const { question } = resource.states?.[change.to ?? ''] ?? {}
  const refusal = context.behaviour.refusals?.[code] ?? { when: '', fix: '' }
  const variant = { operation, says: `a record in state ${change.to}`, ...(question && { question }) }
  await judgeVariant(context, { code, refusal, variant, isValid: false }, exchange)
}

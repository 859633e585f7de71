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
import { itemOf } from '../lists/walk.ts'
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
  const wasShown = record && (await shownState(context, resource, record)) !== undefined
  const used = built && record && (await context.send(view, built.input, { identity: userOf(context) }))
  if (!record || !used || !isSuccess(used)) return context.inconclusive()
  const isDue = () => hasReached(context, change.after, { used, subscriber })
  if (!(await expectListed(context, row, { record, isDue, wasShown: wasShown === true }))) return
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

/**
 * Waits for the list to show the new state. Returns whether the state may have changed. Undeclared states are findings of
 * response-schema.
 */
async function expectListed(
  context: Context,
  { resource, initial, change }: Row,
  { record, isDue, wasShown }: Listed,
): Promise<boolean> {
  const list = listedAs(context, record)?.list
  const before = statusIn(resource, record.body) ?? initial
  if (!list) return true
  const look = () => shownState(context, resource, record)
  const isChanged = (it: unknown) => it !== undefined && it !== before
  const first = await eventually(context, look, (it) => isChanged(it) || isDue())
  const shown = isDue() && !isChanged(first) ? await eventually(context, look, isChanged) : first
  const reason = shown === undefined ? NOT_LISTED : isDue() ? TO_ITSELF : NOT_DUE
  const isLost = shown === undefined && wasShown && isDue()
  if ((shown === undefined && !isLost) || (shown === before && (userOf(context) === 'partner' || !isDue()))) {
    context.inconclusive(reason)
    return false
  }
  const isDeclared = String(shown) in (resource.states ?? {})
  const isRight = !isLost && (shown === change.to || (shown !== before && !isDeclared))
  const by = change.by?.split('#')[0]
  const message = isLost
    ? `${list.id} no longer shows a record that ${by} has used; expected it as ${change.to}.`
    : `${list.id} shows a record that ${by} has used as ${shown}; expected ${change.to}.`
  context.expect(record, isRight ? undefined : message, {
    operation: list.id,
    contract: list.pointer,
    about: 'listed',
    ...citing(resource.states?.[initial]),
  })
  return true
}

interface Listed {
  readonly record: Exchange
  /** Whether the record is known to be used. */
  readonly isDue: () => boolean
  /** Whether the list showed the record before it was used. */
  readonly wasShown: boolean
}

function listedAs({ contract }: Context, record: Exchange) {
  return resourcesOf(contract).find(({ create }) => create.id === record.view?.id)
}

/** The state of a record in its list; undefined if the list does not show it. */
async function shownState(context: Context, resource: Resource, record: Exchange): Promise<unknown> {
  const known = listedAs(context, record)
  const id = recordIdIn(record.body, resource)
  return known && statusIn(resource, await itemOf(context, known, (it) => recordIdIn(it, resource) === id))
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

import type { Operation } from '../contract/contract.ts'
import { stringAt } from '../contract/json.ts'
import { findOperation, type Input, type Outcome } from '../send/requests.ts'
import { validBody, withFields } from './bodies.ts'
import type { PlanContext } from './plan.ts'
import { keysToTry, sendValidRequest } from './send-valid.ts'
import { CODE_CREATIONS, EXAMPLE, prepareValidRequest, renewRequest } from './valid-requests.ts'

/**
 * A context whose `send` copes with a service that lets only customers do what the contract allows
 * the partner too. At the first refusal of this kind, the run tries the operation as a substitute: a
 * customer who acts for the partner. If the service accepts that, the substitute sends all further
 * requests about that resource, in each plan.
 */
export function withSubstitutes(context: PlanContext): PlanContext {
  /** Whether the service accepted the substitute, by resource, such as `transfer`. */
  const trialByResource = new Map<string, Promise<boolean>>()

  /** Sends a request, and again as the substitute if the service takes it from customers only. */
  async function send(id: string, input: Input = {}): Promise<Outcome> {
    const outcome = await context.send(id, input)
    const operation = findOperation(context.contract, id)
    if (!operation || !isRefusedForPartner(context, operation, { input, outcome })) return outcome

    const isSubstituteAccepted = await trySubstituteOnce(operation)
    if (!isSubstituteAccepted) return outcome

    // The trial was noted, so that the sender now takes the substitute for the partner by itself.
    return context.send(id, await renewForSubstitute(context, id, input))
  }

  /** Tries the substitute at the first call for a resource. Returns whether the service accepted it. */
  function trySubstituteOnce(operation: Operation): Promise<boolean> {
    const { resource = operation.id } = operation
    const trial = trialByResource.get(resource) ?? trySubstitute(context, operation)
    trialByResource.set(resource, trial)
    return trial
  }

  // The function `send` of a context also has a method, which stays the same.
  const { cleanUp } = context.send
  return { ...context, send: Object.assign(send, { cleanUp }) }
}

/**
 * Rewrites a request of the partner so that the substitute, a customer, can send it: the creation of a code gets a
 * key of this customer, and a transfer to a key an `initiation_id` from a look-up of its own. Any other stays as it is.
 */
async function renewForSubstitute(context: PlanContext, id: string, input: Input): Promise<Input> {
  if (typeof input.body !== 'object') return input

  if (id !== 'createTransfer') {
    // What `createCodeAsSubstitute` has remembered for the first example.
    const keyOfSubstitute = context.acceptedValues.valuesFor(id, 0)
    return { ...input, body: withFields(input.body, keyOfSubstitute) }
  }

  const isToKey = stringAt(input.body, '/initiation_id') !== undefined
  if (!isToKey) return input

  const renewed = await renewRequest(context, { ...input, by: 'substitute' })
  return renewed ?? input
}

interface Sent {
  readonly input: Input
  readonly outcome: Outcome
}

/** Statuses that say that an identity may not send a request. */
const NOT_ALLOWED: ReadonlySet<number> = new Set([401, 403])

/**
 * Whether the service refused a plain request of the partner that a customer may send too. Such a
 * request names no record and has no edit, so that only its sender explains the refusal.
 */
function isRefusedForPartner(
  { identities }: PlanContext,
  operation: Operation,
  { input, outcome }: Sent,
): boolean {
  if (!NOT_ALLOWED.has(outcome.status)) return false

  const { by = 'partner', path = {} } = input
  // Not if the substitute already sends this operation for the partner.
  const isSentByPartner = by === 'partner' && identities.chooseActor(by, operation) === 'partner'
  const mayCustomerSendIt = operation.tokens.includes('customer')
  const namesRecord = Object.keys(path).length > 0
  return isSentByPartner && mayCustomerSendIt && !namesRecord && !isEdited(input)
}

/** Whether a plan has changed something in a request, or sends it as a variant of another one. */
function isEdited({ intent, pathAndQuery, method, headers }: Input): boolean {
  const changes = [intent, pathAndQuery, method, headers]
  return changes.some((change) => change !== undefined)
}

/**
 * Sends an operation as the substitute. If the service accepts that, remembers that it takes only customers
 * for this resource. Returns whether it accepts.
 */
async function trySubstitute(context: PlanContext, operation: Operation): Promise<boolean> {
  const isTransfer = operation.id === 'createTransfer'
  const send = isTransfer ? payAsSubstitute : createAsSubstitute
  const isAccepted = await send(context, operation)
  if (isAccepted) context.form.learnCustomersOnly(operation)
  return isAccepted
}

/** Pays a key as the substitute. Returns whether the service accepted that; false if its look-up was refused. */
async function payAsSubstitute(context: PlanContext): Promise<boolean> {
  // If the service does not know the key of the example, this finds one that it knows.
  await sendValidRequest(context, 'checkKey')

  const options = { example: EXAMPLE.key, by: 'substitute' } as const
  const input = await prepareValidRequest(context, 'createTransfer', options)
  if (!input) return false

  const { isAccepted } = await context.send('createTransfer', input)
  return isAccepted
}

/**
 * Creates a QR code as the substitute. If that fails, since the customer may have no key, reads the list of
 * the resource instead. Returns whether the service accepted one of the two.
 */
async function createAsSubstitute(context: PlanContext, operation: Operation): Promise<boolean> {
  const operationsOfResource = listOperationsOfResource(context, operation)
  const creation = operationsOfResource.find(({ id }) => CREATES_CODE.has(id))
  if (creation && (await createCodeAsSubstitute(context, creation.id))) return true

  const list = operationsOfResource.find(({ role }) => role === 'list')
  if (!list) return false

  const { isAccepted } = await context.send(list.id, { by: 'substitute' })
  return isAccepted
}

const CREATES_CODE: ReadonlySet<string> = new Set(CODE_CREATIONS)

/** The operations on the resource of an operation; only itself if it has none. */
function listOperationsOfResource(
  { contract }: PlanContext,
  { id, resource }: Operation,
): readonly Operation[] {
  const withoutAliases = contract.operations.filter(({ isAlias }) => !isAlias)
  if (resource === undefined) return withoutAliases.filter((other) => other.id === id)
  return withoutAliases.filter((other) => other.resource === resource)
}

/**
 * Creates a code as the substitute: for the key of the example, or for values that are often keys of
 * a customer. The run uses the key that is accepted from then on. Returns whether one is.
 */
async function createCodeAsSubstitute(context: PlanContext, create: string): Promise<boolean> {
  const by = 'substitute'
  const withKeyOfExample = await context.send(create, { body: validBody(context, create), by })
  if (withKeyOfExample.isAccepted) return true

  for (const dict_key of await listKeysOfSubstitute(context)) {
    const body = { ...validBody(context, create), dict_key }
    const { isAccepted } = await context.send(create, { body, by })
    if (!isAccepted) continue

    // The requests that create codes of each kind have this key from now on.
    for (const id of CODE_CREATIONS) {
      context.acceptedValues.remember(id, 0, { '/dict_key': dict_key })
    }
    return true
  }
  return false
}

/** Values that may be keys of the substitute: its tax ID first. */
async function listKeysOfSubstitute(context: PlanContext): Promise<ReadonlySet<string>> {
  const keys = await keysToTry(context)
  const { taxId } = context.identities.substitute ?? {}
  return taxId === undefined ? new Set(keys) : new Set([taxId, ...keys])
}

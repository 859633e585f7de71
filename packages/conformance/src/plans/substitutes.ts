import { behaviour } from '../contract/behaviour.ts'
import type { Operation } from '../contract/contract.ts'
import { stringAt } from '../contract/json.ts'
import { findOperation, type Input, type Outcome } from '../send/requests.ts'
import { validBody, withFields } from './bodies.ts'
import type { PlanContext } from './plan.ts'
import { keysToTry, sendValidRequest } from './send-valid.ts'
import { CODE_CREATIONS, EXAMPLE, prepareValidRequest, renewRequest } from './valid-requests.ts'
import { withSend } from './with-send.ts'

/**
 * A context whose `send` copes with a service that refuses the partner what the contract allows it, and may allow
 * it to customers. At the first refusal of this kind, the run tries the operation as a substitute: a
 * customer who acts for the partner. If the service accepts that, the substitute sends all further
 * requests about that resource, in each plan. What was created as the partner before shows that its token is taken, so
 * that the run then goes on as the partner.
 */
export function withSubstitutes(context: PlanContext): PlanContext {
  /** Whether the service accepted the substitute, by resource, such as `transfer`. */
  const trialByResource = new Map<string, Promise<boolean>>()
  /** The ids of the operations that the service accepted from the partner. */
  const acceptedFromPartner = new Set<string>()

  /** Sends a request, and again as the substitute if the service may take it from customers only. */
  async function send(id: string, input: Input = {}): Promise<Outcome> {
    const operation = findOperation(context.contract, id)
    // Before the request, during which another one may end the trial.
    const isOfPartner = operation !== undefined && isSentByPartner(context, operation, input)
    const outcome = await context.send(id, input)
    if (!isOfPartner) return outcome

    if (outcome.isAccepted) acceptedFromPartner.add(id)
    if (!isRefusedForPartner(operation, { input, outcome })) return outcome
    if (wasPartnerAccepted(operation)) return outcome

    const isSubstituteAccepted = await trySubstituteOnce(operation, outcome)
    if (!isSubstituteAccepted) return outcome

    // The trial was noted, so that the sender now takes the substitute for the partner by itself.
    return context.send(id, await renewForSubstitute(context, id, input))
  }

  /** Whether the service accepted this operation from the partner before, or the creation of such a record. */
  function wasPartnerAccepted(operation: Operation): boolean {
    if (acceptedFromPartner.has(operation.id)) return true
    const operationsOfResource = listOperationsOfResource(context, operation)
    return operationsOfResource.some(
      ({ id }) => CREATES_CODE.has(id) && acceptedFromPartner.has(id),
    )
  }

  /** Tries the substitute at the first call for a resource. Returns whether the service accepted it. */
  function trySubstituteOnce(operation: Operation, refusal: Outcome): Promise<boolean> {
    const { resource = operation.id } = operation
    const trial = trialByResource.get(resource) ?? trySubstitute(context, operation, refusal)
    trialByResource.set(resource, trial)
    return trial
  }

  return withSend(context, send)
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

/** Whether the partner itself sends a request, and not the substitute, which may send this operation for it already. */
function isSentByPartner(
  { identities }: PlanContext,
  operation: Operation,
  { by = 'partner' }: Input,
): boolean {
  return by === 'partner' && identities.chooseActor(by, operation) === 'partner'
}

/**
 * Whether the service refused a plain request of the partner that a customer may send too. Such a
 * request names no record and has no edit, so that its sender may explain the refusal.
 */
function isRefusedForPartner(operation: Operation, { input, outcome }: Sent): boolean {
  if (!NOT_ALLOWED.has(outcome.status)) return false

  const { path = {} } = input
  const mayCustomerSendIt = operation.tokens.includes('customer')
  const namesRecord = Object.keys(path).length > 0
  return mayCustomerSendIt && !namesRecord && !isEdited(input)
}

/** Whether a plan has changed something in a request, or sends it as a variant of another one. */
function isEdited({ intent, pathAndQuery, method, headers }: Input): boolean {
  const changes = [intent, pathAndQuery, method, headers]
  return changes.some((change) => change !== undefined)
}

/**
 * Sends an operation as the substitute. If the service accepts that, the substitute acts for the partner from now on.
 * Whether the service takes only customers for this resource is another question, which a key may explain as well.
 *
 * @param refusal The outcome of the request of the partner.
 */
async function trySubstitute(
  context: PlanContext,
  operation: Operation,
  refusal: Outcome,
): Promise<boolean> {
  const isTransfer = operation.id === 'createTransfer'
  const send = isTransfer ? payAsSubstitute : createAsSubstitute
  const isAccepted = await send(context, operation)

  const isForToken = await isRefusedForToken(context, operation, { refusal, isAccepted })
  if (isForToken) context.form.learnCustomersOnly(operation)
  else if (isAccepted) context.identities.letSubstituteAct(operation)
  return isForToken || isAccepted
}

/** What happened to one operation: the refusal of the partner, and whether the substitute was accepted. */
interface Trial {
  readonly refusal: Outcome
  readonly isAccepted: boolean
}

/**
 * Whether the token of the partner alone explains its refusal. A 403 may also be about a value of the request, such as
 * a key that is not the partner's. The list of the resource has no values: it decides, by both tokens. Where there is
 * no list, the code of the refusal has to say it.
 */
async function isRefusedForToken(
  context: PlanContext,
  operation: Operation,
  { refusal, isAccepted }: Trial,
): Promise<boolean> {
  const list = listOperationsOfResource(context, operation).find(({ role }) => role === 'list')
  if (!list) return isAccepted && stringAt(refusal.json, '/code') === WRONG_TOKEN_KIND

  const { status } = list.id === operation.id ? refusal : await context.send(list.id)
  if (!NOT_ALLOWED.has(status)) return false

  const asSubstitute = await context.send(list.id, { by: 'substitute' })
  return asSubstitute.isAccepted
}

/** The declared code of a refusal of a token whose kind may not call the operation. */
const WRONG_TOKEN_KIND = behaviour.permissions['partner-only'].refusal

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

/** Creates a QR code as the substitute. Returns whether the service accepted that; the customer may have no key. */
async function createAsSubstitute(context: PlanContext, operation: Operation): Promise<boolean> {
  const operationsOfResource = listOperationsOfResource(context, operation)
  const creation = operationsOfResource.find(({ id }) => CREATES_CODE.has(id))
  return creation !== undefined && createCodeAsSubstitute(context, creation.id)
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
 * a customer. The run uses the key that is accepted for such codes from then on. Returns whether one is.
 */
async function createCodeAsSubstitute(context: PlanContext, create: string): Promise<boolean> {
  const by = 'substitute'
  const withKeyOfExample = await context.send(create, { body: validBody(context, create), by })
  if (withKeyOfExample.isAccepted) return true

  for (const dict_key of await listKeysOfSubstitute(context)) {
    const body = { ...validBody(context, create), dict_key }
    const { isAccepted } = await context.send(create, { body, by })
    if (!isAccepted) continue

    // Only of this kind: the partner may create the others, with a key of its own.
    context.acceptedValues.remember(create, 0, { '/dict_key': dict_key })
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

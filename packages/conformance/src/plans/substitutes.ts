import type { Operation } from '../contract/contract.ts'
import { stringAt } from '../contract/json.ts'
import { findOperation, type Input, type Outcome } from '../send/sender.ts'
import { validBody, withFields } from './bodies.ts'
import type { PlanContext } from './plan.ts'
import { keysToTry, sendValid } from './send-valid.ts'
import { CODES, renewedRequest, validRequest } from './valid-requests.ts'

/**
 * The same context, for a service that may refuse the partner what the contract allows it. The first
 * time that it does, the run finds out whether a customer may do it instead. From then on a substitute
 * sends the operations on that resource, in each plan.
 */
export function withSubstitutes(context: PlanContext): PlanContext {
  const trials = new Map<string, Promise<boolean>>()

  async function send(id: string, input: Input = {}): Promise<Outcome> {
    const outcome = await context.send(id, input)
    const operation = findOperation(context.contract, id)
    if (!operation || !isRefusedForPartner(context, operation, { input, outcome })) return outcome

    const { resource = id } = operation
    const trial = trials.get(resource) ?? trySubstitute(context, operation)
    trials.set(resource, trial)
    const isAccepted = await trial
    return isAccepted ? context.send(id, await renewForSubstitute(context, id, input)) : outcome
  }

  return { ...context, send: Object.assign(send, { cleanUp: context.send.cleanUp }) }
}

/** The same request with a key of the substitute, and with a look-up of its own. */
async function renewForSubstitute(context: PlanContext, id: string, input: Input): Promise<Input> {
  if (typeof input.body !== 'object') return input
  if (id !== 'createTransfer')
    return { ...input, body: withFields(input.body, context.found.of(id, 0)) }

  const isToKey = stringAt(input.body, '/initiation_id') !== undefined
  const renewed = isToKey && (await renewedRequest(context, { ...input, by: 'substitute' }))
  return renewed || input
}

interface Sent {
  readonly input: Input
  readonly outcome: Outcome
}

/** Statuses that say that an identity may not send a request. */
const NOT_ALLOWED: ReadonlySet<number> = new Set([401, 403])

/** Whether nothing but its sender explains a refusal: no record, no edit and no other header. */
function isRefusedForPartner(
  { identities }: PlanContext,
  operation: Operation,
  { input, outcome }: Sent,
): boolean {
  const { by = 'partner', path = {}, intent, at, method, headers } = input
  const isOfPartner = by === 'partner' && identities.actingFor(by, operation) === 'partner'
  const namesRecord = Object.keys(path).length > 0
  const isEdited = (intent ?? at ?? method ?? headers) !== undefined
  const mayBeOfCustomer = operation.tokens.includes('customer')
  return (
    isOfPartner && NOT_ALLOWED.has(outcome.status) && mayBeOfCustomer && !namesRecord && !isEdited
  )
}

/** Whether the service accepts a substitute for the operations on a resource. */
async function trySubstitute(context: PlanContext, operation: Operation): Promise<boolean> {
  const isAccepted =
    operation.id === 'createTransfer'
      ? await payAsSubstitute(context)
      : await createAsSubstitute(context, operation)
  if (isAccepted) context.form.learnCustomersOnly(operation)
  return isAccepted
}

async function payAsSubstitute(context: PlanContext): Promise<boolean> {
  // Finds a key that the service knows.
  await sendValid(context, 'checkKey')
  const by = 'substitute'
  const input = await validRequest(context, 'createTransfer', { example: 3, by })
  if (!input) return false
  const { isAccepted } = await context.send('createTransfer', input)
  return isAccepted
}

/**
 * Creates a record for a key of the substitute, which the run uses from then on, or reads the list if
 * the substitute has none.
 */
async function createAsSubstitute(context: PlanContext, operation: Operation): Promise<boolean> {
  const ofResource = context.contract.operations.filter(
    ({ id, resource, isAlias }) =>
      !isAlias && (id === operation.id || (resource && resource === operation.resource)),
  )
  const creation = ofResource.find(({ id }) => CODES.some((create) => create === id))
  if (creation && (await findOwnKey(context, creation.id))) return true

  const list = ofResource.find(({ role }) => role === 'list')
  if (!list) return false
  const { isAccepted } = await context.send(list.id, { by: 'substitute' })
  return isAccepted
}

/** Whether a code can be created for the key of the examples, or for one that customers often have. */
async function findOwnKey(context: PlanContext, create: string): Promise<boolean> {
  const by = 'substitute'
  const { isAccepted } = await context.send(create, { body: validBody(context, create), by })
  if (isAccepted) return true

  const taxId = context.identities.substitute?.taxId
  const keys = [...(taxId === undefined ? [] : [taxId]), ...(await keysToTry(context))]
  for (const dict_key of new Set(keys)) {
    const body = { ...validBody(context, create), dict_key }
    const ofKey = await context.send(create, { body, by })
    if (!ofKey.isAccepted) continue

    for (const id of CODES) context.found.keep(id, 0, { '/dict_key': dict_key })
    return true
  }
  return false
}

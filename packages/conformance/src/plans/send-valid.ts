import { type Json, stringAt } from '../contract/json.ts'
import { declaredKinds } from '../contract/kinds.ts'
import { ACTIVE, INACTIVE } from '../contract/words.ts'
import { findCustomers, findUser } from '../send/customers.ts'
import type { Input, Outcome } from '../send/requests.ts'
import { withFields } from './bodies.ts'
import type { PlanContext } from './plan.ts'
import {
  DEFAULT_EXAMPLES,
  prepareValidRequest,
  requestName,
  type ValidOptions,
} from './valid-requests.ts'

/** The outcome of a valid request, and the request that was sent. */
export interface ValidOutcome extends Outcome {
  readonly input: Input
}

/**
 * Builds a valid request, sends it, and returns its outcome. If the service refuses it, tries other values
 * in place of those of the example, such as another key, and returns the first accepted outcome. Undefined
 * if an earlier request that this one needs was refused.
 */
export async function sendValidRequest(
  context: PlanContext,
  operation: string,
  options?: ValidOptions,
): Promise<ValidOutcome | undefined> {
  const input = await prepareValidRequest(context, operation, options)
  if (!input) return undefined

  const outcome = await context.send(operation, input)
  // A request that was held back, such as by the guard of a live service, says nothing of the service.
  const wasSent = outcome.sentAt > 0
  if (!wasSent) return { ...outcome, input }

  context.noteValid(requestName(operation, options?.example), outcome.isAccepted)
  if (outcome.isAccepted) return { ...outcome, input }

  const refused: ValidOutcome = { ...outcome, input }
  if (operation === 'updateWebhook') {
    const paused = await pauseInServiceWord(context, refused)
    if (paused) return paused
  }
  const accepted = await sendWithOtherValues(context, operation, refused, options?.example)
  return accepted ?? refused
}

/** The status `inactive` of a webhook, for which a service may have a word of its own. */
const INACTIVE_WORD = {
  kind: declaredKinds.find(({ name }) => name === 'webhook'),
  field: 'status',
  word: INACTIVE,
}

/**
 * Tries to pause a webhook with the service's own word, after it refused the status `inactive`. The words
 * to try are those beside `active` in the text of the refusal, such as `paused`. Learns the word that is
 * accepted and shown. Undefined if none is.
 */
async function pauseInServiceWord(
  { send, form, noteValid }: PlanContext,
  { input, status, response }: ValidOutcome,
): Promise<ValidOutcome | undefined> {
  const { kind, field, word } = INACTIVE_WORD
  // A 5xx is an error of the service, whatever the word.
  const isRefused = stringAt(input.body, '/status') === word && status < 500
  if (!kind || !isRefused || form.hasServiceWord({ kind, field, word })) return undefined

  for (const serviceWord of wordsBeside(ACTIVE, response?.text ?? '')) {
    const body = withFields(input.body, { '/status': serviceWord })
    const updated = await send('updateWebhook', { ...input, body })
    const isShown = updated.isAccepted && stringAt(updated.json, '/status') === serviceWord
    if (!isShown) continue

    form.learnWord({ kind, field, word }, serviceWord)
    noteValid('updateWebhook', true)
    return { ...updated, input }
  }
  return undefined
}

/** The words that a text lists next to one, such as `paused` in "must be one of active, paused". */
function wordsBeside(word: string, text: string): readonly string[] {
  const separator = '["\'`]?\\s*(?:,|[|]|/|or|and)\\s*["\'`]?'
  const before = new RegExp(`([\\w-]+)${separator}${word}\\b`, 'i').exec(text)
  const after = new RegExp(`\\b${word}${separator}([\\w-]+)`, 'i').exec(text)
  return [before?.[1], after?.[1]].filter((neighbour) => neighbour !== undefined)
}

/**
 * Sends a refused request again with other values, until one is accepted. Later requests of this example
 * then have these values from the start. Undefined if none is accepted, or they were tried before in
 * this run.
 */
async function sendWithOtherValues(
  context: PlanContext,
  operation: string,
  refused: ValidOutcome,
  example = DEFAULT_EXAMPLES[operation] ?? 0,
): Promise<ValidOutcome | undefined> {
  const isFirstTime = context.acceptedValues.beginSearch(operation, example)
  if (!isFirstTime) return undefined

  for (const values of await otherValues(context, operation)) {
    const input = { ...refused.input, body: withFields(refused.input.body, values) }
    const outcome = await context.send(operation, input)
    if (!outcome.isAccepted) continue

    context.acceptedValues.remember(operation, example, values)
    context.noteValid(requestName(operation, example), true)
    return { ...outcome, input }
  }
  return undefined
}

/** Operations whose example has a key that a service may not know. */
const OPERATIONS_WITH_KEY: ReadonlySet<string> = new Set([
  'checkKey',
  'createStaticQrCode',
  'createImmediateQrCode',
  'createDueDateQrCode',
])

/** Values to try where a service refuses the example: `[{ '/dict_key': '12345678909' }, …]`. */
async function otherValues(context: PlanContext, operation: string): Promise<readonly Json[]> {
  // The example pauses the webhook, which a service may not offer.
  if (operation === 'updateWebhook') return [{ '/status': ACTIVE }]
  if (!OPERATIONS_WITH_KEY.has(operation)) return []

  const keys = operation === 'checkKey' ? await taxIdsOfLaterCustomers(context) : []
  keys.push(...(await keysToTry(context)))
  return keys.map((dict_key) => ({ '/dict_key': dict_key }))
}

/**
 * The tax IDs of all customers but the first two. The run acts as these two, and an identity may be
 * unable to pay its own key.
 */
async function taxIdsOfLaterCustomers({ send, maySearch }: PlanContext): Promise<string[]> {
  if (!maySearch) return []

  const [, , ...laterCustomers] = await findCustomers(send)
  return laterCustomers.flatMap(({ taxId }) => taxId ?? [])
}

/** The values of a user that are often keys: first the documents, then the addresses. */
const KEY_FIELDS = ['/customers/0/tax_id', '/tax_id', '/email', '/phone_number']

/**
 * Values of the first user with a customer that are often keys, such as its tax ID and its e-mail
 * address. None on a live service, where nobody is looked up.
 */
export async function keysToTry({ send, maySearch }: PlanContext): Promise<readonly string[]> {
  if (!maySearch) return []

  const user = await findUser(send)
  const values = KEY_FIELDS.flatMap((pointer) => stringAt(user?.shown, pointer) ?? [])
  return [...new Set(values)].filter((value) => value !== '')
}

import { type Json, stringAt } from '../contract/json.ts'
import { requireKind } from '../contract/kinds.ts'
import { ACTIVE, INACTIVE } from '../contract/words.ts'
import type { Word } from '../form/service-form.ts'
import { findCustomers, findUser } from '../send/customers.ts'
import { type Input, isRefusalStatus, type Outcome } from '../send/requests.ts'
import { withFields } from './bodies.ts'
import { findNamedFields } from './named-fields.ts'
import { payAsOthers } from './pay-as-others.ts'
import type { PlanContext } from './plan.ts'
import {
  defaultExample,
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
 * in place of those of the example, such as another key, and returns the first accepted outcome, or the first refusal
 * if none is. Undefined if an earlier request that this one needs was refused.
 */
export async function sendValidRequest(
  context: PlanContext,
  operation: string,
  options?: ValidOptions,
): Promise<ValidOutcome | undefined> {
  const input = await prepareValidRequest(context, operation, options)
  if (!input) return undefined

  const outcome = { ...(await context.send(operation, input)), input }
  // A request that was held back, such as by the guard of a live service, says nothing of the service.
  const wasSent = outcome.sentAt > 0
  if (!wasSent) return outcome

  const { isAccepted, status, json } = outcome
  const fields = isAccepted ? [] : findNamedFields(input.body, json)
  context.noteValid(requestName(operation, options?.example), isAccepted, { status, fields })
  if (isAccepted) return outcome

  // Each of these three does nothing if it does not fit the request.
  const paused = await pauseInServiceWord(context, operation, outcome)
  if (paused) return paused

  const paid = await payCodeAsOthers(context, outcome, options)
  if (paid) return paid

  const accepted = await sendWithOtherValues(context, operation, outcome, options?.example)
  return accepted ?? outcome
}

/**
 * Lets others pay a code whose valid payment was refused, since the payer may be the receiver. Returns the first
 * accepted payment; undefined if the request is no such payment, or nobody else could pay.
 */
async function payCodeAsOthers(
  context: PlanContext,
  { input, status }: ValidOutcome,
  options: ValidOptions | undefined,
): Promise<ValidOutcome | undefined> {
  const emv = stringAt(input.body, '/emv')
  const isPaymentOfCode = stringAt(input.body, '/type') === 'emv'
  // As `payer`, the run chooses who pays. Other identities are named by a plan.
  const isPayerChosen = input.by === 'payer'
  if (emv === undefined || !isPaymentOfCode || !isPayerChosen) return undefined
  if (!mayConcernPayer(status)) return undefined

  const check = () => context.send('checkCode', { body: { emv }, by: 'payer' })
  const { json } = await check()
  const paid = await payAsOthers(context, json, async () => {
    // A service may ask for a check by who pays.
    await check()
    return { ...(await context.send('createTransfer', input)), input }
  })
  if (paid) context.noteValid(requestName('createTransfer', options?.example), true)
  return paid
}

/** Statuses of a refusal that says nothing about who pays. */
const OTHER_REFUSALS: ReadonlySet<number> = new Set([401, 429])

/** Whether a service may have refused a payment for who pays, by the status of its response. */
function mayConcernPayer(status: number): boolean {
  return isRefusalStatus(status) && !OTHER_REFUSALS.has(status)
}

/** The status `inactive` of a webhook, for which a service may have a word of its own. */
const INACTIVE_WORD: Word = {
  kind: requireKind('webhook'),
  field: 'status',
  word: INACTIVE,
}

/** Names the search of a word among those of examples. */
const SEARCH_OF_WORD = 'word for inactive'

/** What services call a webhook that receives nothing, in English and Portuguese. */
const USUAL_WORDS = ['paused', 'disabled', 'suspended', 'stopped', 'inativo', 'pausado', 'suspenso']

/**
 * Tries to pause a webhook with the service's own word, after it refused the status `inactive`: the words beside
 * `active` in the text of the refusal, and once in a run the usual ones. Learns the word that is accepted and shown.
 * Undefined if none is, or if the refusal is not about that word.
 */
async function pauseInServiceWord(
  context: PlanContext,
  operation: string,
  refused: ValidOutcome,
): Promise<ValidOutcome | undefined> {
  const { send, form, noteValid, acceptedValues, maySearch } = context
  const { input, response } = refused
  const isWordKnown = form.hasServiceWord(INACTIVE_WORD)
  if (isWordKnown || !isWordRefused(operation, refused)) return undefined

  const isFirstTime = maySearch && acceptedValues.beginSearch(SEARCH_OF_WORD, 0)
  const wordsToTry = [
    ...wordsBeside(ACTIVE, response?.text ?? ''),
    ...(isFirstTime ? USUAL_WORDS : []),
  ]
  for (const serviceWord of wordsToTry) {
    const body = withFields(input.body, { '/status': serviceWord })
    const updated = await send('updateWebhook', { ...input, body })
    const isShown = updated.isAccepted && stringAt(updated.json, '/status') === serviceWord
    if (!isShown) continue

    form.learnWord(INACTIVE_WORD, serviceWord)
    noteValid('updateWebhook', true)
    return { ...updated, input }
  }
  return undefined
}

/** Statuses of a refusal that may be about a value in the body, and not about the token, the record or the rate. */
const REFUSALS_OF_VALUES: ReadonlySet<number> = new Set([400, 409, 422])

/** Whether the update of a webhook may have been refused for its word `inactive`. */
function isWordRefused(operation: string, { input, status }: ValidOutcome): boolean {
  const isPause = operation === 'updateWebhook' && stringAt(input.body, '/status') === INACTIVE
  return isPause && REFUSALS_OF_VALUES.has(status)
}

/** The words that a text lists before and after one, such as `paused` in "must be one of active, paused". */
function wordsBeside(word: string, text: string): readonly string[] {
  // A comma, a bar, a slash, `or` or `and`, between quotes or not: `active", "paused` and `active or paused`.
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
  example = defaultExample(operation),
): Promise<ValidOutcome | undefined> {
  const isFirstTime = context.acceptedValues.beginSearch(operation, example)
  if (!isFirstTime) return undefined

  // Such as `[{ '/dict_key': '12345678909' }]`; empty for most operations.
  const candidates = await otherValues(context, operation)
  for (const values of candidates) {
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

/** Values to try where a service refuses the example: `[{ '/dict_key': '12345678909' }, …]`; none of most operations. */
async function otherValues(context: PlanContext, operation: string): Promise<readonly Json[]> {
  // The example pauses the webhook, which a service may not offer.
  if (operation === 'updateWebhook') return [{ '/status': ACTIVE }]
  if (!OPERATIONS_WITH_KEY.has(operation)) return []

  // A tax ID is often a key. First those of customers other than the ones that look keys up, or that pay codes.
  const taxIds =
    operation === 'checkKey'
      ? await taxIdsOfLaterCustomers(context)
      : await taxIdsOfReceivers(context)
  const keys = new Set([...taxIds, ...(await keysToTry(context))])
  return [...keys].map((dict_key) => ({ '/dict_key': dict_key }))
}

/** The tax IDs of customers that pay no codes: a service may let nobody pay oneself. */
async function taxIdsOfReceivers({ codePayers }: PlanContext): Promise<string[]> {
  const customers = await codePayers.listOtherCustomers()
  return customers.flatMap(({ taxId }) => taxId ?? [])
}

/**
 * The tax IDs of all customers but the first two. The run acts as these two, and an identity may be
 * unable to pay its own key.
 */
async function taxIdsOfLaterCustomers({ send, maySearch }: PlanContext): Promise<string[]> {
  if (!maySearch) return []

  const customers = await findCustomers(send)
  return customers.slice(2).flatMap(({ taxId }) => taxId ?? [])
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
  const keys = new Set<string>()
  for (const pointer of KEY_FIELDS) {
    const value = stringAt(user?.shown, pointer)
    if (value) keys.add(value)
  }
  return [...keys]
}

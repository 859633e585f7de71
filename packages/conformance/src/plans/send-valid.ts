import { type Json, stringAt } from '../contract/json.ts'
import { declaredKinds } from '../contract/kinds.ts'
import { findCustomers, findUser } from '../send/identities.ts'
import type { Input, Outcome } from '../send/sender.ts'
import { withFields } from './bodies.ts'
import type { PlanContext } from './plan.ts'
import { DEFAULT_EXAMPLES, requestName, type ValidOptions, validRequest } from './valid-requests.ts'

/** The outcome of a valid request, and what was sent. */
export interface ValidOutcome extends Outcome {
  readonly input: Input
}

/** Sends a valid request. */
export async function sendValid(
  context: PlanContext,
  operation: string,
  options?: ValidOptions,
): Promise<ValidOutcome | undefined> {
  const input = await validRequest(context, operation, options)
  if (!input) return undefined
  const outcome = await context.send(operation, input)
  const wasSent = outcome.sentAt > 0
  if (wasSent) context.noteValid(requestName(operation, options?.example), outcome.isAccepted)
  if (!wasSent || outcome.isAccepted) return { ...outcome, input }

  const inactive =
    operation === 'updateWebhook' && (await pauseInOwnWord(context, { input, outcome }))
  if (inactive) return inactive
  const other = await sendWithOtherValues(context, operation, { input, example: options?.example })
  return other ?? { ...outcome, input }
}

/**
 * Pauses a webhook in the word of the service: one that the refusal of `inactive` names, and that an
 * update then shows.
 */
async function pauseInOwnWord(
  { send, form, noteValid }: PlanContext,
  { input, outcome }: { readonly input: Input; readonly outcome: Outcome },
): Promise<ValidOutcome | undefined> {
  const { kind, field, word } = INACTIVE
  const isRefused = stringAt(input.body, '/status') === word && outcome.status < 500
  if (!kind || !isRefused || form.hasServiceWord({ kind, field, word })) return undefined

  for (const status of wordsBeside('active', outcome.response?.text ?? '')) {
    const body = withFields(input.body, { '/status': status })
    const updated = await send('updateWebhook', { ...input, body })
    const isShown = updated.isAccepted && stringAt(updated.json, '/status') === status
    if (!isShown) continue
    form.learnWord({ kind, field, word }, status)
    noteValid('updateWebhook', true)
    return { ...updated, input }
  }
  return undefined
}

/** The words that a text lists next to one, such as `paused` in "must be one of active, paused". */
function wordsBeside(word: string, text: string): readonly string[] {
  const between = '["\'`]?\\s*(?:,|[|]|/|or|and)\\s*["\'`]?'
  const before = new RegExp(`([\\w-]+)${between}${word}\\b`, 'i').exec(text)
  const after = new RegExp(`\\b${word}${between}([\\w-]+)`, 'i').exec(text)
  return [before?.[1], after?.[1]].filter((each) => each !== undefined)
}

const INACTIVE = {
  kind: declaredKinds.find(({ name }) => name === 'webhook'),
  field: 'status',
  word: 'inactive',
}

/**
 * Sends a request that was refused with other values, once in a run. Later requests of the operation
 * have them too, if they are accepted.
 */
async function sendWithOtherValues(
  context: PlanContext,
  operation: string,
  {
    input,
    example = DEFAULT_EXAMPLES[operation] ?? 0,
  }: { input: Input; example?: number | undefined },
): Promise<ValidOutcome | undefined> {
  if (!context.found.begin(operation, example)) return undefined

  for (const values of await otherValues(context, operation)) {
    const otherInput = { ...input, body: withFields(input.body, values) }
    const outcome = await context.send(operation, otherInput)
    if (!outcome.isAccepted) continue

    context.found.keep(operation, example, values)
    context.noteValid(requestName(operation, example), true)
    return { ...outcome, input: otherInput }
  }
  return undefined
}

/** Operations whose example has a key that a service may not know. */
const OF_KEYS: ReadonlySet<string> = new Set([
  'checkKey',
  'createStaticQrCode',
  'createImmediateQrCode',
  'createDueDateQrCode',
])

/** What else is valid where the value of an example is refused, which a service may not know. */
async function otherValues(context: PlanContext, operation: string): Promise<readonly Json[]> {
  if (operation === 'updateWebhook') return [{ '/status': 'active' }]
  if (!OF_KEYS.has(operation)) return []

  const keys = operation === 'checkKey' ? await keysOfOthers(context) : []
  keys.push(...(await keysToTry(context)))
  return keys.map((dict_key) => ({ '/dict_key': dict_key }))
}

/** The tax IDs of customers who act in no request, so that each identity can pay their keys. */
async function keysOfOthers({ send, maySearch }: PlanContext): Promise<string[]> {
  if (!maySearch) return []
  const [, , ...others] = await findCustomers(send)
  return others.flatMap(({ taxId }) => taxId ?? [])
}

/** What of a user and its customers is often a key: first the documents, then the addresses. */
const KEY_FIELDS = ['/customers/0/tax_id', '/tax_id', '/email', '/phone_number']

/** What may be a key of the first user that has a customer. On a live service, nobody is looked up. */
export async function keysToTry({ send, maySearch }: PlanContext): Promise<readonly string[]> {
  if (!maySearch) return []
  const user = await findUser(send)
  const keys = KEY_FIELDS.flatMap((pointer) => stringAt(user?.shown, pointer) ?? [])
  return [...new Set(keys)].filter((key) => key !== '')
}

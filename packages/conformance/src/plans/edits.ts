import { isDeepStrictEqual } from 'node:util'
import { stepsOf } from '@partner-payments/validator'
import type { Operation } from '../contract/contract.ts'
import { leavesOf, stringAt, withValue } from '../contract/json.ts'
import { fieldName } from '../contract/kinds.ts'
import { type Edit, edited, editsOf, isValidInput } from '../generate.ts'
import type { Intent } from '../history.ts'
import { type Input, type Outcome, pathOf } from '../send/sender.ts'
import type { Plan, PlanContext } from './plan.ts'
import { CODE_KINDS } from './records.ts'
import { renewedRequest, validRequest } from './valid-requests.ts'

/** Sends requests with values at the limits of their schemas, and without optional fields. */
export const boundaries: Plan = {
  id: 'boundaries',
  beside: 'edits',
  wants: ['requests-accepted'],
  async run(context) {
    await forEachAccepted(context, (accepted) => tryBoundaries(context, accepted))
  },
}

async function tryBoundaries(context: PlanContext, accepted: Accepted): Promise<void> {
  const edits = accepted.edits.filter(({ isValid }) => isValid)
  const together = edits.filter(isFree)
  const alone = edits.filter((edit) => !isFree(edit))
  const rounds = roundsOf(together)
  const areAcceptedTogether = await context.sideBySide(rounds, (round) =>
    areAccepted(context, accepted, round),
  )
  for (const [i, round] of rounds.entries()) if (!areAcceptedTogether[i]) alone.push(...round)

  await context.sideBySide(lanesOf(alone), async (lane) => {
    for (const edit of lane) {
      if (context.signal.aborted) return
      const input = edited(accepted.input, [edit])
      await sendEdited(context, accepted, input, { edit: edit.pointer })
    }
  })
}

/** Edits that are sent one after the other. */
const LANE = 8

/** Edits in parts that can be sent side by side. */
function lanesOf(edits: readonly Edit[]): readonly (readonly Edit[])[] {
  const lanes: Edit[][] = []
  for (let from = 0; from < edits.length; from += LANE) lanes.push(edits.slice(from, from + LANE))
  return lanes
}

/** Fields that no rule of the business reads, so that they can be edited at once. */
const FREE_FIELDS: ReadonlySet<string> = new Set([
  'message', // text for the payer
  'description', // text for the payer
  'additional_infos', // text for the payer
  'payer', // whoever has the code may pay it
])

function isFree({ pointer, value }: Edit): boolean {
  // A payer has a name and a tax ID.
  const isOfPayer = ['/payer', '/payer/name', '/payer/tax_id'].includes(pointer)
  if (isOfPayer) return typeof value === 'string' && value !== ''

  return FREE_FIELDS.has(fieldName(pointer))
}

/** Each edit in the first round that has none around it. */
function roundsOf(edits: readonly Edit[]): Edit[][] {
  const isAround = (one: Edit, other: Edit) => `${other.pointer}/`.startsWith(`${one.pointer}/`)
  const isApart = (one: Edit, other: Edit) => !isAround(one, other) && !isAround(other, one)
  const rounds: Edit[][] = []
  for (const edit of edits) {
    const fitting = rounds.find((round) => round.every((other) => isApart(edit, other)))
    if (fitting) fitting.push(edit)
    else rounds.push([edit])
  }
  return rounds
}

/** Whether a request with several edits is accepted. If not, each has to be sent alone. */
async function areAccepted(
  context: PlanContext,
  of: Accepted,
  edits: readonly Edit[],
): Promise<boolean> {
  if (edits.length === 1 || context.signal.aborted) return false
  const input = edited(of.input, edits)
  if (!isValidInput(of.operation, input)) return false
  const pointers = edits.map(({ pointer }) => pointer)
  const outcome = await sendEdited(context, of, input, { edits: pointers })
  return outcome?.isAccepted ?? false
}

/**
 * Sends requests with several random values, valid and invalid ones, for the time that is given.
 */
export const random: Plan = {
  id: 'random',
  beside: 'edits',
  wants: [],
  async run(context) {
    const accepted = await forEachAccepted(context, async (accepted) => accepted)
    const withBody = accepted.filter(({ input }) => input.body !== undefined)
    if (withBody.length === 0) return

    const until = performance.now() + context.timeMs
    const numbers = Array.from({ length: MOST }, (_, i) => i)
    await context.sideBySide(numbers, async (i) => {
      if (performance.now() >= until || context.signal.aborted) return
      // One of each in turn.
      const valid = withBody[i % withBody.length]
      if (valid) await sendRandom(context, valid)
    })
  },
}

async function sendRandom(context: PlanContext, accepted: Accepted): Promise<void> {
  const input = edited(accepted.input, randomEdits(context, accepted.edits))
  const isChanged = !isDeepStrictEqual(input.body, accepted.input.body)
  if (isChanged) await sendEdited(context, accepted, input, { edit: '' })
}

/** Requests of a run. */
const MOST = 30
/** Valid edits of one request. */
const COMBINED = 3

/** Random edits, of which one at most is invalid. */
function randomEdits({ random }: PlanContext, edits: readonly Edit[]): Edit[] {
  const hasInvalid = random() < 1 / 2
  const ofFields = edits.filter(({ pointer }) => pointer !== '')
  const valid = ofFields.filter(({ isValid }) => isValid)
  const invalid = ofFields.filter(({ isValid }) => !isValid)

  const choices = Array.from({ length: COMBINED }, () => valid)
  if (hasInvalid) choices.push(invalid)
  return choices.flatMap((choice) => choice[Math.floor(random() * choice.length)] ?? [])
}

/** A valid request that was just accepted, from which others are edited. */
export interface Accepted {
  readonly operation: Operation
  readonly input: Input
  readonly sentAt: number
  /** Its edits, apart from those of places that another example of the operation has too. */
  readonly edits: readonly Edit[]
}

/**
 * Sends a valid request of each chosen operation with a body or a query, and passes on those that
 * are accepted.
 */
async function forEachAccepted<Result>(
  context: PlanContext,
  work: (accepted: Accepted) => Promise<Result>,
): Promise<readonly Result[]> {
  const { contract, isChosen, sideBySide } = context
  const operations = contract.operations.filter(
    ({ id, isAlias }) => !isAlias && isChosen(id) && isEditable(context, id),
  )
  const results = await sideBySide(operations, (operation) =>
    sendExamples(context, operation, work),
  )
  return results.flat()
}

/** Sends the examples of an operation, and passes on those that are accepted. */
async function sendExamples<Result>(
  context: PlanContext,
  operation: Operation,
  work: (accepted: Accepted) => Promise<Result>,
): Promise<readonly Result[]> {
  const { signal, clock } = context
  const all: Accepted[] = []
  const known = new Set<string>()
  for (const example of examplesOf(operation.id)) {
    if (signal.aborted) break
    const input = await validRequest(context, operation.id, { example, isFull: true })
    if (!input) continue
    const outcome = await sendOnce(context, operation, input)
    if (!outcome.isAccepted) continue

    const edits = editsOf(operation, input, clock).filter(({ pointer }) => !known.has(pointer))
    all.push({ operation, input, sentAt: outcome.sentAt, edits })
    // Both examples of a transfer have an amount, of which each has rules of its own.
    for (const { pointer } of edits) if (pointer !== '/amount') known.add(pointer)
  }
  return context.sideBySide(all, work)
}

/** Whether requests of an operation have a body, or a query. */
function isEditable({ contract }: PlanContext, operation: string): boolean {
  return contract.examples(operation).length > 0 || LISTS_WITH_QUERY.has(operation)
}

const LISTS_WITH_QUERY: ReadonlySet<string> = new Set(CODE_KINDS.map(({ list }) => list))

/** The examples that are edited. */
function examplesOf(operation: string): readonly number[] {
  // A static code, which can be paid any number of times, and a key.
  return operation === 'createTransfer' ? [0, 3] : [0]
}

/** Sends an edited request with new one-time values. */
async function sendEdited(
  context: PlanContext,
  { operation, sentAt }: Accepted,
  edited: Input,
  intent: Intent,
): Promise<Outcome | undefined> {
  const input = await renewedRequest(context, edited, intent.edit)
  if (!input) return undefined
  return sendOnce(context, operation, { ...input, intent: { ...intent, variantOf: sentAt } })
}

/**
 * Sends a request. A webhook that it creates is deleted, since a partner may have only so many.
 *
 * @param look Looks at that webhook before.
 */
export async function sendOnce(
  context: PlanContext,
  { id }: Operation,
  input: Input,
  look?: (webhookId: string) => Promise<unknown>,
): Promise<Outcome> {
  const outcome = await context.send(id, input)
  if (id !== 'createWebhook' || !outcome.isAccepted) return outcome

  const webhook_id = stringAt(outcome.json, '/id')
  if (webhook_id === undefined) return outcome
  await look?.(webhook_id)
  await context.send('deleteWebhook', { path: { webhook_id } })
  return outcome
}

/**
 * Sends requests with one value that the contract does not allow, and with values that break
 * parsers and stores.
 */
export const breaks: Plan = {
  id: 'breaks',
  wants: ['refusals-invalid', 'refusals-placed', 'responses-errors'],
  async run(context) {
    await forEachAccepted(context, (accepted) => breakRequest(context, accepted))
  },
}

async function breakRequest(context: PlanContext, accepted: Accepted): Promise<void> {
  const { operation, sentAt, input, edits } = accepted
  const invalid = edits.filter(({ isValid }) => !isValid)
  const lanes = lanesOf(invalid)
  const refused = await context.sideBySide(lanes, (lane) => tryInvalid(context, accepted, lane))
  if (context.signal.aborted) return

  const [first, second] = firstOfEachField(refused.flat())
  const valid = first && second && (await renewedRequest(context, input))
  if (valid) {
    const intent = { variantOf: sentAt, edits: [first.pointer, second.pointer] }
    await sendOnce(context, operation, { ...edited(valid, [first, second]), intent })
  }

  if (input.body === undefined) await sendParameters(context, accepted)
  else await sendUnusual(context, accepted)
}

/** Sends invalid edits of a request. Returns those that are refused with 400. */
async function tryInvalid(
  context: PlanContext,
  { operation, sentAt, input }: Accepted,
  edits: readonly Edit[],
): Promise<readonly Edit[]> {
  const refused: Edit[] = []
  let valid = await renewedRequest(context, input)
  for (const edit of edits) {
    if (context.signal.aborted || !valid) return refused
    const intent = { variantOf: sentAt, edit: edit.pointer }
    const { status } = await sendOnce(context, operation, { ...edited(valid, [edit]), intent })
    if (status === 400) refused.push(edit)
    if (mayHaveUsedValues(status)) valid = await renewedRequest(context, valid)
  }
  return refused
}

/** Whether one-time values may be used up, whose conflict would say nothing about the next edit. */
function mayHaveUsedValues(status: number): boolean {
  // 409: they were used before.
  if (status === 409) return true
  const isRefused = status >= 400 && status < 500
  return !isRefused
}

/** Edits of different fields, the first of each. */
function firstOfEachField(edits: readonly Edit[]): Edit[] {
  const free = edits.filter(({ pointer }) => !CHOOSING.has(pointer))
  const byField = Map.groupBy(free, ({ pointer }) => fieldName(pointer))
  return [...byField.values()].flatMap(([first]) => first ?? [])
}

/** What chooses between alternatives of a body, and so changes what its other fields mean. */
const CHOOSING: ReadonlySet<string> = new Set([
  '', // the body itself
  '/type', // of a transfer: to a key or to a code
  '/emv', // the code that is paid
  '/initiation_id', // the look-up of the key that is paid
  '/dict_key', // the key that is paid
])

/** Values of a parameter that break SQL statements, decoders and number parsers. */
const PARAMETERS = ["'", '\u0000', 'c_', '💰', '%', '9'.repeat(400)]

/** Each parameter twice, and with values that a service may accept or refuse, but must survive. */
async function sendParameters(
  { send, sideBySide }: PlanContext,
  { operation, input, sentAt }: Accepted,
): Promise<void> {
  const valid = { limit: '2', status: 'ATIVA', tax_id: '12345678909' }
  const twice = Object.entries(valid).map(([name, value]) => ({
    at: `${pathOf(operation, {})}?${name}=${value}&${name}=${value}`,
    intent: { variantOf: sentAt, edit: `/${name}` },
  }))
  const breaking = ['cursor', 'status', 'tax_id'].flatMap((name) =>
    PARAMETERS.map((value) => ({ query: { [name]: value } })),
  )
  await sideBySide([...twice, ...breaking], (edit) => send(operation.id, { ...input, ...edit }))
}

/** Undeclared fields that break parsers and stores (RFC 8259, sections 6, 8.2 and 9). */
const FIELDS = [
  `"x_deep": ${'['.repeat(2_000)}${']'.repeat(2_000)}`,
  '"x_huge": 1e400',
  '"__proto__": {"toString": 1}, "constructor": null',
]
/** An unpaired surrogate, and NUL, which many stores refuse. */
const TEXTS = ['a\ud800', 'a\u0000b']

/** Sends what a service may accept or refuse, but must survive. */
async function sendUnusual(context: PlanContext, { operation, input }: Accepted): Promise<void> {
  async function sendAs(bodyOf: (body: unknown) => string): Promise<void> {
    const fresh = await renewedRequest(context, input)
    if (fresh) await sendOnce(context, operation, { ...fresh, body: bodyOf(fresh.body) })
  }

  const withFields = FIELDS.map(
    (field) => (body: unknown) => `${JSON.stringify(body).slice(0, -1)},${field}}`,
  )
  const withOtherTexts = TEXTS.map(
    (text) => (body: unknown) => JSON.stringify(withTexts(body, text)),
  )
  await context.sideBySide([...withFields, ...withOtherTexts], sendAs)
}

/**
 * A body whose free texts are replaced, or what it names if it has none: a key, a code or a user.
 */
function withTexts(body: unknown, text: string): unknown {
  const strings = leavesOf(body).filter(([, leaf]) => typeof leaf === 'string')
  const pointers = strings.map(([pointer]) => pointer)
  const texts = pointers.filter(isText)
  const replaced = texts.length > 0 ? texts : pointers.filter(isNaming)
  let edited = body
  for (const pointer of replaced) edited = withValue(edited, pointer, text)
  return edited
}

/** Names of fields that have any text. */
const TEXT_FIELDS: ReadonlySet<string> = new Set([
  'message',
  'description',
  'name',
  'city',
  'address_line',
  'value',
])
/** Names of fields that name something. */
const NAMING_FIELDS: ReadonlySet<string> = new Set(['dict_key', 'emv', 'user_id'])

function isText(pointer: string): boolean {
  // The beneficiary must be the one that was looked up.
  if (pointer.startsWith('/beneficiary/')) return false
  return TEXT_FIELDS.has(lastName(pointer))
}

function isNaming(pointer: string): boolean {
  return NAMING_FIELDS.has(lastName(pointer))
}

function lastName(pointer: string): string {
  return stepsOf(pointer).at(-1) ?? ''
}

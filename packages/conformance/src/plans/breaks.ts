import { stepsOf } from '@partner-payments/validator'
import { leavesOf, withValue } from '../contract/json.ts'
import { fieldName } from '../contract/kinds.ts'
import { OPEN } from '../contract/words.ts'
import { applyEdits, type Edit } from '../generate.ts'
import { type Input, isRefusalStatus, pathOf } from '../send/requests.ts'
import {
  type AcceptedRequest,
  divideEditsIntoLanes,
  forEachAccepted,
  sendAndDeleteWebhook,
} from './accepted-requests.ts'
import type { Plan, PlanContext } from './plan.ts'
import { renewRequest } from './valid-requests.ts'

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

/**
 * Sends invalid variants of an accepted request: each invalid edit alone, two of them together, then
 * values that break parsers and databases. An edit is a change of one field.
 */
async function breakRequest(context: PlanContext, accepted: AcceptedRequest): Promise<void> {
  const invalidEdits = accepted.edits.filter(({ isValid }) => !isValid)
  // Lanes are sent side by side, and the edits of a lane one after the other.
  const lanes = divideEditsIntoLanes(invalidEdits)
  // For each lane, the edits that were refused with 400.
  const refusedByLane = await context.sideBySide(lanes, (lane) =>
    sendInvalidEdits(context, accepted, lane),
  )
  if (context.signal.aborted) return

  // Each of the two is refused alone with 400. The refusal of both together shows if it names both faults.
  const [first, second] = firstOfEachField(refusedByLane.flat())
  if (first && second) await sendTogether(context, accepted, [first, second])

  const hasBody = accepted.input.body !== undefined
  if (hasBody) await sendUnusualBodies(context, accepted)
  else await sendParameters(context, accepted)
}

/**
 * Sends one variant of an accepted request for each invalid edit. Returns the edits that the service
 * refuses with 400.
 */
async function sendInvalidEdits(
  context: PlanContext,
  { operation, sentAt, input }: AcceptedRequest,
  edits: readonly Edit[],
): Promise<readonly Edit[]> {
  const refused: Edit[] = []
  let valid = await renewRequest(context, input)
  for (const edit of edits) {
    if (context.signal.aborted || !valid) return refused

    // Rules compare the variant with the accepted request, which its time names.
    const intent = { variantOf: sentAt, edit: edit.pointer }
    const variant = { ...applyEdits(valid, [edit]), intent }
    const { status } = await sendAndDeleteWebhook(context, operation, variant)
    if (status === 400) refused.push(edit)
    // What the service took in may have used up the one-time values, such as the tx_id.
    if (hasUsedValues(status)) valid = await renewRequest(context, valid)
  }
  return refused
}

/**
 * Whether the one-time values of a request, such as its `tx_id`, are used up or may be, by the status of the response:
 * after a success, a 5xx, and a 409, which says that they were used before. The next edit needs new ones then.
 */
function hasUsedValues(status: number): boolean {
  return status === 409 || !isRefusalStatus(status)
}

/** Sends one variant of an accepted request that has several invalid edits at once. */
async function sendTogether(
  context: PlanContext,
  { operation, sentAt, input }: AcceptedRequest,
  edits: readonly Edit[],
): Promise<void> {
  const valid = await renewRequest(context, input)
  if (!valid) return
  const intent = { variantOf: sentAt, edits: edits.map(({ pointer }) => pointer) }
  await sendAndDeleteWebhook(context, operation, { ...applyEdits(valid, edits), intent })
}

/** The first edit of each field, apart from fields that decide what the others mean. */
function firstOfEachField(edits: readonly Edit[]): Edit[] {
  const independent = edits.filter(({ pointer }) => !DECIDING_POINTERS.has(pointer))
  const byField = Map.groupBy(independent, ({ pointer }) => fieldName(pointer))
  return [...byField.values()].flatMap(([first]) => first ?? [])
}

/** Places that choose between alternatives of a body, and so change what its other fields mean. */
const DECIDING_POINTERS: ReadonlySet<string> = new Set([
  '', // the body itself
  '/type', // of a transfer: to a key or to a code
  '/emv', // the code that is paid
  '/initiation_id', // the look-up of the key that is paid
  '/dict_key', // the key that is paid
])

/** Values of a parameter that break SQL statements, decoders and number parsers. */
const BREAKING_PARAMETERS = ["'", '\u0000', 'c_', '💰', '%', '9'.repeat(400)]

/**
 * Sends the query of a list with each parameter twice, and with values that a service may refuse, but
 * must survive, such as control characters.
 */
async function sendParameters(context: PlanContext, accepted: AcceptedRequest): Promise<void> {
  const { operation, input } = accepted
  const breakingQueries: Input[] = []
  for (const name of ['cursor', 'status', 'tax_id']) {
    for (const value of BREAKING_PARAMETERS) breakingQueries.push({ query: { [name]: value } })
  }
  const edits = [...repeatedParameters(accepted), ...breakingQueries]
  await context.sideBySide(edits, (edit) => context.send(operation.id, { ...input, ...edit }))
}

/** Edits of a list's query in which a parameter is there twice: `?limit=2&limit=2`. Rules judge how each is refused. */
function repeatedParameters({ operation, sentAt }: AcceptedRequest): Input[] {
  const path = pathOf(operation, {})
  const parameters = ['limit=2', `status=${OPEN}`, 'tax_id=12345678909']
  return parameters.map((parameter) => {
    const [name] = parameter.split('=')
    return {
      pathAndQuery: `${path}?${parameter}&${parameter}`,
      intent: { variantOf: sentAt, edit: `/${name}` },
    }
  })
}

/** Undeclared fields that break parsers and stores (RFC 8259, sections 6, 8.2 and 9). */
const BREAKING_FIELDS = [
  `"x_deep": ${'['.repeat(2_000)}${']'.repeat(2_000)}`,
  '"x_huge": 1e400',
  '"__proto__": {"toString": 1}, "constructor": null',
]
/** An unpaired surrogate, and NUL, which many stores refuse. */
const BREAKING_TEXTS = ['a\ud800', 'a\u0000b']

/**
 * Sends bodies that a service may accept or refuse, but must survive: with one more field, such as an array that is
 * nested 2,000 times, and with texts such as `a\u0000b`.
 */
async function sendUnusualBodies(
  context: PlanContext,
  { operation, input }: AcceptedRequest,
): Promise<void> {
  // Functions that write a valid body as JSON with one such edit.
  const edits = [
    ...BREAKING_FIELDS.map((field) => (body: unknown) => appendField(body, field)),
    ...BREAKING_TEXTS.map((text) => (body: unknown) => JSON.stringify(withTexts(body, text))),
  ]
  await context.sideBySide(edits, async (editBody) => {
    const renewed = await renewRequest(context, input)
    if (!renewed) return
    // A text is sent as it is, so that it needs the service's own words.
    const body = editBody(context.form.toServiceBody(operation, renewed.body))
    await sendAndDeleteWebhook(context, operation, { ...renewed, body })
  })
}

/** Writes a body as JSON with one more field, as text, since JSON.stringify would not write 1e400. */
function appendField(body: unknown, field: string): string {
  const withoutBrace = JSON.stringify(body).slice(0, -1)
  return `${withoutBrace},${field}}`
}

/**
 * A copy of a body in which `text` replaces each free text: `{ tx_id: 'A1', message: 'Oi' }` becomes
 * `{ tx_id: 'A1', message: text }`. If the body has no free text, `text` replaces its keys, codes and ids of users.
 */
function withTexts(body: unknown, text: string): unknown {
  const strings = leavesOf(body).filter(([, leaf]) => typeof leaf === 'string')
  const pointers = strings.map(([pointer]) => pointer)
  const freeTexts = pointers.filter(isFreeText)
  const replacedPointers = freeTexts.length > 0 ? freeTexts : pointers.filter(isName)

  let edited = body
  for (const pointer of replacedPointers) edited = withValue(edited, pointer, text)
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

function isFreeText(pointer: string): boolean {
  // The beneficiary must be the one that was looked up.
  if (pointer.startsWith('/beneficiary/')) return false
  return TEXT_FIELDS.has(lastName(pointer))
}

function isName(pointer: string): boolean {
  return NAMING_FIELDS.has(lastName(pointer))
}

function lastName(pointer: string): string {
  return stepsOf(pointer).at(-1) ?? ''
}

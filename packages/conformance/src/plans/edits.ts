import { isDeepStrictEqual } from 'node:util'
import type { Operation } from '../contract/contract.ts'
import { leavesOf, stringAt, withValue } from '../contract/json.ts'
import { type Edit, edited, editsOf, isValidInput } from '../generate.ts'
import type { Intent } from '../history.ts'
import { type Input, type Outcome, pathOf } from '../send/sender.ts'
import { type Plan, type PlanContext, renewedRequest, validRequest } from './plan.ts'

/** Sends requests with values at the limits of their schemas, and without optional fields. */
export const boundaries: Plan = {
  id: 'boundaries',
  wants: ['requests-accepted'],
  run: (context) =>
    eachAccepted(context, async (accepted) => {
      const edits = accepted.edits.filter(({ isValid }) => isValid)
      const alone = edits.filter(({ pointer }) => !FREE.test(pointer))
      for (const round of roundsOf(edits.filter((it) => !alone.includes(it))))
        if (!(await areAccepted(context, accepted, round))) alone.push(...round)
      for (const edit of alone) {
        if (context.signal.aborted) return
        await sendEdited(context, accepted, edited(accepted.input, [edit]), { edit: edit.pointer })
      }
    }),
}

/** Fields that no rule of the business reads, so that they can be edited at once. */
const FREE = /^\/(message|description|additional_infos|payer)\b/

/** Each edit in the first round that has none around it. */
function roundsOf(edits: readonly Edit[]): Edit[][] {
  const isAround = (one: Edit, other: Edit) => `${other.pointer}/`.startsWith(`${one.pointer}/`)
  const rounds: Edit[][] = []
  for (const edit of edits) {
    const round = rounds.find((it) => !it.some((one) => isAround(one, edit) || isAround(edit, one)))
    if (round) round.push(edit)
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
  const input = edited(of.input, edits)
  if (edits.length === 1 || !isValidInput(of.operation, input) || context.signal.aborted)
    return false
  const outcome = await sendEdited(context, of, input, {
    edits: edits.map(({ pointer }) => pointer),
  })
  return outcome?.isAccepted ?? false
}

/**
 * Sends requests with several random values, valid and invalid ones, for the time that is given.
 */
export const random: Plan = {
  id: 'random',
  wants: [],
  async run(context) {
    const accepted: Accepted[] = []
    await eachAccepted(context, async (it) => {
      if (it.input.body !== undefined) accepted.push(it)
    })
    const until = performance.now() + context.timeMs
    for (
      let sent = 0;
      sent < MOST && performance.now() < until && !context.signal.aborted;
      sent++
    ) {
      const of = accepted[sent % accepted.length]
      const input = of && edited(of.input, chosen(context, of.edits))
      if (input && !isDeepStrictEqual(input.body, of.input.body))
        await sendEdited(context, of, input, { edit: '' })
    }
  },
}

/** Requests of a run, and valid edits of one request. */
const MOST = 30
const COMBINED = 3

/** Random edits, of which one at most is invalid. */
function chosen({ random }: PlanContext, edits: readonly Edit[]): Edit[] {
  const isInvalid = random() < 1 / 2
  const wanted = [...Array(COMBINED).fill(true), ...(isInvalid ? [false] : [])]
  return wanted.flatMap((isValid) => {
    const all = edits.filter((it) => it.isValid === isValid && it.pointer !== '')
    return all[Math.floor(random() * all.length)] ?? []
  })
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
async function eachAccepted(
  context: PlanContext,
  work: (accepted: Accepted) => Promise<void>,
): Promise<void> {
  const { contract, isChosen, signal, clock } = context
  for (const operation of contract.operations) {
    const { id, isAlias } = operation
    const isEditable =
      contract.examples(id).length > 0 || /^list(Immediate|DueDate)QrCodes$/.test(id)
    if (isAlias || !isChosen(id) || !isEditable) continue
    const known = new Set<string>()
    // A static code, which can be paid any number of times, and a key.
    for (const example of id === 'createTransfer' ? [0, 3] : [0]) {
      if (signal.aborted) return
      const input = await validRequest(context, id, { example, isFull: true })
      const outcome = input && (await sendOnce(context, operation, input))
      if (!input || !outcome?.isAccepted) continue
      const edits = editsOf(operation, input, clock).filter(({ pointer }) => !known.has(pointer))
      await work({ operation, input, sentAt: outcome.sentAt, edits })
      for (const { pointer } of edits) if (pointer !== '/amount') known.add(pointer)
    }
  }
}

/** Sends an edited request with new one-time values. */
async function sendEdited(
  context: PlanContext,
  { operation, sentAt }: Accepted,
  edited: Input,
  intent: Intent,
): Promise<Outcome | undefined> {
  const input = await renewedRequest(context, edited, intent.edit)
  return (
    input && sendOnce(context, operation, { ...input, intent: { ...intent, variantOf: sentAt } })
  )
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
  const webhook_id =
    id === 'createWebhook' && outcome.isAccepted ? stringAt(outcome.json, '/id') : undefined
  if (webhook_id !== undefined) await look?.(webhook_id)
  if (webhook_id !== undefined) await context.send('deleteWebhook', { path: { webhook_id } })
  return outcome
}

/**
 * Sends requests with one value that the contract does not allow, and with values that break
 * parsers and stores.
 */
export const breaks: Plan = {
  id: 'breaks',
  wants: ['refusals-invalid', 'refusals-placed', 'responses-errors'],
  run: (context) =>
    eachAccepted(context, async (accepted) => {
      const { operation, sentAt, edits } = accepted
      let valid = await renewedRequest(context, accepted.input)
      const refused: Edit[] = []
      for (const edit of edits.filter(({ isValid }) => !isValid)) {
        if (context.signal.aborted || !valid) return
        const intent = { variantOf: sentAt, edit: edit.pointer }
        const { status } = await sendOnce(context, operation, { ...edited(valid, [edit]), intent })
        const isRefused = status >= 400 && status < 500 && status !== 409
        if (status === 400) refused.push(edit)
        // A conflict of a used one-time value would say nothing about the next edit.
        if (!isRefused) valid = await renewedRequest(context, valid)
      }
      const [first, second] = apart(refused)
      if (valid && first && second) {
        const intent = { variantOf: sentAt, edits: [first.pointer, second.pointer] }
        await sendOnce(context, operation, { ...edited(valid, [first, second]), intent })
      }
      if (accepted.input.body === undefined) await sendParameters(context, accepted)
      else await sendUnusual(context, accepted)
    }),
}

/**
 * Edits of different fields, the first of each. Those that choose between alternatives change what
 * the others mean.
 */
function apart(edits: readonly Edit[]): Edit[] {
  const free = edits.filter(
    ({ pointer }) => !/^(\/(type|emv|initiation_id|dict_key))?$/.test(pointer),
  )
  return [...Map.groupBy(free, ({ pointer }) => pointer.split('/')[1]).values()].flatMap(
    ([it]) => it ?? [],
  )
}

/** Values of a parameter that break SQL statements, decoders and number parsers. */
const PARAMETERS = ["'", '\u0000', 'c_', '💰', '%', '9'.repeat(400)]

/** Each parameter twice, and with values that a service may accept or refuse, but must survive. */
async function sendParameters(
  { send }: PlanContext,
  { operation, input, sentAt }: Accepted,
): Promise<void> {
  const { id } = operation
  for (const [name, value] of Object.entries({
    limit: '2',
    status: 'ATIVA',
    tax_id: '12345678909',
  })) {
    const at = `${pathOf(operation, {})}?${name}=${value}&${name}=${value}`
    await send(id, { ...input, at, intent: { variantOf: sentAt, edit: `/${name}` } })
  }
  for (const name of ['cursor', 'status', 'tax_id'])
    for (const value of PARAMETERS) await send(id, { ...input, query: { [name]: value } })
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
  const bodies = [
    ...FIELDS.map((field) => (body: unknown) => `${JSON.stringify(body).slice(0, -1)},${field}}`),
    ...TEXTS.map((text) => (body: unknown) => JSON.stringify(withTexts(body, text))),
  ]
  for (const bodyOf of bodies) {
    const fresh = await renewedRequest(context, input)
    if (fresh) await sendOnce(context, operation, { ...fresh, body: bodyOf(fresh.body) })
  }
}

/**
 * A body whose free texts are replaced, or what it names if it has none: a key, a code or a user.
 */
function withTexts(body: unknown, text: string): unknown {
  const texts = leavesOf(body).filter(([, it]) => typeof it === 'string')
  const free = texts.filter(
    ([pointer]) => TEXT.test(pointer) && !pointer.startsWith('/beneficiary/'),
  )
  const replaced = free.length > 0 ? free : texts.filter(([pointer]) => NAMING.test(pointer))
  return replaced.reduce((edited, [pointer]) => withValue(edited, pointer, text), body)
}

const TEXT = /\/(message|description|name|city|address_line|value)$/
const NAMING = /\/(dict_key|emv|user_id)$/

import { isDeepStrictEqual } from 'node:util'
import type { Operation } from '../contract/contract.ts'
import { stringAt, valueAt, withValue } from '../contract/json.ts'
import { type Edit, editsOf, isValidInput } from '../generate/edits.ts'
import type { Intent } from '../history.ts'
import type { Input, Outcome } from '../send/sender.ts'
import type { Plan, PlanContext } from './plan.ts'
import { renewedRequest, validRequest } from './valid.ts'

/** Values at the edges of what the contract allows. */
export const boundaries: Plan = {
  id: 'boundaries',
  says: 'Sends requests with values at the limits of their schemas, and without optional fields.',
  wants: ['requests-accepted'],
  run: (context) =>
    eachAccepted(context, async (accepted) => {
      const edits = accepted.edits.filter(({ isValid }) => isValid)
      const alone = edits.filter(({ pointer }) => !FREE.test(pointer))
      for (const round of roundsOf(edits.filter((it) => !alone.includes(it))))
        alone.push(...(await sendTogether(context, accepted, round)))
      for (const edit of [...alone, ...ownEdits(context, accepted), ...pairs(accepted)]) {
        if (context.signal.aborted) return
        await sendEdited(context, accepted, edit)
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

/** Sends edits in one request. Returns those that have to be sent alone. */
async function sendTogether(
  context: PlanContext,
  of: Accepted,
  edits: readonly Edit[],
): Promise<readonly Edit[]> {
  const input = joined(of, edits)
  if (edits.length === 1 || !isValidInput(of.operation, input) || context.signal.aborted) return edits
  const intent = { variantOf: of.sentAt, edits: edits.map(({ pointer }) => pointer) }
  const outcome = await sendEdited(context, of, { input, pointer: '' }, intent)
  return outcome?.isAccepted ? [] : edits
}

/** Discounts, whose fields depend on each other. */
function ownEdits({ clock }: PlanContext, { operation, input }: Accepted): Edited[] {
  if (operation.id !== 'createDueDateQrCode') return []
  const dated = { modality: '2', fixedDateDiscount: [{ amount: '5.00', date: clock.day(1) }] }
  const daily = ['3', '4', '5', '6'].map((modality) => ({ modality, amount: '1.00' }))
  const pointer = '/amount/discount'
  return [dated, ...daily].map((it) => ({
    input: { ...input, body: withValue(input.body, pointer, it) },
    pointer,
  }))
}

/** Two filters at once. */
function pairs({ operation, input }: Accepted): Edited[] {
  if (input.body !== undefined) return []
  const filters = { limit: '2', status: 'ATIVA', tax_id: '12345678909' }
  const names = Object.keys(filters) as (keyof typeof filters)[]
  const all = names.map((left) =>
    Object.fromEntries(names.filter((it) => it !== left).map((it) => [it, filters[it]])),
  )
  return all
    .map((query) => ({ input: { ...input, query }, pointer: '' }))
    .filter((it) => isValidInput(operation, it.input))
}

/** Requests with several unusual values at once. */
export const random: Plan = {
  id: 'random',
  says: 'Sends requests with several random values, valid and invalid ones, for the time that is given.',
  wants: [],
  async run(context) {
    const accepted: Accepted[] = []
    await eachAccepted(context, async (it) => {
      if (it.input.body !== undefined) accepted.push(it)
    })
    const until = performance.now() + context.timeMs
    for (let sent = 0; sent < MOST && accepted.length > 0 && performance.now() < until; sent++) {
      const of = accepted[sent % accepted.length]
      const edit = of && combined(context, of, of.edits)
      if (edit) await sendEdited(context, of, edit)
      if (context.signal.aborted) return
    }
  },
}

/** Requests of a run. */
const MOST = 30
/** Edits of one request. */
const COMBINED = 3

/** A request with several edits, of which one at most is invalid. */
function combined({ random }: PlanContext, of: Accepted, edits: readonly Edit[]): Edited | undefined {
  const isInvalid = random() < 1 / 2
  const [valid, invalid] = [true, false].map((is) =>
    edits.filter((it) => it.isValid === is && it.pointer !== ''),
  )
  const pick = (all: readonly Edit[] = []) => all[Math.floor(random() * all.length)]
  const chosen = [
    ...Array.from({ length: COMBINED }, () => pick(valid)),
    isInvalid ? pick(invalid) : undefined,
  ]
  const input = joined(
    of,
    chosen.filter((it) => it !== undefined),
  )
  return isDeepStrictEqual(input.body, of.input.body) ? undefined : { input, pointer: '' }
}

/** A valid request that was just accepted, from which others are edited. */
export interface Accepted {
  readonly operation: Operation
  readonly input: Input
  readonly sentAt: number
  /** Its edits, apart from those of places that another example of the operation has too. */
  readonly edits: readonly Edit[]
}

type Edited = Pick<Edit, 'input' | 'pointer'>

/** The examples from which requests are edited, where there are several kinds: a static code can be paid any number of times. */
const KINDS: Readonly<Record<string, readonly number[]>> = { createTransfer: [0, 3], checkCode: [0] }

/** Sends a valid request of each chosen operation with a body or a query, and passes on those that are accepted. */
export async function eachAccepted(
  context: PlanContext,
  work: (accepted: Accepted) => Promise<void>,
): Promise<void> {
  const { contract, isChosen, signal, clock } = context
  const operations = contract.operations.filter(
    ({ id, isAlias }) => !isAlias && isChosen(id) && isEditable(contract, id),
  )
  for (const operation of operations) {
    const known = new Set<string>()
    for (const example of KINDS[operation.id] ?? [0]) {
      if (signal.aborted) return
      const input = await validRequest(context, operation.id, { example, isFull: true })
      const outcome = input && (await sendOnce(context, operation, input))
      if (!input || !outcome?.isAccepted) continue
      const edits = editsOf(operation, input, clock).filter(({ pointer }) => !known.has(pointer))
      await work({ operation, input, sentAt: outcome.sentAt, edits })
      for (const { pointer } of edits) if (pointer !== '/amount') known.add(pointer)
    }
  }
}

/** Whether an operation has a body or parameters of the query. */
function isEditable({ examples }: PlanContext['contract'], id: string): boolean {
  return examples(id).length > 0 || /^list(Immediate|DueDate)QrCodes$/.test(id)
}

/** The edits of a request that make one request together. */
function joined({ input }: Accepted, edits: readonly Edit[]): Input {
  const body = edits.reduce(
    (built, it) => withValue(built, it.pointer, valueAt(it.input.body, it.pointer)),
    input.body,
  )
  return { ...input, body }
}

/** Sends an edited request with new one-time values, and removes what it creates. */
async function sendEdited(
  context: PlanContext,
  of: Accepted,
  edit: Edited,
  intent: Intent = { variantOf: of.sentAt, edit: edit.pointer },
): Promise<Outcome | undefined> {
  const input = await renewedRequest(context, edit.input, edit.pointer)
  return input && sendOnce(context, of.operation, { ...input, intent })
}

/** Sends a request. A webhook that it creates is deleted at once, since a partner may have only so many. */
export async function sendOnce(context: PlanContext, { id }: Operation, input: Input): Promise<Outcome> {
  const outcome = await context.send(id, input)
  const webhook_id = id === 'createWebhook' && outcome.isAccepted ? stringAt(outcome.json, '/id') : undefined
  if (webhook_id !== undefined) await context.send('deleteWebhook', { path: { webhook_id } })
  return outcome
}

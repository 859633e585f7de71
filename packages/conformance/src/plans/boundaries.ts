import { withValue } from '../contract/json.ts'
import { type Edit, isValidInput } from '../generate/edits.ts'
import { type Accepted, eachAccepted, joined, sendEdited } from './edited.ts'
import type { Plan, PlanContext } from './plan.ts'

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
function ownEdits({ clock }: PlanContext, { operation, input }: Accepted): Edit[] {
  if (operation.id !== 'createDueDateQrCode') return []
  const dated = { modality: '2', fixedDateDiscount: [{ amount: '5.00', date: clock.day(1) }] }
  const daily = ['3', '4', '5', '6'].map((modality) => ({ modality, amount: '1.00' }))
  const pointer = '/amount/discount'
  return [dated, ...daily].map((it) => ({
    input: { ...input, body: withValue(input.body, pointer, it) },
    pointer,
    isValid: true,
  }))
}

/** Two filters at once. */
function pairs({ operation, input }: Accepted): Edit[] {
  if (input.body !== undefined) return []
  const filters = { limit: '2', status: 'ATIVA', tax_id: '12345678909' }
  const names = Object.keys(filters) as (keyof typeof filters)[]
  const all = names.map((left) =>
    Object.fromEntries(names.filter((it) => it !== left).map((it) => [it, filters[it]])),
  )
  return all
    .map((query) => ({ input: { ...input, query }, pointer: '', isValid: true }))
    .filter((it) => isValidInput(operation, it.input))
}

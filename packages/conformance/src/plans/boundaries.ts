import { withValue } from '../contract/json.ts'
import { type Edit, editsOf, isValidInput } from '../generate/edits.ts'
import { type Accepted, eachAccepted, sendEdited } from './edited.ts'
import type { Plan, PlanContext } from './plan.ts'

/** Values at the edges of what the contract allows. */
export const boundaries: Plan = {
  id: 'boundaries',
  says: 'Sends requests with values at the limits of their schemas, and without optional fields.',
  wants: ['requests-accepted'],
  run: (context) =>
    eachAccepted(context, async (accepted) => {
      const edits = editsOf(accepted.operation, accepted.input, context.clock).filter(
        ({ isValid }) => isValid,
      )
      for (const edit of [...edits, ...ownEdits(context, accepted), ...pairs(accepted)]) {
        if (context.signal.aborted) return
        await sendEdited(context, accepted, edit)
      }
    }),
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

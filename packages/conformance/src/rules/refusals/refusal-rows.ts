import type { Behaviour, Refusal, Variant } from '@partner-payments/spec/behaviour'
import type { Context } from '../../engine/context.ts'
import type { Exchange, Identity } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { editedRequest, validRequest } from './variant-request.ts'

/** A request that is refused with a code, or one at the edge of the rule that is accepted. */
export interface Row {
  readonly code: string
  readonly refusal: Refusal
  readonly variant: Variant
  readonly isValid: boolean
  /** Whether the request repeats an accepted one, so that every conflict is about the row. */
  readonly isRepeat?: boolean
}

export function rowsOf({ refusals: all = {} }: Behaviour): Row[] {
  return Object.entries(all).flatMap(([code, refusal]) => {
    const row = (isValid: boolean) => (variant: Variant) => ({ code, refusal, variant, isValid })
    return [...(refusal.variants ?? []).map(row(false)), ...(refusal.valid ?? []).map(row(true))]
  })
}

/** Refusals by a business rule, to learn their form: one request for each of two codes. */
export async function businessRefusals(context: Context, view: OperationView): Promise<Exchange[]> {
  const rows = rowsOf(context.behaviour).filter(
    (row) => !row.isValid && row.variant.operation === view.id && !row.variant.after && canTry(context, row),
  )
  const first = [...Map.groupBy(rows, ({ code }) => code).values()].flatMap(([row]) => row ?? []).slice(0, 2)
  const sent: Exchange[] = []
  for (const { variant } of first) {
    const valid = await validRequest(context, variant)
    const input = valid && editedRequest(context, variant, valid)
    if (input) sent.push(await context.send(view, input, { identity: senderOf(variant) }))
  }
  return sent
}

export function canTry({ contract, identities, isIncluded, canSend }: Context, { variant }: Row): boolean {
  const needed = [variant.as ?? 'partner', senderOf(variant)]
  if (!contract.has(variant.operation) || !needed.every(identities.has)) return false
  const view = contract.operation(variant.operation)
  return isIncluded(view) && canSend(view)
}

export function senderOf({ as = 'partner', sender = as }: Variant): Identity {
  return sender === 'other-partner' ? 'other' : sender
}

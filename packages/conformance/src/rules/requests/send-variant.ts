import { stepsOf } from '@partner-payments/validator'
import type { Context } from '../../engine/context.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange, Input } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'

interface InvalidVariant {
  readonly valid: Input
  /** The body of the accepted request with one change. */
  readonly body: unknown
  /** Where the change is. */
  readonly pointer: string
}

/**
 * Sends an invalid variant of an accepted request. It has new one-time values, since the refusal of a repeated value
 * would hide a missing check. Values that come from a response are renewed only after a 409.
 */
export async function sendVariant(
  context: Context,
  view: OperationView,
  { valid, body, pointer }: InvalidVariant,
): Promise<Exchange> {
  const exchange = await context.send(view, { ...valid, body: context.builder.renewed(view, body, pointer) })
  if (exchange.response.status !== 409) return exchange
  const input = await context.builder.refreshed(view, valid, 'partner')
  return input ? context.send(view, changedAs(input, body, pointer)) : exchange
}

/** Applies the change of a variant to another request. */
export function changedAs(input: Input, body: unknown, pointer: string): Input {
  const [name] = stepsOf(pointer)
  if (name === undefined || typeof body !== 'object' || body === null || Array.isArray(body))
    return { ...input, body }
  const { [name]: _, ...others } = nodeOf(input.body)
  const changed = nodeOf(body)
  return { ...input, body: Object.hasOwn(changed, name) ? { ...others, [name]: changed[name] } : others }
}

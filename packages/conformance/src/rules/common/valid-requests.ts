import { stepsOf } from '@partner-payments/validator'
import type { Context } from '../../engine/context.ts'
import { nodeOf } from '../../model/document.ts'
import { type Exchange, type Input, isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'

/** A request that the service has just accepted; undefined if it accepts none. */
export async function acceptedRequest(
  context: Context,
  view: OperationView,
  example = 0,
): Promise<Input | undefined> {
  const input = await context.builder.inputOf(view, { identity: 'partner', example })
  const exchange = input && (await context.send(view, input))
  return exchange && isSuccess(exchange) ? exchange.input : undefined
}

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

/** The operations that the run includes and may send. */
export function sendableOperations({ contract, isIncluded, canSend }: Context): OperationView[] {
  return contract.operations.filter((view) => isIncluded(view) && canSend(view))
}

/** Calls `work` for each operation with a request that it has just accepted. Operations without one are inconclusive. */
export async function withValidRequests(
  context: Context,
  work: (view: OperationView, valid: Input) => Promise<void>,
): Promise<void> {
  for (const view of sendableOperations(context)) {
    for (const branch of branchesOf(view)) {
      // One at a time: a request that must not be sent ends the cases of its branch.
      await context.each([branch], async (example) => {
        const valid = await acceptedRequest(context, view, example)
        if (valid) await work(view, valid)
        else context.inconclusive()
      })
    }
  }
}

/** One example of each kind of body, by its `type`. */
export function branchesOf({ examples }: OperationView): number[] {
  const kinds = new Map<string, number>()
  for (const [i, example] of examples.entries()) {
    const kind =
      typeof example === 'object' && example !== null && 'type' in example ? String(example.type) : ''
    if (!kinds.has(kind)) kinds.set(kind, i)
  }
  return kinds.size > 0 ? [...kinds.values()] : [0]
}

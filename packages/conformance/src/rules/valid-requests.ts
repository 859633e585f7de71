import { stepsOf } from '@partner-payments/validator'
import type { Context } from '../engine/context.ts'
import { nodeOf } from '../model/document.ts'
import type { Exchange, Input } from '../model/exchange.ts'
import { isSuccess } from '../model/exchange.ts'
import type { OperationView } from '../model/operation-view.ts'

/** A request that the service has just accepted; undefined where none can be had. */
export async function baseOf(context: Context, view: OperationView, example = 0): Promise<Input | undefined> {
  const input = await context.builder.inputOf(view, { identity: 'partner', example })
  const exchange = input && (await context.send(view, input))
  return exchange && isSuccess(exchange) ? exchange.input : undefined
}

interface InvalidVariant {
  readonly base: Input
  /** The body of the accepted request with one change. */
  readonly body: unknown
  /** Where the change is. */
  readonly pointer: string
}

/**
 * Sends an invalid variant of an accepted request. One-time values are made anew, since a refusal of a repeated value
 * would hide the missing check: values that the caller chooses at once, those of a response after a 409.
 */
export async function sendVariant(
  context: Context,
  view: OperationView,
  { base, body, pointer }: InvalidVariant,
): Promise<Exchange> {
  const exchange = await context.send(view, { ...base, body: context.builder.renewed(view, body, pointer) })
  if (exchange.response.status !== 409) return exchange
  const input = await context.builder.refreshed(view, base, 'partner')
  return input ? context.send(view, changedAs(input, body, pointer)) : exchange
}

/** A request with the one field changed that a variant changes. */
export function changedAs(input: Input, body: unknown, pointer: string): Input {
  const [name] = stepsOf(pointer)
  if (name === undefined || typeof body !== 'object' || body === null || Array.isArray(body))
    return { ...input, body }
  const { [name]: _, ...others } = nodeOf(input.body)
  const changed = nodeOf(body)
  return { ...input, body: Object.hasOwn(changed, name) ? { ...others, [name]: changed[name] } : others }
}

/** Works on each operation, with a request that it has just accepted; those without one are inconclusive. */
export async function withBase(
  context: Context,
  work: (view: OperationView, base: Input) => Promise<void>,
): Promise<void> {
  const views = context.contract.operations.filter(
    (view) => context.isIncluded(view) && context.canSend(view),
  )
  for (const view of views) {
    for (const branch of branchesOf(view)) {
      // One at a time; what must not be sent ends with its branch.
      await context.each([branch], async (example) => {
        const base = await baseOf(context, view, example)
        if (base) await work(view, base)
        else context.inconclusive()
      })
    }
  }
}

/** One example of each kind of body: those of the same `type` are alike. */
export function branchesOf({ examples }: OperationView): number[] {
  const kinds = new Map<string, number>()
  for (const [i, example] of examples.entries()) {
    const kind =
      typeof example === 'object' && example !== null && 'type' in example ? String(example.type) : ''
    if (!kinds.has(kind)) kinds.set(kind, i)
  }
  return kinds.size > 0 ? [...kinds.values()] : [0]
}

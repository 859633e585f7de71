import type { Context } from '../../engine/context.ts'
import { type Input, isSuccess } from '../../model/exchange.ts'
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

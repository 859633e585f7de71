import { stepsOf } from '@partner-payments/validator'
import { isSuccess, type Scene } from '../engine/context.ts'
import { nodeOf } from '../model/document.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { Exchange, Input } from '../transport/exchange.ts'

/** A request that the service has just accepted; undefined where none can be had. */
export async function baseOf(scene: Scene, view: OperationView, example = 0): Promise<Input | undefined> {
  const input = await scene.maker.inputOf(view, { who: 'partner', example })
  const exchange = input && (await scene.send(view, input))
  return exchange && isSuccess(exchange) ? exchange.input : undefined
}

interface Twin {
  readonly base: Input
  /** The body of the accepted request with one change. */
  readonly body: unknown
  /** Where the change is. */
  readonly pointer: string
}

/**
 * Sends the twin of an accepted request. What that one has used up is made anew, since a refusal for a repeated value
 * would hide the missing check: at once where the caller chooses it, and where an answer gives it, after a 409.
 */
export async function sendTwin(
  scene: Scene,
  view: OperationView,
  { base, body, pointer }: Twin,
): Promise<Exchange> {
  const exchange = await scene.send(view, { ...base, body: scene.maker.renewed(view, body, pointer) })
  if (exchange.reply.status !== 409) return exchange
  const input = await scene.maker.refreshed(view, base, 'partner')
  return input ? scene.send(view, changedAs(input, body, pointer)) : exchange
}

/** An input with the member changed that a twin has changed. */
export function changedAs(input: Input, body: unknown, pointer: string): Input {
  const [name] = stepsOf(pointer)
  if (name === undefined || typeof body !== 'object' || body === null || Array.isArray(body))
    return { ...input, body }
  const { [name]: _, ...others } = nodeOf(input.body)
  const changed = nodeOf(body)
  return { ...input, body: Object.hasOwn(changed, name) ? { ...others, [name]: changed[name] } : others }
}

/** Works on each operation, with a request that it has just accepted; those without one are masked. */
export async function withBase(
  scene: Scene,
  work: (view: OperationView, base: Input) => Promise<void>,
): Promise<void> {
  const views = scene.contract.operations.filter((view) => scene.isAsked(view) && scene.may(view))
  for (const view of views) {
    for (const branch of branchesOf(view)) {
      // One at a time; what must not be sent ends with its branch.
      await scene.each([branch], async (example) => {
        const base = await baseOf(scene, view, example)
        if (base) await work(view, base)
        else scene.masked()
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

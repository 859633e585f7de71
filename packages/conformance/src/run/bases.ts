import type { OperationView } from './contract.ts'
import type { Input } from './exchange.ts'
import { isSuccess, type Scene } from './scene.ts'

/** A request that the service has just accepted; undefined where none can be had. */
export async function baseOf(scene: Scene, view: OperationView, example = 0): Promise<Input | undefined> {
  const input = await scene.maker.inputOf(view, { who: 'partner', example })
  const exchange = input && (await scene.send(view, input))
  return exchange && isSuccess(exchange) ? exchange.input : undefined
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

/** One example of each kind of body: those whose members have the same names are alike. */
function branchesOf({ examples }: OperationView): number[] {
  const kinds = new Map<string, number>()
  for (const [i, example] of examples.entries()) {
    const kind =
      typeof example === 'object' && example !== null && 'type' in example ? String(example.type) : ''
    if (!kinds.has(kind)) kinds.set(kind, i)
  }
  return kinds.size > 0 ? [...kinds.values()] : [0]
}

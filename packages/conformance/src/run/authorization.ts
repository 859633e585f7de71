import { baseOf } from './bases.ts'
import type { OperationView } from './contract.ts'
import type { Who } from './exchange.ts'
import type { Scene } from './scene.ts'

type Tried = readonly Who[] | ((view: OperationView) => readonly Who[])

/** Sends an accepted request of each operation as someone who must be refused with 401. */
export async function refusesAs(scene: Scene, tried: Tried, words: string): Promise<void> {
  const views = scene.contract.operations.filter(
    (view) => view.scheme !== undefined && scene.isAsked(view) && scene.may(view),
  )
  await scene.each(views, async (view) => {
    const base = await baseOf(scene, view)
    if (!base) return scene.masked()
    for (const who of typeof tried === 'function' ? tried(view) : tried) {
      const input = await scene.maker.refreshed(view, base, 'partner')
      const exchange = await scene.send(view, input ?? base, { who })
      const { status } = exchange.reply
      if (status === 401) {
        scene.held()
        continue
      }
      // Some other refusal lets nobody in; that it is not 401 is an answer of the contract.
      const question = status >= 400 && status < 500 ? 'errors' : undefined
      scene.expect(exchange, `Expected 401 for ${words}, got ${status}.`, { about: String(status), question })
    }
  })
}

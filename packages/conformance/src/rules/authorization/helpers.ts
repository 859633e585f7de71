import { isSuccess, type Scene } from '../../engine/context.ts'
import type { OperationView } from '../../model/operation-view.ts'
import type { Exchange, Input, Who } from '../../transport/exchange.ts'
import { baseOf } from '../valid-requests.ts'

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
      isRefused(scene, await sendAs(scene, view, { base, who }), words)
    }
  })
}

interface Sent {
  readonly base: Input
  readonly who: Who
}

/** With what is used once made anew, only where it matters: once the request was not refused for who sent it. */
async function sendAs(scene: Scene, view: OperationView, { base, who }: Sent): Promise<Exchange> {
  const exchange = await scene.send(view, base, { who })
  if (exchange.reply.status === 401 || isSuccess(exchange)) return exchange
  const input = await scene.maker.refreshed(view, base, 'partner')
  return scene.send(view, input ?? base, { who })
}

/** Holds an answer to 401; `asked` is the open question of a success, where it breaks no fact. */
export function isRefused(scene: Scene, exchange: Exchange, words: string, asked?: string): void {
  const { status } = exchange.reply
  if (status === 401) {
    scene.held()
    return
  }
  // Some other refusal lets nobody in; that it is not 401 is an answer of the contract.
  const question = status >= 400 && status < 500 ? 'errors' : asked
  scene.expect(exchange, `Expected 401 for ${words}, got ${status}.`, { about: String(status), question })
}

/** What stands in the headers that let the partner in, after the scheme; undefined where there is none to be had. */
export async function trueCredentials({
  contract,
  identities,
  may,
}: Scene): Promise<{ basic: string | undefined; token: string | undefined }> {
  const takesBasic = contract.operations.find((view) => view.scheme === 'basic' && may(view))
  const bearer = await identities.headerOf('partner', undefined)
  const basic = takesBasic && (await identities.headerOf('partner', takesBasic))
  return { basic: basic?.replace(/^\S+ /, ''), token: bearer?.replace(/^\S+ /, '') }
}

import { isSuccess, type Scene } from '../engine/context.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { Exchange, Input } from '../transport/exchange.ts'

/** A way to send a request. */
interface Way {
  readonly words: string
  readonly question?: string
  /** Statuses that say nothing of it. */
  readonly tolerated?: readonly number[]
  send(input: Input): Promise<Exchange>
}

/** The same request in other ways that mean the same, and as a customer; of a sandbox, where it may be done again. */
export async function tryOtherWays(scene: Scene, view: OperationView): Promise<void> {
  if (scene.target !== 'sandbox') return
  const customer = scene.identities.has('customer') ? [asCustomer(scene, view)] : []
  for (const way of [plainly(scene, view), loosely(scene, view), ...customer]) {
    const input = await scene.maker.inputOf(view, { who: 'partner' })
    if (input) await tryWay(scene, way, input)
    else scene.masked()
  }
}

async function tryWay(
  scene: Scene,
  { words, question, tolerated = [], send }: Way,
  input: Input,
): Promise<void> {
  const exchange = await send(input)
  const { status } = exchange.reply
  if (tolerated.includes(status)) return scene.masked()
  const message = `Expected the request ${words} to be accepted, got ${status}.`
  scene.expect(exchange, isSuccess(exchange) ? undefined : message, { about: words, question })
}

/** Without what a client need not send (RFC 9110, section 12.5.1), and with spaces and escapes (RFC 8259, section 2; 7). */
function plainly(scene: Scene, view: OperationView): Way {
  return {
    words: 'without accept, and written out',
    send(input) {
      const json = JSON.stringify(input.body, null, 2)
      const body = json?.replaceAll(/"([a-z])/gi, (_, letter: string) => `"${escaped(letter)}`)
      return scene.send(view, input, { without: ['accept'], raw: body === undefined ? {} : { body } })
    },
  }
}

/** Accepting anything; the name of a scheme, where there is one, may be in any letters (RFC 9110, section 11.1). */
function loosely(scene: Scene, view: OperationView): Way {
  const headers = { accept: '*/*' }
  if (view.scheme !== 'basic' && view.scheme !== 'bearer')
    return { words: 'that accepts anything', send: (input) => scene.send(view, input, { headers }) }
  return {
    words: 'with `accept: */*` and its scheme in small letters',
    question: 'auth-scheme',
    async send(input) {
      const header = await scene.identities.headerOf('partner', view)
      const authorization = header?.replace(/^\w+/, (it) => it.toLowerCase()) ?? ''
      return scene.send(view, input, { who: { authorization }, headers })
    },
  }
}

/** What is forbidden to a customer, or not theirs, is another matter. */
function asCustomer(scene: Scene, view: OperationView): Way {
  return {
    words: 'of a customer',
    tolerated: [401, 403, 404, 409, 422],
    send: (input) => scene.send(view, input, { who: 'customer' }),
  }
}

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
}

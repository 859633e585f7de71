import type { Law } from '../law.ts'
import type { OperationView } from '../run/contract.ts'
import type { Exchange, Input } from '../run/exchange.ts'
import { isSuccess, type Scene } from '../run/scene.ts'

export const exampleAccepted: Law = {
  id: 'example-accepted',
  phase: 'examples and boundaries',
  isTraffic: true,
  title: 'What the contract shows as a request is accepted, with the declared success.',
  advice: 'Accept the request, or correct the example of the contract.',
  run: async (scene) => {
    const cases = scene.contract.operations.flatMap((view) => {
      const examples = view.examples.length > 0 ? view.examples.keys() : [0]
      return [...examples].map((example) => ({ view, example }))
    })
    await scene.each(
      cases.filter(({ view }) => scene.isAsked(view) && scene.may(view)),
      async ({ view, example }) => {
        const input = await scene.maker.inputOf(view, { who: 'partner', example, isOwn: true })
        // What the request rests on was refused; that is told where it is asked for itself.
        if (!input) return scene.masked()
        const exchange = await scene.send(view, input)
        const { status } = exchange.reply
        if (isSuccess(exchange) && example === 0) await tryOtherwise(scene, view)
        if (isSuccess(exchange) && status === view.success) return scene.held()
        // A live service knows nothing of the records that the contract makes up.
        if (scene.target === 'live' && [404, 409, 422].includes(status)) return scene.masked()
        const message = `Expected ${view.success} for the request that the contract shows, got ${status}.`
        scene.expect(exchange, message, {
          about: `${example} ${status}`,
          question: questionOf(status, exchange.body),
        })
      },
    )
  },
}

interface Otherwise {
  readonly words: string
  readonly question?: string
  send(input: Input): Promise<Exchange>
}

/** The same request in other ways that mean the same, and as a customer. */
async function tryOtherwise(scene: Scene, view: OperationView): Promise<void> {
  if (scene.target !== 'sandbox') return
  for (const { words, question, send } of [
    plainly(scene, view),
    loosely(scene, view),
    asCustomer(scene, view),
  ]) {
    const input = await scene.maker.inputOf(view, { who: 'partner' })
    if (!input) return scene.masked()
    const exchange = await send(input)
    const { status } = exchange.reply
    // What the business of a customer forbids is another matter.
    if (!isSuccess(exchange) && [401, 403, 404, 409, 422].includes(status) && words === CUSTOMER)
      scene.masked()
    else
      scene.expect(
        exchange,
        isSuccess(exchange) ? undefined : `Expected the request ${words} to be accepted, got ${status}.`,
        { about: words, question },
      )
  }
}

/** Without what a client need not send (RFC 9110, section 12.5.1), and with spaces and escapes (RFC 8259, section 2; 7). */
function plainly(scene: Scene, view: OperationView): Otherwise {
  return {
    words: 'without accept, and written out',
    send(input) {
      const json = JSON.stringify(input.body, null, 2)
      const body = json?.replaceAll(/"([a-z])/gi, (_, letter: string) => `"${escaped(letter)}`)
      return scene.send(view, input, { without: ['accept'], raw: body === undefined ? {} : { body } })
    },
  }
}

/** The name of a scheme may be in any letters (RFC 9110, section 11.1). */
function loosely(scene: Scene, view: OperationView): Otherwise {
  return {
    words: 'that accepts anything, with its scheme in small letters',
    question: 'auth-scheme',
    async send(input) {
      const header = await scene.identities.headerOf('partner', view)
      const authorization = header?.replace(/^\w+/, (it) => it.toLowerCase()) ?? ''
      return scene.send(view, input, { who: { authorization }, headers: { accept: '*/*' } })
    },
  }
}

const CUSTOMER = 'of a customer'

function asCustomer(scene: Scene, view: OperationView): Otherwise {
  return { words: CUSTOMER, send: (input) => scene.send(view, input, { who: 'customer' }) }
}

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** A rule of the business that refuses an example is an answer of the contract, and no fact. */
function questionOf(status: number, body: unknown): string | undefined {
  return status === 422 || status === 409 || status === 404 || (status === 400 && body === null)
    ? 'errors'
    : undefined
}

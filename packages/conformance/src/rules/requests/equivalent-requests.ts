import type { Cites } from '../../engine/citation.ts'
import type { Context } from '../../engine/context.ts'
import { type Exchange, type Input, isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'

/** A different way to send the same request. */
interface Way {
  readonly words: string
  readonly cites?: Cites
  /** Whether a refusal is inconclusive. */
  readonly mayBeRefused?: boolean
  send(input: Input): Promise<Exchange>
}

/** Sends a valid request to a sandbox again: without optional headers, in another notation, and as a customer. */
export async function tryEquivalentRequests(context: Context, view: OperationView): Promise<void> {
  if (context.target !== 'sandbox') return
  const customer = context.identities.has('customer') ? [asCustomer(context, view)] : []
  for (const way of [plainly(context, view), loosely(context, view), ...customer]) {
    const input = await context.builder.inputOf(view, { identity: 'partner', isExample: true })
    if (input) await tryWay(context, way, input)
    else context.inconclusive()
  }
}

async function tryWay(
  context: Context,
  { words, cites, mayBeRefused = false, send }: Way,
  input: Input,
): Promise<void> {
  const exchange = await send(input)
  const { status } = exchange.response
  // A conflict is about the records that are there.
  if (status === 409 || (mayBeRefused && status >= 400 && status < 500)) return context.inconclusive()
  const message = `Expected the request ${words} to be accepted, got ${status}.`
  context.expect(exchange, isSuccess(exchange) ? undefined : message, {
    about: words,
    ...(cites && { cites }),
  })
}

/** Without accept (RFC 9110, section 12.5.1), with whitespace and escapes in the JSON (RFC 8259, sections 2 and 7). */
function plainly(context: Context, view: OperationView): Way {
  return {
    words: 'without accept, and written out',
    send(input) {
      const json = view.bodyPointer !== undefined ? JSON.stringify(input.body, null, 2) : undefined
      const body = json?.replaceAll(/"([a-z])/gi, (_, letter: string) => `"${escaped(letter)}`)
      return context.send(view, input, { without: ['accept'], raw: body === undefined ? {} : { body } })
    },
  }
}

/** With any accept, and the name of the scheme in lower case (RFC 9110, section 11.1). */
function loosely(context: Context, view: OperationView): Way {
  const headers = { accept: '*/*' }
  if (view.scheme !== 'basic' && view.scheme !== 'bearer')
    return { words: 'that accepts anything', send: (input) => context.send(view, input, { headers }) }
  return {
    words: 'with `accept: */*` and its scheme in small letters',
    cites: { convention: 'tokenScheme' },
    async send(input) {
      const header = await context.identities.headerOf('partner', view)
      const authorization = header?.replace(/^\w+/, (it) => it.toLowerCase()) ?? ''
      return context.send(view, input, { identity: { authorization }, headers })
    },
  }
}

/** A customer may lack a permission, or not own a record of the request. */
function asCustomer(context: Context, view: OperationView): Way {
  return {
    words: 'of a customer',
    mayBeRefused: true,
    send: (input) => context.send(view, input, { identity: 'customer' }),
  }
}

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
}

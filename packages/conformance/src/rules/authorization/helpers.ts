import type { Context } from '../../engine/context.ts'
import type { Exchange, Input, RequestIdentity } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { baseOf } from '../valid-requests.ts'

type Tried = readonly RequestIdentity[] | ((view: OperationView) => readonly RequestIdentity[])

/** Sends an accepted request of each operation as someone who must be refused with 401. */
export async function refusesAs(context: Context, tried: Tried, words: string): Promise<void> {
  const views = context.contract.operations.filter(
    (view) => view.scheme !== undefined && context.isAsked(view) && context.may(view),
  )
  await context.each(views, async (view) => {
    const base = await baseOf(context, view)
    if (!base) return context.inconclusive()
    for (const identity of typeof tried === 'function' ? tried(view) : tried) {
      isRefused(context, await sendAs(context, view, { base, identity }), words)
    }
  })
}

interface Sent {
  readonly base: Input
  readonly identity: RequestIdentity
}

/** With what is used once made anew, only where it matters: once the request was not refused for who sent it. */
async function sendAs(context: Context, view: OperationView, { base, identity }: Sent): Promise<Exchange> {
  const exchange = await context.send(view, base, { identity })
  if (exchange.response.status === 401 || isSuccess(exchange)) return exchange
  const input = await context.builder.refreshed(view, base, 'partner')
  return context.send(view, input ?? base, { identity })
}

/** Holds an answer to 401; `asked` is the open question of a success, where it breaks no fact. */
export function isRefused(context: Context, exchange: Exchange, words: string, asked?: string): void {
  const { status } = exchange.response
  if (status === 401) {
    context.passed()
    return
  }
  // Some other refusal lets nobody in; that it is not 401 is an answer of the contract.
  const question = status >= 400 && status < 500 ? 'errors' : asked
  context.expect(exchange, `Expected 401 for ${words}, got ${status}.`, { about: String(status), question })
}

/** What stands in the headers that let the partner in, after the scheme; undefined where there is none to be had. */
export async function trueCredentials({
  contract,
  identities,
  may,
}: Context): Promise<{ basic: string | undefined; token: string | undefined }> {
  const takesBasic = contract.operations.find((view) => view.scheme === 'basic' && may(view))
  const bearer = await identities.headerOf('partner', undefined)
  const basic = takesBasic && (await identities.headerOf('partner', takesBasic))
  return { basic: basic?.replace(/^\S+ /, ''), token: bearer?.replace(/^\S+ /, '') }
}

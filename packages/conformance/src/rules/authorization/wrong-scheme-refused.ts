import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { isSuccess } from '../../model/exchange.ts'
import type { Scheme } from '../../model/security.ts'
import { isRefused, refusesAs, trueCredentials } from './helpers.ts'

export const wrongSchemeRefused: Rule = {
  id: 'wrong-scheme-refused',
  phase: 'authorization',
  cites: { question: 'auth-scheme' },
  impact: 'high',
  title: 'True credentials under another scheme, under none, or in the query, are refused with 401.',
  advice: 'Take the scheme that the contract names, and no other.',
  run: async (context) => {
    const { basic, token } = await trueCredentials(context)
    if (!token || !basic) return
    const sent: Readonly<Record<Scheme, readonly string[]>> = {
      basic: [`Bearer ${token}`],
      bearer: [`Basic ${basic}`, `Basic ${token}`, token],
      key: [],
    }
    await refusesAs(
      context,
      ({ scheme }) => (scheme ? sent[scheme] : []).map((authorization) => ({ authorization })),
      'another scheme',
    )
    await inTheQuery(context, token)
  },
}

/** A token in a URL ends up in logs and in other places that URLs go to (RFC 6750, section 5.3). */
async function inTheQuery(context: Context, access_token: string): Promise<void> {
  const views = context.contract.operations.filter(
    (it) =>
      it.method === 'GET' && it.scheme === 'bearer' && it.pathParameters.length === 0 && context.isAsked(it),
  )
  await context.each(views, async (view) => {
    if (!isSuccess(await context.send(view, {}))) return context.inconclusive()
    const exchange = await context.send(view, { query: { access_token } }, { identity: null })
    isRefused(context, exchange, 'a token in the query')
  })
}

import type { Exchange } from '../model/exchange.ts'
import { type HttpResponse, parsed } from '../model/http.ts'
import { isPlainRead, type OperationView } from '../model/operation-view.ts'
import type { Run } from './prepare.ts'

/** The rule that reports a wrong scheme. */
const CREDENTIALS_RULE = 'credentials-required'

/**
 * Detects the authentication scheme of tokens: that of the contract, the type that the sign-in returned, or
 * none. A difference from the contract is reported once, and used for the rest of the run.
 */
export async function detectTokenScheme(run: Run): Promise<void> {
  const { contract, identities } = run
  const view = contract.operations.find((it) => isPlainRead(it) && it.scheme === 'bearer')
  if (!contract.signIn || !view) return
  const { tokenType } = identities
  const others = [tokenType, undefined].filter((it) => it?.toLowerCase() !== 'bearer')
  const first = await tryScheme(run, view, 'Bearer')
  if (first.response.status !== 401) return
  for (const scheme of others) {
    const exchange = await tryScheme(run, view, scheme)
    if (exchange.response.status !== 401) return report(run, exchange, scheme)
  }
  identities.useScheme('Bearer')
}

async function tryScheme(
  { identities, transport, stop, guard }: Run,
  view: OperationView,
  scheme: string | undefined,
) {
  identities.useScheme(scheme)
  const authorization = (await identities.headerOf('partner', view)) ?? ''
  const request = { method: 'GET', path: view.path, headers: { authorization }, body: undefined }
  guard(view, request)
  const response: HttpResponse = await transport.send(request, stop.signal)
  return { view, input: {}, request, response, body: parsed(response) } satisfies Exchange
}

function report({ profile, behaviour, record }: Run, exchange: Exchange, scheme: string | undefined): void {
  const rule = profile.rules.find(({ id }) => id === CREDENTIALS_RULE)
  const question = behaviour.conventions?.tokenScheme?.question
  if (!rule || !exchange.view) return
  const { id: operation, pointer: contract } = exchange.view
  const message = `${operation} refuses the scheme Bearer (401) and accepts ${scheme ? `the scheme ${scheme}` : 'the token without a scheme'}.`
  record(rule, exchange, {
    operation,
    contract,
    message,
    about: 'scheme',
    ...(question === undefined ? { cites: { standard: 'RFC 6750, section 2.1' } } : { question }),
  })
}

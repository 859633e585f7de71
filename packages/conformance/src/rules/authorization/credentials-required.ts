import { type Cites, citesOf } from '../../engine/citation.ts'
import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { type Exchange, type Input, isSuccess, type RequestIdentity } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import type { Scheme } from '../../model/security.ts'
import { acceptedRequest } from '../common/valid-requests.ts'

export const credentialsRequired: Rule = {
  id: 'credentials-required',
  phase: 'authorization',
  cites: 'contract',
  isTraffic: true,
  impact: 'high',
  title:
    'A request is refused with 401 without credentials, with invalid ones, and with valid ones in another form.',
  advice: 'Check the header authorization before anything else, and compare all of the credentials.',
  run: async (context) => {
    const rows = await invalidCredentials(context)
    const attempts: Attempt[] = []
    const views = context.contract.operations.filter(
      (view) => view.scheme !== undefined && context.isIncluded(view) && context.canSend(view),
    )
    await context.each(views, async (view) => {
      const valid = await acceptedRequest(context, view)
      if (!valid) return context.inconclusive()
      // The record of an accepted deletion is gone, and its refusal says nothing of credentials.
      const fresh = view.method === 'DELETE' && (await context.builder.refreshed(view, valid, 'partner'))
      for (const row of rows)
        for (const sent of row.of(view))
          attempts.push({ row, ...(await sendAs(context, view, { valid: fresh || valid, ...sent })) })
    })
    for (const it of attempts) judge(context, it, attempts)
  },
}

/** Credentials that must be refused, and the source of that rule. */
interface Row {
  readonly words: string
  readonly cites: Cites
  readonly of: (view: OperationView) => readonly Invalid[]
}

interface Invalid {
  readonly identity: RequestIdentity
  readonly query?: Readonly<Record<string, string>>
}

interface Attempt {
  readonly row: Row
  readonly identity: RequestIdentity
  readonly exchange: Exchange
}

/** Another status than 401 is a refusal too, unless another operation accepts the credentials. */
function judge(context: Context, { row, identity, exchange }: Attempt, all: readonly Attempt[]): void {
  const { status } = exchange.response
  const refusals = context.contract.conventions.refusals?.question
  const words = `${exchange.view?.id ?? ''} with ${row.words}`
  if (isSuccess(exchange))
    context.expect(exchange, `${words} was accepted (${status}); expected 401.`, {
      about: row.words,
      cites: row.cites,
    })
  else if (status === 401) context.passed()
  else if (status < 400 || status >= 500 || isAcceptedElsewhere(identity, all)) context.inconclusive()
  else
    context.expect(exchange, `${words} was refused with ${status}; expected 401.`, {
      about: `${row.words} ${status}`,
      question: refusals,
    })
}

function isAcceptedElsewhere(identity: RequestIdentity, all: readonly Attempt[]): boolean {
  return all.some((it) => it.identity === identity && isSuccess(it.exchange))
}

interface Sent extends Invalid {
  readonly valid: Input
}

/** If the request was refused for its values, sends it again with new one-time values. */
async function sendAs(context: Context, view: OperationView, { valid, identity, query }: Sent) {
  const send = (input: Input) =>
    context.send(view, { ...input, query: { ...input.query, ...query } }, { identity })
  const exchange = await send(valid)
  const { status } = exchange.response
  if (isSuccess(exchange) || ![404, 409, 422].includes(status)) return { identity, exchange }
  const input = await context.builder.refreshed(view, valid, 'partner')
  return { identity, exchange: input ? await send(input) : exchange }
}

const UNKNOWN = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

async function invalidCredentials(context: Context): Promise<Row[]> {
  const { authorization, tokenScheme, refreshToken } = context.contract.conventions
  const { basic, token } = await validCredentials(context)
  const headers = (all: readonly (string | null)[]): Invalid[] =>
    all.map((it) => ({ identity: it === null ? null : { authorization: it } }))
  const by =
    (all: Readonly<Record<Scheme, readonly Invalid[]>>) =>
    ({ scheme }: OperationView) =>
      scheme === undefined ? [] : all[scheme]
  const { headerWith } = context.identities
  const required = citesOf(authorization)
  const stateful = context.target !== 'mock'
  const unknownTokens = [
    headerWith(UNKNOWN),
    headerWith('x'),
    ...(token ? similar(token).map(headerWith) : []),
  ]
  const unknown = by({
    basic: headers([
      `Basic ${btoa('nobody:nothing')}`,
      'Basic nonsense',
      'Basic',
      ...similarPairs(context, basic),
      ...(token ? [`Bearer ${token}`] : []),
    ]),
    bearer: headers(unknownTokens),
  })
  const otherScheme = by({
    basic: [],
    bearer: headers([...(basic ? [`Basic ${basic}`] : []), ...(token ? otherForms(context, token) : [])]),
  })
  const refresh = headers((await refreshTokens(context)).map(headerWith))
  const inQuery: Invalid[] = token ? [{ identity: null, query: { access_token: token } }] : []
  const rows: readonly (Row | false)[] = [
    {
      words: 'no credentials',
      cites: required,
      of: by({ basic: headers([null]), bearer: headers([null]) }),
    },
    stateful && { words: 'unknown credentials', cites: required, of: unknown },
    { words: 'another scheme', cites: citesOf(tokenScheme), of: otherScheme },
    {
      words: 'the token in the query',
      cites: citesOf(tokenScheme),
      of: ({ scheme, method }) => (scheme === 'bearer' && method === 'GET' ? inQuery : []),
    },
    stateful && {
      words: 'a refresh token',
      cites: citesOf(refreshToken),
      of: by({ basic: [], bearer: refresh }),
    },
  ]
  return rows.filter((it) => it !== false)
}

/** A token with another scheme than the one in use. */
function otherForms({ identities: { headerWith } }: Context, token: string): string[] {
  return [`Basic ${token}`, token].filter((it) => it !== headerWith(token))
}

/** The credentials of the partner without their scheme; undefined where there are none. */
async function validCredentials({ contract, identities, canSend }: Context) {
  const takesBasic = contract.operations.find((view) => view.scheme === 'basic' && canSend(view))
  const bearer = await identities.headerOf('partner', undefined)
  const basic = takesBasic && (await identities.headerOf('partner', takesBasic))
  return { basic: basic?.split(' ').at(-1), token: bearer?.split(' ').at(-1) }
}

/** Refresh tokens of a sign-in, and of every other operation that returns one. */
async function refreshTokens(context: Context): Promise<string[]> {
  await context.becomeCustomer()
  const { refreshTokens: known } = context.identities
  return [...new Set([known[0], known.at(-1)])].filter((it) => it !== undefined)
}

/** The client key with secrets that are similar to its own. A live service may lock a key after a few of them. */
function similarPairs({ target }: Context, encoded: string | undefined): string[] {
  if (encoded === undefined) return []
  const [key = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':')
  const secret = rest.join(':')
  const pairs = [`${key}:${secret}x`]
  if (target !== 'live') {
    for (const it of ['', ...similar(secret), swapped(secret), `${secret} `]) pairs.push(`${key}:${it}`)
    pairs.push(`${key} :${secret}`, `${swapped(key)}:${secret}`)
  }
  const invalid = pairs.filter((it) => it !== `${key}:${secret}`)
  return invalid.map((it) => `Basic ${Buffer.from(it).toString('base64')}`)
}

/** The first half of a secret, and one with another character near its end: the last character may be padding. */
function similar(secret: string): string[] {
  const at = Math.max(0, secret.length - 5)
  const changed = secret.slice(0, at) + (secret[at] === 'A' ? 'B' : 'A') + secret.slice(at + 1)
  return [secret.slice(0, Math.ceil(secret.length / 2)), changed]
}

/** Lower case for upper case, and upper case for lower case. */
function swapped(text: string): string {
  return text.replaceAll(/\p{L}/gu, (it) => (it === it.toLowerCase() ? it.toUpperCase() : it.toLowerCase()))
}

import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Scheme } from '../../model/security.ts'
import { refusesAs, trueCredentials } from './helpers.ts'

const UNKNOWN = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
const NOBODY = [`Basic ${btoa('nobody:nothing')}`, 'Basic nonsense', 'Basic']
const NO_TOKEN = [`Bearer ${UNKNOWN}`, 'Bearer x', 'Bearer', UNKNOWN]

/** What nobody has is refused even where only the beginning is looked at; so what is nearly right is tried as well. */
export const garbageTokenRefused: Rule = {
  id: 'garbage-token-refused',
  phase: 'authorization',
  cites: { statement: 'authorization-required' },
  stateful: true,
  impact: 'high',
  title: 'Credentials that the service never gave are refused with 401.',
  advice: 'Look the token up, and compare all of it, as of a secret.',
  run: async (context) => {
    const { basic, token } = await trueCredentials(context)
    const [nearBasic, nearToken] = [nearlyRight(context, basic), token ? nearly(token) : []]
    const sent: Readonly<Record<Scheme, readonly string[]>> = {
      basic: [...NOBODY, ...nearBasic],
      bearer: [...NO_TOKEN, ...nearToken.map((it) => `Bearer ${it}`)],
      key: [UNKNOWN, 'x'],
    }
    await refusesAs(
      context,
      ({ scheme }) => (scheme ? sent[scheme] : []).map((authorization) => ({ authorization })),
      'credentials of nobody',
    )
  },
}

/** A true client key with secrets that are not its own. A live service may lock a key after a few of them. */
function nearlyRight({ target }: Context, encoded: string | undefined): string[] {
  if (encoded === undefined) return []
  const [key = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':')
  const secret = rest.join(':')
  const wrong = [`${secret}x`, ...(target === 'live' ? [] : ['', ...nearly(secret), swapped(secret)])]
  const pairs = wrong.filter((it) => it !== secret).map((it) => `${key}:${it}`)
  // Nor a secret with a space around it, nor the key in other letters.
  const tidied =
    target === 'live' ? [] : [`${key}:${secret} `, `${key} :${secret}`, `${swapped(key)}:${secret}`]
  const all = [...pairs, ...tidied.filter((it) => it !== `${key}:${secret}`)]
  return all.map((it) => `Basic ${Buffer.from(it).toString('base64')}`)
}

/** The first half of a secret, and one with another character near its end, whose last one may say nothing. */
function nearly(secret: string): string[] {
  const at = Math.max(0, secret.length - 5)
  const changed = secret.slice(0, at) + (secret[at] === 'A' ? 'B' : 'A') + secret.slice(at + 1)
  return [secret.slice(0, Math.ceil(secret.length / 2)), changed]
}

/** Small letters for capitals, and capitals for small ones. */
function swapped(text: string): string {
  return text.replaceAll(/\p{L}/gu, (it) => (it === it.toLowerCase() ? it.toUpperCase() : it.toLowerCase()))
}

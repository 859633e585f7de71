import { readContract } from '../model/contract.ts'
import { neededBy, WAS, WORDS } from '../transport/access.ts'
import type { Access, Credentials } from '../transport/credentials.ts'
import type { Flags } from './flags.ts'
import { refuse } from './usage.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Who the run sends requests as: flags go before the environment. A contract that lets everyone in needs nobody.
 *
 * @throws {UsageError} where the contract needs credentials and there are none, half of them, or those of another kind.
 * @throws {ContractError} where the contract cannot be read
 */
export function credentialsOf(
  flags: Pick<Flags, 'client-key' | 'client-secret' | 'other-key' | 'other-secret'>,
  env: Environment,
  contract: object | undefined,
): { credentials?: Access; other?: Access } {
  const pair = pairOf('CLIENT', flags['client-key'], flags['client-secret'], env)
  const otherPair = pairOf('OTHER', flags['other-key'], flags['other-secret'], env)
  const token = tokenOf(env.TOKEN)
  const needed = contract ? neededBy(readContract(contract)) : new Set(['key'] as const)
  const takesToken = token !== undefined && (needed.has('token') || !needed.has('key'))
  const both = takesToken && needed.has('key')
  const credentials = takesToken ? together(both && pair, token) : pair
  const other = takesToken ? together(both && otherPair, tokenOf(env.OTHER_TOKEN)) : otherPair
  if (needed.has('key') && !credentials) refuse(missing('key', token))
  if (needed.has('token') && !needed.has('key') && !token) refuse(missing('token', pair))
  return { ...(credentials && { credentials }), ...(other && { other }) }
}

/** For a contract some of whose operations take a key and a secret, and some a token. */
function together(pair: Credentials | false | undefined, token: Access | undefined): Access | undefined {
  return pair && token ? { ...pair, ...token } : token
}

const VARIABLES = { key: 'CLIENT_KEY and CLIENT_SECRET', token: 'TOKEN' }

/** What is missing, and what was given in its place. */
function missing(needed: 'key' | 'token', given: Access | undefined): string {
  const advice = `set ${VARIABLES[needed]} in the environment`
  if (!given) return `no credentials were given, and the contract asks for ${WORDS[needed]}; ${advice}`
  const kind = 'token' in given ? 'token' : 'key'
  return `the contract asks for ${WORDS[needed]}, and ${WORDS[kind]} ${WAS[kind]} given; ${advice}`
}

/** A warning for each secret on the command line, where others can read it. */
export function warningsOf(flags: Flags): string[] {
  const given = (['client-secret', 'other-secret'] as const).filter((it) => flags[it] !== undefined)
  return given.map((flag) => {
    const variable = flag.toUpperCase().replace('-', '_')
    return `--${flag} shows in the list of processes and in the shell's history; set ${variable} in the environment instead`
  })
}

function tokenOf(token = ''): Access | undefined {
  return token === '' ? undefined : { token }
}

function pairOf(
  name: 'CLIENT' | 'OTHER',
  key: string | undefined,
  secret: string | undefined,
  env: Environment,
): Credentials | undefined {
  const clientKey = key ?? env[`${name}_KEY`] ?? ''
  const clientSecret = secret ?? env[`${name}_SECRET`] ?? ''
  if (clientKey === '' && clientSecret === '') return undefined
  if (clientKey === '' || clientSecret === '')
    return refuse(`of ${name}_KEY and ${name}_SECRET only one was given; give both`)
  return { clientKey, clientSecret }
}

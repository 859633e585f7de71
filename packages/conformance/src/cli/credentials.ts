import type { Credentials } from '../run/identities.ts'
import type { Flags } from './flags.ts'
import { refuse } from './usage.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Who the run signs in as: flags go before the environment. A contract without signing in by a secret needs nobody.
 *
 * @throws {UsageError} where the contract needs credentials and there are none, or half of them.
 */
export function credentialsOf(
  flags: Flags,
  env: Environment,
  contract: object | undefined,
): { credentials: Credentials; other?: Credentials } {
  const partner = pairOf('CLIENT', flags['client-key'], flags['client-secret'], env)
  const other = pairOf('OTHER', flags['other-key'], flags['other-secret'], env)
  if (!partner && needsSecret(contract))
    refuse('no credentials were given; set CLIENT_KEY and CLIENT_SECRET in the environment')
  return { credentials: partner ?? { clientKey: '', clientSecret: '' }, ...(other && { other }) }
}

/** A warning for each secret on the command line, where others can read it. */
export function warningsOf(flags: Flags): string[] {
  const given = (['client-secret', 'other-secret'] as const).filter((it) => flags[it] !== undefined)
  return given.map((flag) => {
    const variable = flag.toUpperCase().replace('-', '_')
    return `--${flag} shows in the list of processes and in the shell's history; set ${variable} in the environment instead`
  })
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

/** Whether a security scheme of the contract is HTTP Basic; ours has one. */
function needsSecret(contract: object | undefined): boolean {
  if (contract === undefined) return true
  return /"scheme":"basic"/i.test(JSON.stringify(contract))
}

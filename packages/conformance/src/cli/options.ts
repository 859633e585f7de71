import type { CheckOptions } from '../engine/check-options.ts'
import { CHECK_OPTIONS, unknownRule } from '../engine/option-table.ts'
import { readContract } from '../model/contract.ts'
import { readPackage } from '../package.ts'
import { profile } from '../profiles/index.ts'
import type { FailOn, ReportOptions } from '../report/options.ts'
import type { Access, Credentials } from '../transport/credentials.ts'
import { credentialKindsOf, KIND_NAMES, WAS_OR_WERE } from '../transport/required-credentials.ts'
import { quoted } from '../transport/shell-commands.ts'
import { refuse } from './errors.ts'
import type { Flags } from './flags.ts'
import { log } from './process.ts'
import { seedCredentials } from './seed.ts'
import { readSpec, type Spec } from './spec.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the contract and the options of a run, and warns of secrets on the command line.
 *
 * @throws {UsageError} if a flag is missing or invalid.
 * @throws {FileError} if the contract cannot be read.
 */
export async function readRun(flags: Flags): Promise<{ spec: Spec; options: CheckOptions }> {
  const spec = await readSpec(flags.text('spec'))
  const options = optionsOf(flags, await environmentOf(flags, process.env), spec.contract)
  for (const warning of warningsOf(flags)) log(warning)
  return { spec, options }
}

/** The environment, with the seed credentials of a sandbox on this machine if it names no credentials. */
async function environmentOf(flags: Flags, env: Environment): Promise<Environment> {
  const target = flags.value('target')
  const isGiven =
    flags.given.some((it) => /^(client|other)-(key|secret)$/.test(it)) ||
    Object.keys(env).some((it) => env[it] && /^((CLIENT|OTHER)_(KEY|SECRET)|(OTHER_)?TOKEN)$/.test(it))
  return typeof target !== 'string' || isGiven ? env : { ...env, ...(await seedCredentials(target)) }
}

/**
 * Reads the options of a run from flags and environment.
 *
 * @throws {UsageError} if a flag is missing or invalid.
 */
export function optionsOf(flags: Flags, env: Environment, contract: object | undefined): CheckOptions {
  const options: Record<string, unknown> = {}
  for (const [name, { flag, isValid, expected }] of Object.entries(CHECK_OPTIONS)) {
    const given = flag && flags.value(flag.name)
    if (!flag || given === undefined) continue
    // The table pairs each parser with its kind of flag.
    const value = flag.read(given as never)
    if (!isValid(value)) refuse(`--${flag.name} must be ${flag.expected ?? expected}, got "${given}"`)
    options[name] = value
  }
  const { url, only, receiverUrl, receiverPort } = options as Partial<CheckOptions>
  if (url === undefined) refuse('--target is missing; give the base URL, such as http://127.0.0.1:4020')
  const unknown = unknownRule(profile.rules, only ?? [])
  if (unknown !== undefined)
    refuse(`--only names "${unknown}", which is neither a rule nor a phase; see --list-rules`)
  if (receiverUrl !== undefined && receiverPort === undefined && new URL(receiverUrl).port === '')
    refuse(
      `--receiver ${receiverUrl} names no port, so --receiver-port must say which of this machine it leads to`,
    )
  return { ...options, ...credentialsOf(flags, env, contract), ...(contract && { contract }) } as CheckOptions
}

/**
 * Reads the credentials of a run. Flags override the environment. A contract without security needs none.
 *
 * @throws {UsageError} if the contract needs credentials and they are missing, incomplete, or of another kind.
 * @throws {ContractError} if the contract cannot be read
 */
export function credentialsOf(
  flags: Pick<Flags, 'text'>,
  env: Environment,
  contract: object | undefined,
): { credentials?: Access; other?: Access } {
  const needed = contract ? credentialKindsOf(readContract(contract)) : new Set(['key'] as const)
  const pair = pairOf('client', flags, env)
  const takesToken = Boolean(env.TOKEN) && (needed.has('token') || !needed.has('key'))
  const accessOf = (own: Credentials | undefined, token = ''): Access | undefined => {
    if (!takesToken) return own
    const given = token === '' ? undefined : { token }
    // Operations of one contract may need different kinds.
    return given && needed.has('key') ? { ...own, ...given } : given
  }
  const credentials = accessOf(pair, env.TOKEN)
  const other = accessOf(pairOf('other', flags, env), env.OTHER_TOKEN)
  if (needed.has('key') && !credentials) refuse(missing('key', env.TOKEN ? { token: env.TOKEN } : undefined))
  if (needed.has('token') && !needed.has('key') && !env.TOKEN) refuse(missing('token', pair))
  return { ...(credentials && { credentials }), ...(other && { other }) }
}

const VARIABLES = { key: 'CLIENT_KEY and CLIENT_SECRET', token: 'TOKEN' }

function missing(needed: 'key' | 'token', given: Access | undefined): string {
  const advice = `set ${VARIABLES[needed]} in the environment`
  if (!given) return `no credentials were given, and the contract asks for ${KIND_NAMES[needed]}; ${advice}`
  const kind = 'token' in given ? 'token' : 'key'
  return `the contract asks for ${KIND_NAMES[needed]}, and ${KIND_NAMES[kind]} ${WAS_OR_WERE[kind]} given; ${advice}`
}

function pairOf(
  name: 'client' | 'other',
  flags: Pick<Flags, 'text'>,
  env: Environment,
): Credentials | undefined {
  const prefix = name.toUpperCase()
  const clientKey = flags.text(`${name}-key`) ?? env[`${prefix}_KEY`] ?? ''
  const clientSecret = flags.text(`${name}-secret`) ?? env[`${prefix}_SECRET`] ?? ''
  if (clientKey === '' && clientSecret === '') return undefined
  if (clientKey === '' || clientSecret === '')
    return refuse(`of ${prefix}_KEY and ${prefix}_SECRET only one was given; give both`)
  return { clientKey, clientSecret }
}

/** A warning for each secret on the command line, where other users can read it. */
function warningsOf({ given }: Flags): string[] {
  return given
    .filter((it) => it.endsWith('-secret'))
    .map((flag) => {
      const variable = flag.toUpperCase().replace('-', '_')
      return `Warning: --${flag} shows in the list of processes and in the shell's history; set ${variable} in the environment instead.`
    })
}

export function reportOptionsOf(flags: Flags, { locate }: Spec, failOn: FailOn): ReportOptions {
  const { version, homepage } = readPackage()
  const docs = (flags.text('docs') ?? homepage)?.replace(/\/$/, '')
  return { failOn, locate, docs, version, repeat: repeatCommand(flags) }
}

/**
 * The command that checks the rule of a finding on its operation, with the same flags; undefined for recorded traffic of an
 * unknown service. Secrets stay in the environment.
 */
function repeatCommand(flags: Flags): ReportOptions['repeat'] {
  if (flags.value('target') === undefined) return undefined
  const options = Object.values(CHECK_OPTIONS).flatMap(({ flag }) => flag ?? [])
  const names = [...options.map(({ name }) => name).filter((it) => !SCOPE.includes(it)), 'spec']
  const given = names.flatMap((name) => {
    const values = [flags.value(name) ?? []].flat()
    return values.map((value) => `--${name} ${/^[\w.:/,=-]+$/.test(value) ? value : quoted(value)}`)
  })
  return ({ rule, operation }) =>
    [flags.program, `--only ${rule}`, operation ? `--operation ${operation}` : [], given].flat(2).join(' ')
}

/** Flags that name rules and operations. */
const SCOPE: readonly string[] = ['only', 'operation', 'shard']

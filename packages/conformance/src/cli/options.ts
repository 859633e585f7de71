import { type CheckOptions, isOnThisMachine, selectable } from '../check.ts'
import { fieldsOf, parsedJson } from '../contract/json.ts'
import { BASE_URL, baseOf } from '../options.ts'
import { readPackage } from '../package.ts'
import { quoted } from '../report/evidence.ts'
import type { ReportOptions } from '../report/options.ts'
import { CannotRun, noResponseReason } from '../send/errors.ts'
import type { Access } from '../send/identities.ts'
import { httpTransport } from '../send/transport.ts'
import type { Flags } from './command.ts'
import { refuse } from './errors.ts'
import { log } from './process.ts'
import type { Spec } from './spec.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** @throws {UsageError} if the URL is missing or invalid. The message does not repeat it, because it may have a password. */
export function targetOf(url: string | undefined, option: string): string {
  const [what, isValid] = BASE_URL
  if (url === undefined)
    return refuse(`${option} is missing; give the base URL, such as http://127.0.0.1:4020`)
  return isValid(url) ? url : refuse(`${option} must be ${what}`)
}

/** @throws {UsageError} if a name is unknown */
export function requireKnown({ only = [] }: Flags): void {
  const unknown = only.find((it) => !selectable().includes(it))
  if (unknown !== undefined)
    refuse(`--only names "${unknown}", which is neither a rule, a subject nor a plan; see --list-rules`)
}

/**
 * Reads the options of a run from flags and environment, and warns of secrets on the command line.
 *
 * @throws {UsageError} if one is missing or invalid.
 * @throws {CannotRun} if nothing responds on this machine
 */
export async function optionsOf(flags: Flags, { contract }: Spec, env: Environment): Promise<CheckOptions> {
  const url = targetOf(flags.target, '--target')
  requireKnown(flags)
  const { receiver, receiverPort } = flags
  if (receiver !== undefined && receiverPort === undefined && new URL(receiver).port === '')
    refuse(
      `--receiver ${receiver} names no port, so --receiver-port must say which of this machine it leads to`,
    )
  for (const name of ['client', 'other'] as const) if (flags[`${name}Secret`]) log(warningOf(name))
  const given = defined({
    ...{ target: flags.kind, allowPayments: flags.allowPayments, values: flags.set, rate: flags.rate },
    ...{ only: flags.only, operations: flags.operation, seed: flags.seed, timeMs: flags.time },
    ...{ receiverUrl: receiver, receiverPort, isComplete: flags.complete, contract },
  })
  return { url, ...given, ...(await credentialsOf(url, flags, env)) }
}

function defined<T extends object>(options: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(options).filter(([, it]) => it !== undefined)) as T
}

function warningOf(name: 'client' | 'other'): string {
  return `Warning: --${name}-secret shows in the list of processes and in the shell's history; set ${name.toUpperCase()}_SECRET in the environment instead.`
}

/** Credentials of the sandbox's seed data, as environment variables. */
const SEED = { CLIENT_KEY: 'partner', CLIENT_SECRET: 'secret', OTHER_KEY: 'other', OTHER_SECRET: 'secret' }

/** Flags override the environment. A sandbox on this machine needs none. */
async function credentialsOf(
  url: string,
  flags: Flags,
  env: Environment,
): Promise<Pick<CheckOptions, 'credentials' | 'other'>> {
  const [credentials, other] = [accessOf('CLIENT', flags, env), accessOf('OTHER', flags, env)]
  if (!credentials && isOnThisMachine(url) && (await isSandbox(url))) {
    const variables = Object.entries(SEED).map((it) => it.join('='))
    log(`No credentials were given, so the run uses those of the sandbox's seed data: ${variables.join(' ')}`)
    return credentialsOf(url, {} as Flags, SEED)
  }
  if (!credentials)
    return refuse('no credentials were given; set CLIENT_KEY and CLIENT_SECRET, or TOKEN, in the environment')
  return { credentials, ...(other && { other }) }
}

function accessOf(prefix: 'CLIENT' | 'OTHER', flags: Flags, env: Environment): Access | undefined {
  const [key, secret] =
    prefix === 'CLIENT' ? [flags.clientKey, flags.clientSecret] : [flags.otherKey, flags.otherSecret]
  const clientKey = key ?? env[`${prefix}_KEY`] ?? ''
  const clientSecret = secret ?? env[`${prefix}_SECRET`] ?? ''
  const token = env[prefix === 'CLIENT' ? 'TOKEN' : 'OTHER_TOKEN'] ?? ''
  if (clientKey !== '' && clientSecret !== '') return { clientKey, clientSecret }
  if (clientKey !== '' || clientSecret !== '')
    return refuse(`of ${prefix}_KEY and ${prefix}_SECRET only one was given; give both`)
  return token === '' ? undefined : { token }
}

/**
 * Whether the clock of the sandbox's control API responds.
 *
 * @throws {CannotRun} if nothing responds
 */
async function isSandbox(url: string): Promise<boolean> {
  const { transport, close } = httpTransport(new URL(baseOf(url)))
  const request = { method: 'GET', path: '/_sandbox/clock', headers: {} }
  try {
    const { text } = await transport(request, AbortSignal.timeout(10_000))
    return 'now' in fieldsOf(parsedJson(text))
  } catch (error) {
    throw new CannotRun(`the service cannot be reached: ${noResponseReason(error)}`, { cause: error })
  } finally {
    await close()
  }
}

/** The options of reports. */
export function reportOptionsOf(name: string, flags: Flags, { locate }: Spec): ReportOptions {
  const { version, homepage } = readPackage()
  const docs = (flags.docs ?? homepage)?.replace(/\/$/, '')
  return { failOn: flags.failOn, locate, docs, version, repeat: repeatCommand(name, flags) }
}

/** Options of which the value is needed to check for a finding again. Secrets stay in the environment. */
const REPEATED = [
  'target',
  'kind',
  'allowPayments',
  'receiver',
  'receiverPort',
  'set',
  'seed',
  'spec',
  'har',
] as const

/** The command that checks for a finding again; undefined for what passed through a proxy. */
function repeatCommand(name: string, flags: Flags): ReportOptions['repeat'] {
  if (flags.proxy !== undefined) return undefined
  const given = REPEATED.flatMap((option) => wordsOf(option, flags[option]))
  const complete = flags.complete ? ['--complete'] : []
  return ({ rule, operation }) =>
    [name, ...given, ...complete, `--only ${rule}`, ...(operation ? [`--operation ${operation}`] : [])].join(
      ' ',
    )
}

function wordsOf(option: string, value: unknown): string[] {
  const name = `--${option.replaceAll(/[A-Z]/g, (it) => `-${it.toLowerCase()}`)}`
  if (value === undefined) return []
  if (option === 'allowPayments') return [`${name} ${fieldsOf(value).maxAmount}`]
  if (option !== 'set') return [`${name} ${word(String(value))}`]
  return Object.entries(value as NonNullable<Flags['set']>).flatMap(([operation, values]) =>
    Object.entries(values).map(
      ([pointer, it]) => `${name} ${word(`${operation}${pointer}:=${JSON.stringify(it)}`)}`,
    ),
  )
}

function word(text: string): string {
  return /^[\w.:/,=-]+$/.test(text) ? text : quoted(text)
}

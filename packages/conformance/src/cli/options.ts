import { type GivenOption, valueName } from '@partner-payments/command'
import { findObjection, type Get, withoutPairs } from '@partner-payments/contract'
import { BASE_URL, baseOf, type CheckOptions } from '../options.ts'
import { quoteForShell } from '../report/evidence.ts'
import type { Finding } from '../report/result.ts'
import type { Access } from '../send/credentials.ts'
import { CannotRun, httpTransport, noResponseReason } from '../send/transport.ts'
import { log, refuse } from './process.ts'
import type { Spec } from './spec.ts'
import { type CheckerOption, type Flags, OPTIONS } from './table.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The arguments of a run. */
export interface CheckArguments {
  /** The values of the options, read and by name. */
  readonly flags: Flags
  /** The options as the user typed them, without what the environment gave. */
  readonly given: readonly GivenOption[]
}

/** Each option with its row of the table. */
const OPTION_ROWS: readonly [string, CheckerOption][] = Object.entries(OPTIONS)

/**
 * Returns the base URL that a user gave with an option such as `--target`.
 *
 * @throws {CommandError} if the URL is missing or invalid. The message does not repeat it, because
 * it may have a password.
 */
export function requireTarget(url: string | undefined, option: string): string {
  const [validUrl, isBaseUrl] = BASE_URL
  if (url === undefined)
    return refuse(`${option} is missing; give the base URL, such as http://127.0.0.1:4020`)
  if (!isBaseUrl(url)) return refuse(`${option} must be ${validUrl}`)
  return url
}

/**
 * Reads the options of a run from flags and environment, and warns of secrets on the command line.
 *
 * @throws {CommandError} if one is missing or invalid
 * @throws {CannotRun} if nothing responds on this machine
 */
export async function readCheckOptions(
  { flags, given }: CheckArguments,
  { contract }: Spec,
  env: Environment,
): Promise<CheckOptions> {
  const url = requireTarget(flags.target, '--target')
  requireReceiverPort(flags)
  if (isGiven('client-secret', given)) warnOfSecret('client')
  if (isGiven('other-secret', given)) warnOfSecret('other')
  return {
    url,
    ...(contract && { contract }),
    ...mapFlagsToOptions(flags),
    ...(await readCredentials(url, flags, env)),
  }
}

/**
 * Maps flags to the options of `check`: `--receiver-port 8080` gives `{ receiverPort: 8080 }`. In the table of options,
 * the field `sets` of a row names the option of `check`; a row without it sets none.
 */
function mapFlagsToOptions(flags: Flags): Partial<CheckOptions> {
  const options: Record<string, unknown> = {}
  for (const [name, { sets }] of OPTION_ROWS) {
    if (sets === undefined) continue
    // `receiver-port` is `flags.receiverPort`.
    const value = flags[valueName(name) as keyof Flags]
    if (value !== undefined) options[sets] = value
  }
  // Each value was read by the row of its option, and is validated again by `check`.
  return options
}

/** @throws {CommandError} if neither the URL nor a flag says the port that a receiver listens on */
function requireReceiverPort({ receiver, receiverPort }: Flags): void {
  if (receiver === undefined || receiverPort !== undefined) return
  if (new URL(receiver).port !== '') return
  refuse(
    `--receiver ${withoutPairs(receiver, '***')} names no port, so --receiver-port must say which of this machine it leads to`,
  )
}

function isGiven(name: keyof typeof OPTIONS, given: readonly GivenOption[]): boolean {
  return given.some((option) => option.name === name)
}

function warnOfSecret(name: 'client' | 'other'): void {
  log(
    `Warning: --${name}-secret shows in the list of processes and in the shell's history; set ${name.toUpperCase()}_SECRET in the environment instead.`,
  )
}

/** Copies an object without its undefined values. */
export function omitUndefined<T extends object>(
  options: T,
): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as T
}

/** Credentials of the sandbox's seed data, as environment variables. */
const SEED = {
  CLIENT_KEY: 'partner',
  CLIENT_SECRET: 'secret',
  OTHER_KEY: 'other',
  OTHER_SECRET: 'secret',
}

/**
 * Reads the credentials of a run, and those of a second partner, from flags and environment. A sandbox on
 * this machine needs none: its public seed data are used.
 *
 * @throws {CommandError} if there are none and the service is no such sandbox
 */
async function readCredentials(
  url: string,
  flags: Flags,
  env: Environment,
): Promise<Pick<CheckOptions, 'credentials' | 'other'>> {
  const credentials = readAccess('CLIENT', {
    clientKey: flags.clientKey ?? env.CLIENT_KEY,
    clientSecret: flags.clientSecret ?? env.CLIENT_SECRET,
    token: env.TOKEN,
  })
  const other = readAccess('OTHER', {
    clientKey: flags.otherKey ?? env.OTHER_KEY,
    clientSecret: flags.otherSecret ?? env.OTHER_SECRET,
    token: env.OTHER_TOKEN,
  })
  if (credentials) return { credentials, ...(other && { other }) }

  if (!(await isSandboxOnThisMachine(url)))
    return refuse(
      'no credentials were given; set CLIENT_KEY and CLIENT_SECRET, or TOKEN, in the environment',
    )
  return takeSeedCredentials()
}

/** Takes the public credentials of the sandbox's seed data, and logs which they are. */
function takeSeedCredentials(): Pick<CheckOptions, 'credentials' | 'other'> {
  const variables = Object.entries(SEED).map(([name, value]) => `${name}=${value}`)
  log(
    `No credentials were given, so the run uses those of the sandbox's seed data: ${variables.join(' ')}`,
  )
  return {
    credentials: { clientKey: SEED.CLIENT_KEY, clientSecret: SEED.CLIENT_SECRET },
    other: { clientKey: SEED.OTHER_KEY, clientSecret: SEED.OTHER_SECRET },
  }
}

/** What was given for one partner. An empty text counts as missing. */
interface GivenAccess {
  readonly clientKey: string | undefined
  readonly clientSecret: string | undefined
  readonly token: string | undefined
}

/** Reads the credentials of one partner; undefined if there are none. @throws {CommandError} if only half is given */
function readAccess(prefix: 'CLIENT' | 'OTHER', given: GivenAccess): Access | undefined {
  const { clientKey, clientSecret, token } = given
  if (clientKey && clientSecret) return { clientKey, clientSecret }
  if (clientKey || clientSecret)
    return refuse(`of ${prefix}_KEY and ${prefix}_SECRET only one was given; give both`)
  return token ? { token } : undefined
}

/**
 * Whether a URL leads to a sandbox on this machine. Another machine is not asked.
 *
 * @throws {CannotRun} if nothing responds
 */
async function isSandboxOnThisMachine(url: string): Promise<boolean> {
  const { transport, close } = httpTransport(new URL(baseOf(url)))
  const signal = AbortSignal.timeout(10_000)
  const get: Get = (path, headers) => transport({ method: 'GET', path, headers }, signal)
  try {
    // An objection is a sentence that says why the service is not shown to be a sandbox on this machine.
    const question = { kind: 'sandbox', isRemoteAllowed: false, get } as const
    const objection = await findObjection(new URL(url), question)
    return objection === undefined
  } catch (error) {
    throw new CannotRun(`the service cannot be reached: ${noResponseReason(error)}`, {
      cause: error,
    })
  } finally {
    await close()
  }
}

/**
 * Creates the function that builds the command which checks for a finding again: the options that the user
 * gave, and `--only` with the rule. Secrets stay in the environment, and those in a value are masked.
 *
 * @param name The command as the user typed it.
 *
 * @example
 * const repeat = repeatCommand('check', [{ name: 'target', value: 'http://127.0.0.1:4020' }])
 * repeat(finding) // 'check --target http://127.0.0.1:4020 --only lists-pages --operation listPixKeys'
 */
export function repeatCommand(name: string, given: readonly GivenOption[]) {
  const repeated = given.filter((option) => OPTIONS_TO_REPEAT.has(option.name))
  const command = [name, ...repeated.map(writeOption)].join(' ')

  return ({ rule, operation }: Finding): string => {
    const ofRule = `${command} --only ${rule}`
    return operation ? `${ofRule} --operation ${operation}` : ofRule
  }
}

/** An option as it is typed in a shell, with its secrets masked. */
function writeOption({ name, text }: GivenOption): string {
  const isSwitch = text === undefined
  if (isSwitch) return `--${name}`
  return `--${name} ${shellWord(withoutPairs(text, '***'))}`
}

/** Options that change what is found; those about reports, say, are not repeated. */
const OPTIONS_TO_REPEAT: ReadonlySet<string> = new Set(
  OPTION_ROWS.filter(([, { isKept }]) => isKept).map(([option]) => option),
)

/** A text as one word of a command in a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w.:/,=-]+$/.test(text) ? text : quoteForShell(text)
}

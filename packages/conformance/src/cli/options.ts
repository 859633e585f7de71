import { fieldsOf, parsedJson } from '../contract/json.ts'
import { BASE_URL, baseOf, type CheckOptions, isOnThisMachine } from '../options.ts'
import { quoted } from '../report/evidence.ts'
import type { Finding } from '../report/result.ts'
import type { Access } from '../send/identities.ts'
import { CannotRun, httpTransport, noResponseReason } from '../send/transport.ts'
import type { createCommand, Flags } from './command.ts'
import { log, refuse } from './process.ts'
import type { Spec } from './spec.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * @throws {CommandError} if the URL is missing or invalid. The message does not repeat it, because
 * it may have a password.
 */
export function targetOf(url: string | undefined, option: string): string {
  const [what, isValid] = BASE_URL
  if (url === undefined)
    return refuse(`${option} is missing; give the base URL, such as http://127.0.0.1:4020`)
  return isValid(url) ? url : refuse(`${option} must be ${what}`)
}

/**
 * Reads the options of a run from flags and environment, and warns of secrets on the command line.
 *
 * @throws {CommandError} if one is missing or invalid
 * @throws {CannotRun} if nothing responds on this machine
 */
export async function optionsOf(
  flags: Flags,
  { contract }: Spec,
  env: Environment,
): Promise<CheckOptions> {
  const url = targetOf(flags.target, '--target')
  const { receiver, receiverPort } = flags
  if (receiver !== undefined && receiverPort === undefined && new URL(receiver).port === '')
    refuse(
      `--receiver ${receiver} names no port, so --receiver-port must say which of this machine it leads to`,
    )
  for (const name of ['client', 'other'] as const)
    if (flags[`${name}Secret`])
      log(
        `Warning: --${name}-secret shows in the list of processes and in the shell's history; set ${name.toUpperCase()}_SECRET in the environment instead.`,
      )
  const given = defined({
    ...{
      target: flags.kind,
      allowPayments: flags.allowPayments,
      values: flags.set,
      rate: flags.rate,
    },
    ...{ only: flags.only, operations: flags.operation, seed: flags.seed, timeMs: flags.time },
    ...{ receiverUrl: receiver, receiverPort, isComplete: flags.complete, contract },
  })
  return { url, ...given, ...(await credentialsOf(url, flags, env)) }
}

/** The options that were given. */
export function defined<T extends object>(options: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(options).filter(([, it]) => it !== undefined)) as T
}

/** Credentials of the sandbox's seed data, as environment variables. */
const SEED = {
  CLIENT_KEY: 'partner',
  CLIENT_SECRET: 'secret',
  OTHER_KEY: 'other',
  OTHER_SECRET: 'secret',
}

/** Flags override the environment. A sandbox on this machine needs none. */
async function credentialsOf(
  url: string,
  flags: Partial<Flags>,
  env: Environment,
): Promise<Pick<CheckOptions, 'credentials' | 'other'>> {
  const credentials = accessOf('CLIENT', [flags.clientKey, flags.clientSecret, env.TOKEN], env)
  const other = accessOf('OTHER', [flags.otherKey, flags.otherSecret, env.OTHER_TOKEN], env)
  if (credentials) return { credentials, ...(other && { other }) }
  if (!isOnThisMachine(url) || !(await isSandbox(url)))
    return refuse(
      'no credentials were given; set CLIENT_KEY and CLIENT_SECRET, or TOKEN, in the environment',
    )
  const variables = Object.entries(SEED).map((it) => it.join('='))
  log(
    `No credentials were given, so the run uses those of the sandbox's seed data: ${variables.join(' ')}`,
  )
  return credentialsOf(url, {}, SEED)
}

function accessOf(
  prefix: 'CLIENT' | 'OTHER',
  [key, secret, token = '']: readonly (string | undefined)[],
  env: Environment,
): Access | undefined {
  const clientKey = key ?? env[`${prefix}_KEY`] ?? ''
  const clientSecret = secret ?? env[`${prefix}_SECRET`] ?? ''
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
    throw new CannotRun(`the service cannot be reached: ${noResponseReason(error)}`, {
      cause: error,
    })
  } finally {
    await close()
  }
}

/** Options that are needed to check for a finding again. Secrets stay in the environment. */
const REPEATED =
  'target kind allow-payments receiver receiver-port set seed spec har complete'.split(' ')

/**
 * Builds the command that checks for a finding again, from the options that are parsed after this
 * call.
 */
export function repeatCommand(command: ReturnType<typeof createCommand>) {
  const words = [command.name()]
  for (const option of REPEATED)
    command.on(`option:${option}`, (value: string | undefined) =>
      words.push(`--${option}`, ...(value === undefined ? [] : [wordOf(value)])),
    )
  return ({ rule, operation }: Finding): string =>
    [...words, `--only ${rule}`, ...(operation ? [`--operation ${operation}`] : [])].join(' ')
}

function wordOf(text: string): string {
  return /^[\w.:/,=-]+$/.test(text) ? text : quoted(text)
}

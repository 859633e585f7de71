import {
  type ClientOptions,
  createPayments,
  type Payments,
  PaymentsError,
} from '@partner-payments/client'
import { isOnThisMachine, visible, withoutPairs } from '@partner-payments/contract'
import { FIRST_PARTNER } from '@partner-payments/sandbox/first-partner'
import { CliError, findRefusal, refuse } from './errors.ts'
import type { TargetFlags } from './tables.ts'

/** Credentials of the seed data, the default for a sandbox on this machine only. */
const SEED = {
  clientKey: FIRST_PARTNER.client_key,
  clientSecret: FIRST_PARTNER.client_secret,
}

/** @throws {UsageError} if the target is not a base URL, or credentials are missing */
export function connect(flags: TargetFlags): Payments {
  return createPayments(readConnection(flags))
}

/**
 * The options of a client for a service. On this machine, the credentials of the seed data are the
 * default.
 *
 * @throws {UsageError} if the target is not a base URL, or credentials are missing
 */
export function readConnection({ target, clientKey, clientSecret }: TargetFlags): ClientOptions {
  const url = readTarget(target)
  const baseUrl = baseOf(url)
  const hasNoCredentials = clientKey === undefined && clientSecret === undefined
  if (hasNoCredentials && isOnThisMachine(url.hostname)) return { baseUrl, auth: SEED }

  if (!clientKey || !clientSecret)
    return refuse(
      `${url.host} needs both credentials. Set --client-key and --client-secret, or CLIENT_KEY and CLIENT_SECRET.`,
    )
  return { baseUrl, auth: { clientKey, clientSecret } }
}

/**
 * Reads the URL of a flag.
 *
 * @throws {UsageError} if the text is not an http or https URL
 */
export function readUrl(text: string, flag: string): URL {
  const url = URL.parse(text)
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (isHttp) return url
  return refuse(
    `${flag} must be an http or https URL, got "${withoutPairs(visible(text), '***')}".`,
  )
}

/**
 * Reads the base URL of a service.
 *
 * @throws {UsageError} if the text is not the base URL of a service
 */
export function readTarget(text: string): URL {
  const url = readUrl(text, '--target')
  const hasCredentials = url.username !== '' || url.password !== ''
  const isBase = url.search === '' && url.hash === ''
  if (hasCredentials || !isBase)
    refuse('--target must be a URL without credentials, query and fragment.')
  return url
}

/** The URL without a trailing slash. */
export function baseOf({ href }: URL): string {
  return href.replace(/\/$/, '')
}

/**
 * Calls the service. Turns an error response or a missing response into one sentence.
 *
 * @param subject What that sentence begins with: the target, or what a failure leaves behind.
 */
export async function callService<T>(subject: string, call: PromiseLike<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    const refusal = findRefusal(error)
    if (refusal) throw refusal
    const message = `${subject}: ${visible(error.message)}.`
    if (error.kind !== 'connection') throw new CliError(message)
    throw new CliError(
      `${message} Start one with \`partner-payments sandbox\`, or name another with --target.`,
    )
  }
}

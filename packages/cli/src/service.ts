import {
  type ClientOptions,
  createPayments,
  type Payments,
  PaymentsError,
} from '@partner-payments/client'
import { visible } from '@partner-payments/text'
import { CliError, refuse } from './errors.ts'

/** Flags that name a service. */
export interface ServiceFlags {
  readonly target: string
  readonly clientKey?: string
  readonly clientSecret?: string
  readonly json?: boolean
}

/** Credentials of the seed data, the default for a sandbox on this machine only. */
const SEED = { clientKey: 'partner', clientSecret: 'secret' }

/** @throws {UsageError} if the target is not a base URL, or credentials are missing */
export function connect(flags: ServiceFlags): Payments {
  return createPayments(connectionOf(flags))
}

/** @throws {UsageError} if the target is not a base URL, or credentials are missing */
export function connectionOf({ target, clientKey, clientSecret }: ServiceFlags): ClientOptions {
  const url = targetOf(target)
  const isDefault = clientKey === undefined && clientSecret === undefined && isLocal(url)
  const auth = isDefault ? SEED : { clientKey: clientKey ?? '', clientSecret: clientSecret ?? '' }
  if (auth.clientKey === '' || auth.clientSecret === '')
    refuse(
      `${url.host} needs both credentials. Set --client-key and --client-secret, or CLIENT_KEY and CLIENT_SECRET.`,
    )
  return { baseUrl: baseOf(url), auth }
}

/** Whether a URL refers to this machine. */
export function isLocal({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

/** @throws {UsageError} if the text is not an http or https URL */
export function urlOf(text: string, flag: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url
  return refuse(`${flag} must be an http or https URL, got "${visible(text)}".`)
}

/** @throws {UsageError} if the text is not the base URL of a service */
export function targetOf(text: string): URL {
  const url = urlOf(text, '--target')
  if (!url.username && !url.password && !url.search && !url.hash) return url
  return refuse('--target must be a URL without credentials, query and fragment.')
}

/** The URL without a trailing slash. */
export function baseOf({ href }: URL): string {
  return href.replace(/\/$/, '')
}

/** Calls the service. Turns an error response or a missing response into one sentence. */
export async function callService<T>(target: string, call: PromiseLike<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    const hint =
      error.kind === 'connection'
        ? ' Start one with `partner-payments sandbox`, or name another with --target.'
        : ''
    throw new CliError(`${target}: ${visible(error.message)}.${hint}`)
  }
}

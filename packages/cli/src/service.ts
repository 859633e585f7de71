import { createPayments, type Payments, PaymentsError } from '@partner-payments/client'

/** An error for the person at the terminal: what happened, and what to do. */
export class CliError extends Error {
  override readonly name = 'CliError'
}

/** Flags that name a service. */
export interface ServiceFlags {
  readonly target: string
  readonly clientKey?: string
  readonly clientSecret?: string
  readonly json?: boolean
}

/** Credentials of the seed data, the default for a sandbox on this machine only. */
const SEED = { clientKey: 'partner', clientSecret: 'secret' }

/** @throws {CliError} if the target is not a URL, or credentials are missing. */
export function connect({ target, clientKey, clientSecret }: ServiceFlags): Payments {
  const url = urlOf(target, '--target')
  const isDefault = clientKey === undefined && clientSecret === undefined && isLocal(url)
  const auth = isDefault ? SEED : { clientKey: clientKey ?? '', clientSecret: clientSecret ?? '' }
  if (auth.clientKey === '' || auth.clientSecret === '')
    throw new CliError(
      `${url.host} needs both credentials. Set --client-key and --client-secret, or CLIENT_KEY and CLIENT_SECRET.`,
    )
  return createPayments({ baseUrl: url.href.replace(/\/$/, ''), auth })
}

/** Whether a URL refers to this machine. */
export function isLocal({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

/** @throws {CliError} if the text is not an http or https URL. */
export function urlOf(text: string, flag: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url
  throw new CliError(`${flag} must be an http or https URL, got "${text}".`)
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
    throw new CliError(`${target}: ${error.message}.${hint}`)
  }
}

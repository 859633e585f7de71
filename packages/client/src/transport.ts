import type { CheckedResponse } from './attempt.ts'
import { runWithTimeout } from './clock.ts'
import { ConfigError, DecodeError, toTypedError } from './errors.ts'
import { operations } from './generated/operations.ts'
import type { Operation } from './operation.ts'
import type {
  ActingFor,
  Auth,
  CallOptions,
  ClientOptions,
  Supplier,
  Token,
  TokenRequest,
} from './options.ts'
import { readProperty } from './property.ts'
import { isBrowser, isReactNative } from './runtime.ts'
import { send } from './send.ts'
import { type Settings, validateSettings } from './settings.ts'
import { cacheTokens, type Tokens } from './tokens.ts'

/**
 * Sends the requests of one identity, for `createSafeFetch`, `createClient` and `createPayments`.
 */
export interface Transport {
  readonly baseUrl: string
  /** Returns the transport of a customer of the partner. Equal ids share a token. */
  as(customer: ActingFor): Transport
  /**
   * Sends a request to a path whose parameters are filled in. `read` reads a body that is already
   * serialized.
   */
  send(
    operation: Operation,
    path: string,
    input?: unknown,
    options?: CallOptions,
    read?: () => Promise<string>,
  ): Promise<CheckedResponse>
}

/** Options, or an object such as `Payments` whose `transport`, and so whose tokens, are shared. */
export type Connection = ClientOptions | { readonly transport: Transport }

const { signIn, impersonate } = operations.auth

/** Maximum number of customers whose tokens are cached; the least recently used is dropped. */
const MAX_CUSTOMERS = 1000

/**
 * Returns the shared transport, or creates one from options. `others` are further options of the
 * caller.
 */
export function resolveTransport(options: Connection, others: readonly string[] = []): Transport {
  if (options && 'transport' in options) return options.transport
  return createTransport(options, others)
}

/** Validates the options and sends nothing. Throws `ConfigError`. */
function createTransport(options: ClientOptions, others: readonly string[]): Transport {
  const settings = validateSettings(options, others)
  const { baseUrl, auth, clock } = settings
  const hasSupplier = typeof auth.token === 'function'
  // Invalid credentials are refused at once, and not at the first call.
  if (!hasSupplier) encodeCredentials(auth)
  const scheme = validateScheme(auth)

  const basicTokens: Tokens = {
    cached: () => encodeCredentials(auth),
    get: async () => encodeCredentials(auth),
    canRenew: false,
    // They stay what they are.
    drop() {},
  }
  const partner = createIdentityTransport((request) => {
    if (hasSupplier) return requestSuppliedToken(settings, request)
    return requestTokenSet(partner, signIn)
  })
  const customers = new Map<string, Transport>()
  return partner

  /**
   * Creates the transport of one identity, the partner or a customer: it sends each operation with
   * a token of that identity.
   *
   * @param obtain requests a new token
   */
  function createIdentityTransport(obtain: (request: TokenRequest) => Promise<Token>): Transport {
    const tokens = cacheTokens(obtain, scheme, clock.now)
    return {
      baseUrl,
      as,
      /** Sends an operation. A sign-in sends the credentials themselves, everything else a token. */
      send(operation, path, input, options, readText) {
        const isSignIn = operation.operationId === 'signIn'
        return send({
          settings,
          tokens: isSignIn ? basicTokens : tokens,
          operation,
          url: baseUrl + path,
          input,
          options,
          readText,
        })
      },
    }
  }

  /**
   * The transport that acts for a customer. Those of the customers that were used last are kept, with
   * their tokens. Throws `ConfigError` without the two ids.
   */
  function as({ customer_id, user_id }: ActingFor): Transport {
    const customer = { customer_id, user_id }
    requireIds(customer)
    const key = JSON.stringify(customer)
    const transport = customers.get(key) ?? createIdentityTransport(() => customerToken(customer))

    // A Map keeps the order in which its keys were added: the first is the least recently used.
    customers.delete(key)
    customers.set(key, transport)
    if (customers.size > MAX_CUSTOMERS) {
      const [oldest = ''] = customers.keys()
      customers.delete(oldest)
    }
    return transport
  }

  function customerToken(customer: ActingFor): Promise<Token> {
    return requestTokenSet(partner, impersonate, customer)
  }
}

/**
 * The `authorization` header of a sign-in, by HTTP Basic. Throws `ConfigError` if the credentials
 * are missing or cannot be sent.
 */
function encodeCredentials(auth: Auth): string {
  const { clientKey, clientSecret } = auth
  // A colon separates the two (RFC 7617, section 2).
  const hasColon = /:/.test(clientKey ?? '')
  if (!clientKey || hasColon || !clientSecret)
    throw new ConfigError(explainInvalidCredentials(auth))
  if (isBrowser() || isReactNative()) {
    const place = isBrowser() ? 'a browser' : 'an app'
    throw new ConfigError(`everyone can read clientSecret in ${place}: pass "auth.token" instead`)
  }
  // RFC 7617, section 2.1, with UTF-8.
  const bytes = new TextEncoder().encode(`${clientKey}:${clientSecret}`)
  return `Basic ${btoa(String.fromCharCode(...bytes))}`
}

/**
 * The message about missing credentials: what is expected, and, if the caller passed one of the two,
 * which of them is empty.
 */
function explainInvalidCredentials({ token, clientKey, clientSecret }: Auth): string {
  const expected = '"auth" must have clientKey (without a colon) and clientSecret, or token'
  if (token !== undefined) return `${expected}: "token" must be a function, such as () => token`

  const isOneMissing = !clientKey !== !clientSecret
  if (isOneMissing) {
    const missing = clientKey ? 'clientSecret' : 'clientKey'
    return `${expected}: ${missing} is empty. Is its environment variable set?`
  }
  return expected
}

/** Returns the word before the token; it is empty if the token is sent alone. */
function validateScheme({ scheme = 'Bearer' }: Auth): string {
  const isWord = typeof scheme === 'string' && /^[!-~]*$/.test(scheme)
  if (isWord) return scheme
  throw new ConfigError('"auth.scheme" must be one word such as "Bearer", or empty for no scheme')
}

/**
 * Throws `ConfigError` unless both ids of a customer are strings with something in them: without one,
 * the service would be asked to act for nobody.
 */
function requireIds(customer: ActingFor): void {
  for (const [name, id] of Object.entries(customer)) {
    if (typeof id === 'string' && id !== '') continue
    throw new ConfigError(`"as" needs { customer_id, user_id }: "${name}" must be a string`)
  }
}

/**
 * Asks the caller's function `auth.token` for a token. Throws a typed error if it fails or returns
 * something else. A function that hangs times out, so that the next call tries again.
 */
async function requestSuppliedToken(
  { auth, clock, timeout }: Settings,
  request: TokenRequest,
): Promise<Token> {
  const supply = async () => (auth as Supplier).token(request)
  // `cause` is what the function threw; nothing if it returned no token.
  const refuse = (cause?: unknown): never => {
    throw toTypedError(cause, '"auth.token" must return an access token')
  }
  const supplied = await runWithTimeout(clock, timeout, undefined, signIn, supply).catch(refuse)
  if (!isToken(supplied)) return refuse()
  return supplied
}

/** Requests a token set from the service: by a sign-in, or for a customer. */
async function requestTokenSet(
  transport: Transport,
  operation: Operation,
  body?: ActingFor,
): Promise<Token> {
  const { data } = await transport.send(operation, operation.path, body)
  if (isToken(data)) return data
  throw new DecodeError(operation, 'expected a valid access_token, got none', { body: data })
}

/** A token, or a token set, of visible ASCII (RFC 6750, section 2.1). */
function isToken(value: unknown): value is Token {
  const token = readProperty(value, 'access_token') ?? value
  return typeof token === 'string' && /^[!-~]+$/.test(token)
}

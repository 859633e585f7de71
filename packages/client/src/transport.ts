import { within } from './clock.ts'
import { ConfigError, DecodeError, PaymentsError } from './errors.ts'
import type { TokenSet } from './generated/contract.ts'
import type { AttemptResult } from './middleware.ts'
import { type Operation, operationOf, operations } from './operation.ts'
import type { ActingFor, Auth, CallOptions, ClientOptions, Secret, Supplier, Token } from './options.ts'
import { isBrowser } from './runtime.ts'
import { send } from './send.ts'
import { type Settings, settingsOf } from './settings.ts'
import { type Tokens, tokensFrom } from './tokens.ts'

/** Sends the requests of one identity, for `createPayments` and `createClient`. */
export interface Transport {
  readonly baseUrl: string
  /** Returns the transport of a customer of the partner. Equal ids share a token. */
  as(customer: ActingFor): Transport
  /** Sends a request to a path whose parameters are filled in. */
  send(operation: Operation, path: string, input?: unknown, options?: CallOptions): Promise<AttemptResult>
}

/** Maximum number of customers whose tokens are cached; the least recently used is dropped. */
const MAX_CUSTOMERS = 1000

/** Returns the transport itself, or creates one from options. */
export function transportOf(options: ClientOptions | Transport): Transport {
  return options && 'send' in options ? options : createTransport(options)
}

/** Validates the options and sends nothing. Throws `ConfigError`. */
function createTransport(options: ClientOptions): Transport {
  const settings = settingsOf(options)
  const { baseUrl, auth, clock } = settings
  const partner = transportFor(() =>
    isSupplier(auth) ? suppliedToken(settings, auth.token) : tokenSet(partner, operations.auth.signIn),
  )
  const basicAuth = basicAuthOf(auth)
  const customers = new Map<string, Transport>()
  return partner

  function transportFor(obtain: () => Promise<Token>): Transport {
    const tokens = tokensFrom(obtain, clock.now)
    return {
      baseUrl,
      as,
      send: (operation, path, ...rest) =>
        send(
          settings,
          operation.operationId === 'signIn' ? basicAuth : tokens,
          operation,
          baseUrl + path,
          ...rest,
        ),
    }
  }

  function as({ customer_id, user_id }: ActingFor): Transport {
    const customer = { customer_id, user_id }
    const key = JSON.stringify(customer)
    const transport =
      customers.get(key) ?? transportFor(() => tokenSet(partner, operations.auth.impersonate, customer))
    customers.delete(key)
    customers.set(key, transport)
    const [oldest = ''] = customers.keys()
    if (customers.size > MAX_CUSTOMERS) customers.delete(oldest)
    return transport
  }
}

function isSupplier(auth: Auth): auth is Supplier {
  return typeof auth.token === 'function'
}

/** The Basic header of sign-in, which cannot be renewed. */
function basicAuthOf(auth: Auth): Tokens {
  const cached = isSupplier(auth) ? throwNoSecret : credentials(auth)
  return { cached, get: async () => cached(), drop: () => false }
}

function credentials({ clientKey, clientSecret }: Secret): () => string {
  if (!clientKey || /:/.test(clientKey) || !clientSecret) {
    throw new ConfigError('"auth" must have clientKey (without a colon) and clientSecret, or token')
  }
  if (isBrowser()) {
    throw new ConfigError(
      'clientSecret must not be used in a browser, where everyone can read it: pass "auth.token" instead',
    )
  }
  // RFC 7617, section 2.1, with UTF-8.
  const bytes = new TextEncoder().encode(`${clientKey}:${clientSecret}`)
  const basic = `Basic ${btoa(String.fromCharCode(...bytes))}`
  return () => basic
}

function throwNoSecret(): never {
  throw new ConfigError('"auth" must have clientKey and clientSecret')
}

/** A supplier that hangs times out, so that the next call tries again. */
async function suppliedToken({ clock, timeout }: Settings, token: () => unknown): Promise<Token> {
  let cause: unknown
  try {
    const supplied = await within(clock, timeout, undefined, operationOf(operations.auth.signIn), async () =>
      token(),
    )
    if (hasToken(supplied)) return supplied as Token
  } catch (thrown) {
    if (thrown instanceof PaymentsError) throw thrown
    cause = thrown
  }
  throw new ConfigError('"auth.token" must return an access token', undefined, cause)
}

async function tokenSet(transport: Transport, row: string, body?: ActingFor): Promise<TokenSet> {
  const operation = operationOf(row)
  const { data } = await transport.send(operation, operation.path, body)
  if (hasToken(data)) return data as TokenSet
  throw new DecodeError(operation, 'expected a valid access_token, got none')
}

/** A token is visible ASCII (RFC 6750, section 2.1). */
function hasToken(tokenSet: unknown): boolean {
  const token = (tokenSet as TokenSet | undefined)?.access_token ?? tokenSet
  return typeof token === 'string' && /^[!-~]+$/.test(token)
}

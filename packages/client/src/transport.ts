import { within } from './clock.ts'
import { ConfigError, DecodeError, PaymentsError } from './errors.ts'
import type { TokenSet } from './generated/contract.ts'
import type { Reply } from './middleware.ts'
import { type Operation, operationOf, operations } from './operation.ts'
import type { ActingFor, Auth, CallOptions, ClientOptions, Secret, Supplier, Token } from './options.ts'
import { isBrowser } from './runtime.ts'
import { send } from './send.ts'
import { type Settings, settingsOf } from './settings.ts'
import { type Tokens, tokensFrom } from './tokens.ts'

/** What both surfaces send through, for one identity. */
export interface Transport {
  readonly baseUrl: string
  /** The same for a customer of the partner. Equal pairs share a token. */
  as(who: ActingFor): Transport
  /** Sends to a path of the contract, with its parameters filled in. */
  send(operation: Operation, path: string, input?: unknown, options?: CallOptions): Promise<Reply>
}

/** Customers whose tokens are kept at most: those who were acted for last. */
const KEPT = 1000

/** The one that is given, or a new one of the options. */
export function transportOf(options: ClientOptions | Transport): Transport {
  return options && 'send' in options ? options : createTransport(options)
}

/** Checks the options; sends nothing yet. Throws `ConfigError`. */
function createTransport(options: ClientOptions): Transport {
  const settings = settingsOf(options)
  const { baseUrl, auth, clock } = settings
  const partner = transportFor(() =>
    isSupplier(auth) ? suppliedToken(settings, auth.token) : tokenSet(partner, operations.auth.signIn),
  )
  const signer = signerOf(auth)
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
          operation.operationId === 'signIn' ? signer : tokens,
          operation,
          baseUrl + path,
          ...rest,
        ),
    }
  }

  function as({ customer_id, user_id }: ActingFor): Transport {
    const who = { customer_id, user_id }
    const key = JSON.stringify(who)
    const transport =
      customers.get(key) ?? transportFor(() => tokenSet(partner, operations.auth.impersonate, who))
    customers.delete(key)
    customers.set(key, transport)
    const [oldest = ''] = customers.keys()
    if (customers.size > KEPT) customers.delete(oldest)
    return transport
  }
}

function isSupplier(auth: Auth): auth is Supplier {
  return typeof auth.token === 'function'
}

/** Who signs in: with the credentials, which nothing renews. */
function signerOf(auth: Auth): Tokens {
  const kept = isSupplier(auth) ? noSecret : credentials(auth)
  return { kept, get: async () => kept(), drop: () => false }
}

function credentials({ clientKey, clientSecret }: Secret): () => string {
  if (!clientKey || /:/.test(clientKey) || !clientSecret) {
    throw new ConfigError('"auth" must have clientKey (without a colon) and clientSecret, or token')
  }
  if (isBrowser()) {
    throw new ConfigError('no clientSecret in a browser, where it is no secret: give "auth.token"')
  }
  // RFC 7617, section 2.1, with UTF-8.
  const bytes = new TextEncoder().encode(`${clientKey}:${clientSecret}`)
  const basic = `Basic ${btoa(String.fromCharCode(...bytes))}`
  return () => basic
}

function noSecret(): never {
  throw new ConfigError('"auth" must have clientKey and clientSecret')
}

/** A supplier that hangs is given up, so that the next call asks again. */
async function suppliedToken({ clock, timeout }: Settings, token: () => unknown): Promise<Token> {
  let cause: unknown
  try {
    const given = await within(clock, timeout, undefined, operationOf(operations.auth.signIn), async () =>
      token(),
    )
    if (hasToken(given)) return given as Token
  } catch (thrown) {
    if (thrown instanceof PaymentsError) throw thrown
    cause = thrown
  }
  throw new ConfigError('"auth.token" must give an access token', undefined, cause)
}

async function tokenSet(transport: Transport, row: string, body?: ActingFor): Promise<TokenSet> {
  const operation = operationOf(row)
  const { data } = await transport.send(operation, operation.path, body)
  if (hasToken(data)) return data as TokenSet
  throw new DecodeError(operation, 'expected an access_token, got none that can be sent')
}

/** Visible ASCII, as RFC 6750, section 2.1, has it, and no more can go into a header. */
function hasToken(given: unknown): boolean {
  const token = (given as TokenSet | undefined)?.access_token ?? given
  return typeof token === 'string' && /^[!-~]+$/.test(token)
}

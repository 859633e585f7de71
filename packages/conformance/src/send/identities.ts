import type { Operation } from '../contract/contract.ts'
import { fieldsOf, stringAt, valueAt } from '../contract/json.ts'
import type { ServiceForm } from '../form/service-form.ts'
import type { Input, Named, Outcome, Sender } from './requests.ts'
import { CannotRun } from './transport.ts'

/** A key and a secret. */
export interface Credentials {
  readonly clientKey: string
  readonly clientSecret: string
}

/** Credentials to sign in with, or the token of a service that is signed in to elsewhere. */
export type Access = Credentials | { readonly token: string }

export interface IdentityOptions {
  readonly partner?: Access | undefined
  /** Credentials of a second partner, who must not see the records of the first. */
  readonly other?: Access | undefined
  /** Base URL of the service, for messages. */
  readonly url: string
  /** The customer that the user names. Default: the first one, unless it must be named. */
  readonly customer?: CustomerIds | undefined
  /** Whether nobody is impersonated whom the user does not name. Default: false. */
  readonly mustNameCustomer?: boolean
  /** How the service writes what is assumed: whose tokens it takes. */
  readonly form: ServiceForm
}

/** A customer, and its user, as an impersonation names them. */
export interface CustomerIds {
  readonly user_id: string
  readonly customer_id: string
}

/** A user as the look-up shows it, with its active customers first. */
export interface FoundUser {
  readonly user_id: string
  readonly shown: unknown
}

/** So many users are looked up to find customers. */
const MAX_USERS = 20

/**
 * Finds the first active user with an active customer, as whom a partner may act; else the first one
 * with any customer, or the first one of all.
 */
export async function findUser(call: Call, by?: Sender): Promise<FoundUser | undefined> {
  const users = await call('listUsers', { by })
  let best: FoundUser | undefined
  for (let i = 0; i < MAX_USERS; i++) {
    const user_id = stringAt(users.json, `/users/${i}/id`)
    if (user_id === undefined) break

    const { json } = await call('getUser', { path: { user_id }, by })
    const user = { user_id, shown: withActiveFirst(json) }
    const customer = firstCustomer(user)
    const areActive = isActive(valueAt(json, '/user')) && isActive(customer)
    if (customer !== undefined && areActive) return user

    const isBetter = !best || (!firstCustomer(best) && customer !== undefined)
    if (isBetter) best = user
  }
  return best
}

/** A service refuses to act for a user or a customer in another state. */
function isActive(record: unknown): boolean {
  return (stringAt(record, '/status') ?? 'active') === 'active'
}

function firstCustomer({ shown }: FoundUser): unknown {
  return valueAt(shown, '/customers/0')
}

function withActiveFirst(shown: unknown): unknown {
  const customers = valueAt(shown, '/customers')
  if (!Array.isArray(customers)) return shown
  const active = customers.filter((customer) => isActive(customer))
  const others = customers.filter((customer) => !isActive(customer))
  return { ...fieldsOf(shown), customers: [...active, ...others] }
}

/** A customer of a partner, as the look-up of its user shows it. */
export interface FoundCustomer extends CustomerIds {
  readonly taxId: string | undefined
}

/** Finds the customers of the first users, at most six. */
export async function findCustomers(call: Call, by?: Sender): Promise<readonly FoundCustomer[]> {
  const users = await call('listUsers', { by })
  const foundCustomers: FoundCustomer[] = []
  for (let i = 0; i < MAX_USERS && foundCustomers.length < MAX_CUSTOMERS; i++) {
    const user_id = stringAt(users.json, `/users/${i}/id`)
    if (user_id === undefined) break

    const { json } = await call('getUser', { path: { user_id }, by })
    const customers = valueAt(json, '/customers')
    for (const customer of Array.isArray(customers) ? customers : []) {
      const customer_id = stringAt(customer, '/id')
      if (customer_id === undefined) continue
      foundCustomers.push({ user_id, customer_id, taxId: stringAt(customer, '/tax_id') })
    }
  }
  return foundCustomers
}

/** Operations that are needed before a customer can act, so that the partner always sends them. */
const BEFORE_IMPERSONATION: ReadonlySet<string> = new Set([
  'signIn',
  'impersonate',
  'listUsers',
  'getUser',
])

/** So many customers are looked at to find a substitute, and keys of others. */
const MAX_CUSTOMERS = 6

export type Identities = ReturnType<typeof createIdentities>

/** Sends a request. */
type Call = (operation: string, input: Input) => Promise<Outcome>

/** After so many consecutive sign-ins without a token, no other is tried. */
const MAX_FAILED_SIGN_INS = 3

/**
 * The identities of a run, and the headers with which they send requests. Each signs in on first use,
 * through the same sender as every other request.
 *
 * @param call Sends a request; it is called after this function has returned.
 */
export function createIdentities(options: IdentityOptions, call: Call) {
  /** The responses with the token of each identity. */
  const signIns = new Map<Named, Promise<Outcome | undefined>>()
  /** The identities to which the run's tokens were issued, by their authorization headers. */
  const identityByHeader = new Map<string, Named>()
  const substitutes = new Map<Named, FoundCustomer>()
  let failedSignIns = 0

  /** Finds the credentials or the token of a partner. A customer has none, since a partner acts for it. */
  function findAccess(by: Named): Access | undefined {
    return isPartner(by) ? options[by] : undefined
  }

  /** Builds the Basic header of a partner. Undefined for a customer, or a partner with a token. */
  function buildBasicHeader(by: Named): string | undefined {
    const access = findAccess(by)
    return access && 'clientKey' in access ? encodeBasicHeader(access) : undefined
  }

  /** Signs in as a partner. Tries again once after a 5xx, since the run cannot continue without a token. */
  async function signIn(by: Named): Promise<Outcome | undefined> {
    const authorization = buildBasicHeader(by)
    if (authorization === undefined) return undefined
    const outcome = await call('signIn', { by: { authorization } })
    if (outcome.status < 500) return outcome
    return call('signIn', { by: { authorization } })
  }

  /** Acts for the customer that the user names, or for the first one. */
  async function impersonate(): Promise<Outcome | undefined> {
    if (options.customer) return call('impersonate', { body: options.customer })
    if (options.mustNameCustomer) return undefined

    const user = await findUser(call)
    if (!user) return undefined
    const customer_id = stringAt(user.shown, '/customers/0/id')
    return call('impersonate', { body: { user_id: user.user_id, customer_id } })
  }

  /**
   * Acts for another customer than `impersonate` does, if there is one, so that both can pay each
   * other.
   */
  async function actAsSubstitute(
    by: 'substitute' | 'other-substitute',
  ): Promise<Outcome | undefined> {
    const isOther = by === 'other-substitute'
    if (options.customer && !isOther) return call('impersonate', { body: options.customer })
    if (options.mustNameCustomer) return undefined

    const partner = isOther ? 'other' : 'partner'
    const [first, ...others] = await findCustomers(call, partner)
    // `impersonate` acts for the first customer, so that it comes last here.
    const candidates = first ? [...others, first] : []
    let outcome: Outcome | undefined
    for (const customer of candidates) {
      const { user_id, customer_id } = customer
      outcome = await call('impersonate', { body: { user_id, customer_id }, by: partner })
      if (!outcome.isAccepted) continue
      substitutes.set(by, customer)
      return outcome
    }
    return outcome
  }

  /** Asks for the token of an identity. */
  function requestToken(by: Named): Promise<Outcome | undefined> {
    if (isPartner(by)) return signIn(by)
    return by === 'customer' ? impersonate() : actAsSubstitute(by)
  }

  /** Asks for the token of an identity, unless too many sign-ins failed, and remembers whose it is. */
  async function requestAndNoteToken(by: Named): Promise<Outcome | undefined> {
    if (failedSignIns >= MAX_FAILED_SIGN_INS) return undefined
    const outcome = await requestToken(by)
    const header = readBearerHeader(outcome)
    failedSignIns = header === undefined ? failedSignIns + 1 : 0
    if (header !== undefined) identityByHeader.set(header, by)
    return outcome
  }

  /** The response with the token of an identity, which is asked for once. */
  function signInOnce(by: Named): Promise<Outcome | undefined> {
    const signIn = signIns.get(by) ?? requestAndNoteToken(by)
    signIns.set(by, signIn)
    return signIn
  }

  /** Finds the Bearer header of an identity. */
  async function findBearerHeader(by: Named): Promise<string | undefined> {
    const access = findAccess(by)
    if (access && 'token' in access) return `Bearer ${access.token}`
    return readBearerHeader(await signInOnce(by))
  }

  return {
    /** Whether the run has the credentials of this partner. */
    has: (by: 'partner' | 'other') => options[by] !== undefined,
    /**
     * The identity that sends an operation of another one: where the service takes only tokens of
     * customers, a substitute of the partner.
     */
    actingFor(by: Sender, operation: Operation): Sender {
      if (BEFORE_IMPERSONATION.has(operation.id) || !options.form.takesCustomersOnly(operation))
        return by

      if (by === 'partner') return 'substitute'
      return by === 'other' ? 'other-substitute' : by
    },
    /** The identity that a header was issued to; undefined if it is none of the run's own tokens. */
    ownerOf: (header: string): Named | undefined => identityByHeader.get(header),
    /** The customer who acts for the partner; undefined before a request of it. */
    get substitute(): FoundCustomer | undefined {
      return substitutes.get('substitute')
    },
    /** Forgets all tokens, which may have expired. */
    renew: () => signIns.clear(),
    /** The Basic credentials of the run. */
    credentials: PARTNERS.flatMap((by) => buildBasicHeader(by) ?? []),
    /**
     * Signs in as each partner.
     *
     * @throws {CannotRun} if the service cannot be reached, or refuses the credentials
     */
    async start(): Promise<void> {
      for (const by of PARTNERS) {
        if (buildBasicHeader(by) === undefined) continue
        const outcome = await signInOnce(by)
        const wasSent = outcome !== undefined && outcome.sentAt > 0
        if (!wasSent || outcome.isAccepted) continue
        throw outcome.cannotRun ?? createSignInError(by, outcome, options.url)
      }
    },
    /** Gets the header of an identity for an operation; undefined if the run has no such identity. */
    async authorization(
      by: Sender,
      { scheme }: Pick<Operation, 'scheme'>,
    ): Promise<string | undefined> {
      if (by === null) return undefined
      if (typeof by === 'object') return by.authorization
      if (scheme === 'bearer') return findBearerHeader(by)
      // The partner signs in for its customer.
      const isOfOther = by === 'other' || by === 'other-substitute'
      return buildBasicHeader(isOfOther ? 'other' : 'partner')
    },
    /** Gets a new header after a 401; undefined if the refused one is none of the run's own tokens. */
    async renewHeader(by: Sender, refused: string | undefined): Promise<string | undefined> {
      if (typeof by !== 'string') return undefined
      if (refused === undefined || !identityByHeader.has(refused)) return undefined

      // The first caller renews the token for all: a service may end a session when its owner signs
      // in again.
      const signIn = signIns.get(by)
      const isLatestRefused = readBearerHeader(await signIn) === refused
      const isFirstCaller = signIns.get(by) === signIn
      if (isLatestRefused && isFirstCaller) signIns.delete(by)

      const header = await findBearerHeader(by)
      return header === refused ? undefined : header
    },
  }
}

const PARTNERS = ['partner', 'other'] as const

function isPartner(by: Named): by is 'partner' | 'other' {
  return by === 'partner' || by === 'other'
}

/** Reads the header with the access token of a response. */
function readBearerHeader(outcome: Outcome | undefined): string | undefined {
  const token = stringAt(outcome?.json, '/access_token')
  return token === undefined ? undefined : `Bearer ${token}`
}

/** Writes the Basic header of credentials (RFC 7617). */
function encodeBasicHeader({ clientKey, clientSecret }: Credentials): string {
  return `Basic ${Buffer.from(`${clientKey}:${clientSecret}`).toString('base64')}`
}

const SIGN_IN = '/mobile-bff/v1/auth/partner/token/'

/** Creates the error that says why a sign-in was not accepted. */
function createSignInError(
  identity: string,
  { status, response, failure }: Outcome,
  url = '',
): CannotRun {
  if (!response) return new CannotRun(`the service cannot be reached: ${failure}`)
  const at = url.replace(/\/$/, '') + SIGN_IN
  const hint = describeRepeatedPrefix(at)
  if (isHtml(response))
    return new CannotRun(
      `this does not look like the API of the contract: the sign-in returned ${status} with text/html from ${at}; is it the base URL?${hint}`,
    )

  const returned = `the sign-in as "${identity}" returned ${status} from ${at}`
  const { location } = response.headers
  if (status < 400 && location !== undefined)
    return new CannotRun(
      `${returned}, a redirect to ${withoutQuery(String(location))}; give that base URL`,
    )

  const advice = status === 401 ? 'are the client key and the secret right?' : 'expected a token'
  return new CannotRun(`${returned}: ${advice}${hint}`)
}

function isHtml({ headers, text }: NonNullable<Outcome['response']>): boolean {
  const type = String(headers['content-type'] ?? '')
  return /^text\/html\b/i.test(type) && text.trimStart().startsWith('<')
}

/** A query may contain secrets. */
function withoutQuery(location: string): string {
  return (location.split(/[?#]/, 1)[0] ?? '').slice(0, 200)
}

/** Writes advice on a target that repeats the first segments of the paths. */
function describeRepeatedPrefix(url: string): string {
  if (!URL.canParse(url)) return ''
  const [, repeated] = /^(\/.+?)\1\//.exec(new URL(url).pathname) ?? []
  if (!repeated) return ''
  return `; the paths of the contract begin with ${repeated}, so leave it out of the target`
}

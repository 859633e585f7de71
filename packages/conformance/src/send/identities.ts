import type { Operation } from '../contract/contract.ts'
import { stringAt, valueAt } from '../contract/json.ts'
import type { OwnForm } from '../form/own-form.ts'
import type { Input, Named, Outcome, Sender } from './sender.ts'
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
  readonly form: OwnForm
}

/** A customer, and its user, as an impersonation names them. */
export interface CustomerIds {
  readonly user_id: string
  readonly customer_id: string
}

/** A user with its customers, as the look-up shows it. */
export interface FoundUser {
  readonly user_id: string
  readonly shown: unknown
}

/** Users that are looked up to find one with a customer. */
const MOST_USERS = 20

/** The first user that has a customer; the first one of all if none has. */
export async function findUser(call: Call, by?: Sender): Promise<FoundUser | undefined> {
  const users = await call('listUsers', { by })
  let first: FoundUser | undefined
  for (let i = 0; i < MOST_USERS; i++) {
    const user_id = stringAt(users.json, `/users/${i}/id`)
    if (user_id === undefined) break

    const { json: shown } = await call('getUser', { path: { user_id }, by })
    first ??= { user_id, shown }
    if (valueAt(shown, '/customers/0') !== undefined) return { user_id, shown }
  }
  return first
}

/** A customer of a partner, as the look-up of its user shows it. */
export interface FoundCustomer extends CustomerIds {
  readonly taxId: string | undefined
}

/** The customers of the first users. */
export async function findCustomers(call: Call, by?: Sender): Promise<readonly FoundCustomer[]> {
  const users = await call('listUsers', { by })
  const found: FoundCustomer[] = []
  for (let i = 0; i < MOST_USERS && found.length < MOST_CUSTOMERS; i++) {
    const user_id = stringAt(users.json, `/users/${i}/id`)
    if (user_id === undefined) break

    const { json } = await call('getUser', { path: { user_id }, by })
    const customers = valueAt(json, '/customers')
    for (const customer of Array.isArray(customers) ? customers : []) {
      const customer_id = stringAt(customer, '/id')
      if (customer_id === undefined) continue
      found.push({ user_id, customer_id, taxId: stringAt(customer, '/tax_id') })
    }
  }
  return found
}

/** What finds a customer and acts for it, whose token nobody has yet. */
const FINDING: ReadonlySet<string> = new Set(['signIn', 'impersonate', 'listUsers', 'getUser'])

/** Customers among which a run finds a substitute, and keys of others. */
const MOST_CUSTOMERS = 6

export type Identities = ReturnType<typeof createIdentities>

type Call = (operation: string, input: Input) => Promise<Outcome>

/** Consecutive sign-ins without a token, after which no other is tried. */
const MAX_FAILED = 3

/**
 * Signs in on first use, through the same sender as every other request.
 *
 * @param call Sends a request; it is called after this function has returned.
 */
export function createIdentities(options: IdentityOptions, call: Call) {
  const signIns = new Map<Named, Promise<Outcome | undefined>>()
  /** The identities to which tokens were issued, by their headers. */
  const issued = new Map<string, Named>()
  const substitutes = new Map<Named, FoundCustomer>()
  let failed = 0

  /** A customer has no credentials: a partner acts for it. */
  function accessOf(by: Named): Access | undefined {
    return isPartner(by) ? options[by] : undefined
  }

  function basicOf(by: Named): string | undefined {
    const access = accessOf(by)
    return access && 'clientKey' in access ? basic(access) : undefined
  }

  /** Retries once after a 5xx, because the run cannot continue without a token. */
  async function signIn(by: Named): Promise<Outcome | undefined> {
    const authorization = basicOf(by)
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
  async function substitute(by: 'substitute' | 'other-substitute'): Promise<Outcome | undefined> {
    const isOther = by === 'other-substitute'
    if (options.customer && !isOther) return call('impersonate', { body: options.customer })
    if (options.mustNameCustomer) return undefined

    const partner = isOther ? 'other' : 'partner'
    const [first, ...others] = await findCustomers(call, partner)
    let outcome: Outcome | undefined
    for (const customer of first ? [...others, first] : []) {
      const { user_id, customer_id } = customer
      outcome = await call('impersonate', { body: { user_id, customer_id }, by: partner })
      if (!outcome.isAccepted) continue
      substitutes.set(by, customer)
      return outcome
    }
    return outcome
  }

  function tokenOf(by: Named): Promise<Outcome | undefined> {
    if (isPartner(by)) return signIn(by)
    return by === 'customer' ? impersonate() : substitute(by)
  }

  async function issue(by: Named): Promise<Outcome | undefined> {
    if (failed >= MAX_FAILED) return undefined
    const outcome = await tokenOf(by)
    const header = headerIn(outcome)
    failed = header === undefined ? failed + 1 : 0
    if (header !== undefined) issued.set(header, by)
    return outcome
  }

  function signedIn(by: Named): Promise<Outcome | undefined> {
    const signIn = signIns.get(by) ?? issue(by)
    signIns.set(by, signIn)
    return signIn
  }

  async function headerOf(by: Named): Promise<string | undefined> {
    const access = accessOf(by)
    if (access && 'token' in access) return `Bearer ${access.token}`
    return headerIn(await signedIn(by))
  }

  return {
    /** Whether the run has the credentials of this partner. */
    has: (by: 'partner' | 'other') => options[by] !== undefined,
    /**
     * The identity that sends an operation of another one: where the service takes only tokens of
     * customers, a substitute of the partner.
     */
    actingFor(by: Sender, operation: Operation): Sender {
      if (FINDING.has(operation.id) || !options.form.takesCustomersOnly(operation)) return by

      if (by === 'partner') return 'substitute'
      return by === 'other' ? 'other-substitute' : by
    },
    /** The identity that a header was issued to; undefined if it is none of the run's own tokens. */
    ownerOf: (header: string): Named | undefined => issued.get(header),
    /** The customer who acts for the partner; undefined before a request of it. */
    get substitute(): FoundCustomer | undefined {
      return substitutes.get('substitute')
    },
    /** Forgets all tokens, which may have expired. */
    renew: () => signIns.clear(),
    /** The Basic credentials of the run. */
    credentials: PARTNERS.flatMap((by) => basicOf(by) ?? []),
    /**
     * Signs in as each partner.
     *
     * @throws {CannotRun} if the service cannot be reached, or refuses the credentials
     */
    async start(): Promise<void> {
      for (const by of PARTNERS) {
        if (basicOf(by) === undefined) continue
        const outcome = await signedIn(by)
        const wasSent = outcome !== undefined && outcome.sentAt > 0
        if (!wasSent || outcome.isAccepted) continue
        throw outcome.cannotRun ?? refusal(by, outcome, options.url)
      }
    },
    /** The header of an identity for an operation; undefined if the run has no such identity. */
    async authorization(
      by: Sender,
      { scheme }: Pick<Operation, 'scheme'>,
    ): Promise<string | undefined> {
      if (by === null) return undefined
      if (typeof by === 'object') return by.authorization
      if (scheme === 'bearer') return headerOf(by)
      // The partner signs in for its customer.
      const isOfOther = by === 'other' || by === 'other-substitute'
      return basicOf(isOfOther ? 'other' : 'partner')
    },
    /** A new header after a 401; undefined if the refused one is none of the run's own tokens. */
    async renewed(by: Sender, refused: string | undefined): Promise<string | undefined> {
      if (typeof by !== 'string') return undefined
      if (refused === undefined || !issued.has(refused)) return undefined

      // The first caller renews the token for all: a service may end a session when its owner signs
      // in again.
      const signIn = signIns.get(by)
      const isLatestRefused = headerIn(await signIn) === refused
      const isFirstCaller = signIns.get(by) === signIn
      if (isLatestRefused && isFirstCaller) signIns.delete(by)

      const header = await headerOf(by)
      return header === refused ? undefined : header
    },
  }
}

const PARTNERS = ['partner', 'other'] as const

function isPartner(by: Named): by is 'partner' | 'other' {
  return by === 'partner' || by === 'other'
}

/** The header with the access token of a response. */
function headerIn(outcome: Outcome | undefined): string | undefined {
  const token = stringAt(outcome?.json, '/access_token')
  return token === undefined ? undefined : `Bearer ${token}`
}

/** RFC 7617. */
function basic({ clientKey, clientSecret }: Credentials): string {
  return `Basic ${Buffer.from(`${clientKey}:${clientSecret}`).toString('base64')}`
}

const SIGN_IN = '/mobile-bff/v1/auth/partner/token/'

/** Explains why a sign-in was not accepted. */
function refusal(identity: string, { status, response, failure }: Outcome, url = ''): CannotRun {
  if (!response) return new CannotRun(`the service cannot be reached: ${failure}`)
  const at = url.replace(/\/$/, '') + SIGN_IN
  const hint = repeatedPrefix(at)
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

/** Advice on a target that repeats the first segments of the paths. */
function repeatedPrefix(url: string): string {
  if (!URL.canParse(url)) return ''
  const [, repeated] = /^(\/.+?)\1\//.exec(new URL(url).pathname) ?? []
  if (!repeated) return ''
  return `; the paths of the contract begin with ${repeated}, so leave it out of the target`
}

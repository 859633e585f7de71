import { stringAt, valueAt } from '../contract/json.ts'
import type { ServiceForm } from '../form/service-form.ts'
import { type Access, encodeBasicHeader } from './credentials.ts'
import {
  type Call,
  type CustomerIds,
  type FoundCustomer,
  findCustomers,
  findUser,
  readCustomer,
} from './customers.ts'
import type { Named, Outcome, Sender } from './requests.ts'

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

/** The response with a token, and the customer for whom it is, as far as the service has shown it. */
export interface TokenResponse {
  readonly outcome: Outcome | undefined
  readonly customer?: FoundCustomer
}

/**
 * Requests the token of an identity: a partner signs in, and gets tokens for its customers by `impersonate`.
 * The outcome is undefined if the run has no credentials for it, or may act for no customer.
 *
 * @param call Sends a request.
 */
export async function requestToken(
  by: Named,
  options: IdentityOptions,
  call: Call,
): Promise<TokenResponse> {
  if (isPartner(by)) return { outcome: await signIn(by, options, call) }
  if (by === 'customer') return impersonate(options, call)
  // Its token is requested when it is chosen.
  if (by === 'payer') return { outcome: undefined }
  return actAsSubstitute(by, options, call)
}

/**
 * Signs in as a partner, and again after a 5xx, since the run cannot continue without a token. Undefined
 * if the run has no credentials for it.
 */
async function signIn(
  by: 'partner' | 'other',
  options: IdentityOptions,
  call: Call,
): Promise<Outcome | undefined> {
  const authorization = buildBasicHeader(by, options)
  if (authorization === undefined) return undefined

  const outcome = await call('signIn', { by: { authorization } })
  if (outcome.status < 500) return outcome
  return call('signIn', { by: { authorization } })
}

/**
 * Requests a token of a customer: the one that the user names, else the first one that the service shows.
 * Undefined if there is none, or only a named one may be taken.
 */
async function impersonate(options: IdentityOptions, call: Call): Promise<TokenResponse> {
  if (options.customer) return { outcome: await call('impersonate', { body: options.customer }) }
  if (options.mustNameCustomer) return { outcome: undefined }

  const user = await findUser(call)
  if (!user) return { outcome: undefined }
  const { user_id } = user
  const customer = readCustomer(user_id, valueAt(user.shown, '/customers/0'))
  const body = { user_id, customer_id: customer?.customer_id }
  return { outcome: await call('impersonate', { body }), ...(customer && { customer }) }
}

/**
 * Requests a token of the substitute: a customer who acts where the service refuses the partner itself.
 * Also returns which customer it is, unless the user names it.
 */
async function actAsSubstitute(
  by: 'substitute' | 'other-substitute',
  options: IdentityOptions,
  call: Call,
): Promise<TokenResponse> {
  const isOfPartner = by === 'substitute'
  if (options.customer && isOfPartner)
    return { outcome: await call('impersonate', { body: options.customer }) }
  // On a live service, a customer is a real person.
  if (options.mustNameCustomer) return { outcome: undefined }
  return impersonateAny(isOfPartner ? 'partner' : 'other', call)
}

/**
 * Requests tokens of customers, until the service issues one. Prefers another customer than `impersonate`
 * takes, so that both can pay each other.
 */
async function impersonateAny(by: 'partner' | 'other', call: Call): Promise<TokenResponse> {
  const [first, ...others] = await findCustomers(call, by)
  // `impersonate` acts for the first customer, so that it comes last here.
  const candidates = first ? [...others, first] : []
  let outcome: Outcome | undefined
  for (const customer of candidates) {
    outcome = await impersonateCustomer(customer, call, by)
    if (outcome.isAccepted) return { outcome, customer }
  }
  return { outcome }
}

/** Requests a token of a customer. */
export function impersonateCustomer(
  { user_id, customer_id }: CustomerIds,
  call: Call,
  by?: 'partner' | 'other',
): Promise<Outcome> {
  return call('impersonate', { body: { user_id, customer_id }, by })
}

/** Reads who sends with the access token of a response. Undefined if it has none, as after a refusal. */
export function readTokenSender(outcome: Outcome | undefined): Sender | undefined {
  const authorization = readBearerHeader(outcome)
  return authorization === undefined ? undefined : { authorization }
}

/** Reads the header with the access token of a response. */
export function readBearerHeader(outcome: Outcome | undefined): string | undefined {
  const token = stringAt(outcome?.json, '/access_token')
  return token === undefined ? undefined : `Bearer ${token}`
}

/** Finds the credentials or the token of a partner. A customer has none, since a partner acts for it. */
export function findAccess(by: Named, options: IdentityOptions): Access | undefined {
  return isPartner(by) ? options[by] : undefined
}

/** Builds the Basic header of a partner. Undefined for a customer, or a partner with a token. */
export function buildBasicHeader(by: Named, options: IdentityOptions): string | undefined {
  const access = findAccess(by, options)
  return access && 'clientKey' in access ? encodeBasicHeader(access) : undefined
}

export const PARTNERS = ['partner', 'other'] as const

function isPartner(by: Named): by is 'partner' | 'other' {
  return by === 'partner' || by === 'other'
}

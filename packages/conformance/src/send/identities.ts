import type { Operation } from '../contract/contract.ts'
import { stringAt } from '../contract/json.ts'
import { SCHEME } from '../form/given-form.ts'
import { NO_SCHEME } from '../form/service-form.ts'
import type { Call, FoundCustomer } from './customers.ts'
import { type Named, NOT_SENT, type Outcome, type Sender } from './requests.ts'
import { createSignInError } from './sign-in-error.ts'
import {
  buildBasicHeader,
  findAccess,
  type IdentityOptions,
  impersonateCustomer,
  PARTNERS,
  readBearerHeader,
  requestToken,
  type TokenResponse,
} from './token-requests.ts'

/** Operations that are needed before a customer can act, so that the partner always sends them. */
const BEFORE_IMPERSONATION: ReadonlySet<string> = new Set([
  'signIn',
  'impersonate',
  'listUsers',
  'getUser',
])

export type Identities = ReturnType<typeof createIdentities>

/** Who pays codes in place of the customer: another customer of the partner, or the other partner. */
export type OtherPayer = FoundCustomer | 'other' | 'other-substitute'

/** After so many consecutive sign-ins without a token, no other is tried. */
const MAX_FAILED_SIGN_INS = 3

/**
 * Creates the identities of a run, and the headers with which they send requests. Each signs in on
 * first use, through the same sender as every other request.
 *
 * @param call Sends a request; it is called after this function has returned.
 */
export function createIdentities(options: IdentityOptions, call: Call) {
  /** The responses with the token of each identity. */
  const signIns = new Map<Named, Promise<Outcome | undefined>>()
  /** The identities to which the run's tokens were issued, by their authorization headers. */
  const identityByHeader = new Map<string, Named>()
  /** The first response with a token for each identity. */
  const firstTokens = new Map<Named, Outcome>()
  /** The customers for whom the identities act. */
  const customers = new Map<Named, FoundCustomer>()
  /** The resources, such as `transfer`, for which the substitute acts, although the partner might too. */
  const resourcesOfSubstitute = new Set<string>()
  /** Undefined while the customer pays. */
  let otherPayer: OtherPayer | undefined
  let failedSignIns = 0
  let schemeSearch: Promise<void> | undefined

  /**
   * Requests the token of an identity and remembers whose it is. Returns the outcome; undefined if too many
   * sign-ins failed, since a service may lock the partner out.
   */
  async function requestAndNoteToken(by: Named): Promise<Outcome | undefined> {
    if (failedSignIns >= MAX_FAILED_SIGN_INS) return undefined
    const { outcome, customer } = await requestTokenOf(by)
    if (customer) customers.set(by, customer)

    const header = readBearerHeader(outcome)
    if (header === undefined) {
      failedSignIns++
    } else {
      failedSignIns = 0
      identityByHeader.set(header, by)
      if (outcome && !firstTokens.has(by)) firstTokens.set(by, outcome)
    }
    return outcome
  }

  async function requestTokenOf(by: Named): Promise<TokenResponse> {
    if (by !== 'payer' || typeof otherPayer !== 'object') return requestToken(by, options, call)
    return { outcome: await impersonateCustomer(otherPayer, call), customer: otherPayer }
  }

  /** Gets the response with the token of an identity, which is asked for once. */
  function signInOnce(by: Named): Promise<Outcome | undefined> {
    const signIn = signIns.get(by) ?? requestAndNoteToken(by)
    signIns.set(by, signIn)
    return signIn
  }

  /** Finds the Bearer header of an identity. */
  async function findBearerHeader(by: Named): Promise<string | undefined> {
    const access = findAccess(by, options)
    if (access && 'token' in access) return `Bearer ${access.token}`
    return readBearerHeader(await signInOnce(by))
  }

  /**
   * Finds out in which other scheme than Bearer the service takes its tokens, by a read in each: `Token x` if the
   * response with the token names the type `Token`, then `x` alone. Learns nothing if no read is accepted.
   */
  async function searchScheme(): Promise<void> {
    const { form } = options
    if (form.tokenScheme !== undefined) return
    // Without the credentials of the partner, the run gets no token to read with.
    if (buildBasicHeader('partner', options) === undefined) return

    const { json } = (await signInOnce('partner')) ?? NOT_SENT
    const token = stringAt(json, '/access_token')
    if (token === undefined) return

    // The service may have refused another operation, and take Bearer as well as any other scheme.
    if (await canRead(`Bearer ${token}`)) return

    for (const scheme of [stringAt(json, '/type') ?? '', NO_SCHEME]) {
      const isOther = SCHEME.test(scheme) && scheme.toLowerCase() !== 'bearer'
      if (!isOther) continue

      const authorization = scheme === NO_SCHEME ? token : `${scheme} ${token}`
      if (await canRead(authorization)) return form.learnScheme(scheme)
    }
  }

  /** Whether the service accepts a read with an authorization header. */
  async function canRead(authorization: string): Promise<boolean> {
    const { isAccepted } = await call('listUsers', { by: { authorization } })
    return isAccepted
  }

  /**
   * Forgets the sign-in that issued a refused header, so that the identity signs in again. Of several requests that
   * are refused at once, only the first one does so: a service may end a session when its owner signs in again.
   */
  async function forgetRefusedSignIn(by: Named, refused: string): Promise<void> {
    const signIn = signIns.get(by)
    const isOfSignIn = readBearerHeader(await signIn) === refused
    // Another request may have signed in again during the wait.
    const isStillLast = signIns.get(by) === signIn
    if (isOfSignIn && isStillLast) signIns.delete(by)
  }

  /** The identity that sends what the payer sends. */
  function resolvePayer(by: Sender): Sender {
    if (by !== 'payer') return by
    if (otherPayer === undefined) return 'customer'
    return typeof otherPayer === 'string' ? otherPayer : 'payer'
  }

  return {
    /** Whether the run has the credentials of this partner. */
    has: (by: 'partner' | 'other') => options[by] !== undefined,
    /**
     * Chooses the identity that sends a request, which is mostly the one that the plan names. A customer of a partner,
     * its substitute, sends in its place what the service takes only from customers, or what `letSubstituteAct` names.
     */
    chooseActor(sender: Sender, operation: Operation): Sender {
      // `payer` is whom `letPay` has chosen, by default the customer.
      const by = resolvePayer(sender)
      if (BEFORE_IMPERSONATION.has(operation.id)) return by
      const { id, resource = id } = operation
      const doesSubstituteAct =
        options.form.takesCustomersOnly(operation) || resourcesOfSubstitute.has(resource)
      if (!doesSubstituteAct) return by

      if (by === 'partner') return 'substitute'
      if (by === 'other') return 'other-substitute'
      return by
    },
    /** Lets the substitute send, from now on, what is about the resource of an operation. */
    letSubstituteAct({ id, resource = id }: Pick<Operation, 'id' | 'resource'>): void {
      resourcesOfSubstitute.add(resource)
    },
    /** Finds the identity that a header was issued to; undefined if it is none of the run's own tokens. */
    findTokenOwner: (header: string): Named | undefined => identityByHeader.get(header),
    /** The first response with a token that an identity got in this run; undefined if it got none. */
    findFirstToken: (by: Named): Outcome | undefined => firstTokens.get(by),
    /** The customer who acts for the partner; undefined before a request of it. */
    get substitute(): FoundCustomer | undefined {
      return customers.get('substitute')
    },
    /** The customer for whom the run acts by default; undefined before a request of it, or if the user names it. */
    get customer(): FoundCustomer | undefined {
      return customers.get('customer')
    },
    /** Who pays codes in place of the customer; undefined while the customer pays. */
    get otherPayer(): OtherPayer | undefined {
      return otherPayer
    },
    /**
     * Lets another one pay codes from now on; undefined lets the customer pay again. Returns false, and changes
     * nothing, if the service issues no token for it.
     */
    async letPay(payer: OtherPayer | undefined): Promise<boolean> {
      // Another customer of the partner gets a token of its own here.
      if (typeof payer === 'object') {
        const outcome = await impersonateCustomer(payer, call)
        const header = readBearerHeader(outcome)
        if (header === undefined) return false
        signIns.set('payer', Promise.resolve(outcome))
        identityByHeader.set(header, 'payer')
      } else if (payer !== undefined) {
        // The other partner, or its substitute, signs in as usual.
        const header = await findBearerHeader(payer)
        if (header === undefined) return false
      }
      otherPayer = payer
      return true
    },
    /**
     * Learns in which scheme the service takes tokens, if that is another one than Bearer. Searches once in
     * a run.
     */
    async learnScheme(): Promise<void> {
      schemeSearch ??= searchScheme()
      await schemeSearch
    },
    /** Forgets all tokens, which may have expired. */
    renew: () => signIns.clear(),
    /** The Basic credentials of the run. */
    credentials: PARTNERS.flatMap((by) => buildBasicHeader(by, options) ?? []),
    /**
     * Signs in as each partner.
     *
     * @throws {CannotRun} if the service cannot be reached, or refuses the credentials
     */
    async signInPartners(): Promise<void> {
      for (const by of PARTNERS) {
        if (buildBasicHeader(by, options) === undefined) continue
        const outcome = await signInOnce(by)
        // One that was not sent shows in the result, as any other request.
        const wasSent = outcome !== undefined && outcome.sentAt > 0
        if (!wasSent) continue
        if (outcome.isAccepted) continue
        throw outcome.cannotRun ?? createSignInError(by, outcome, options.url)
      }
    },
    /**
     * Builds the authorization header with which a sender sends an operation, such as `Bearer …`. Signs in
     * first if it has no token yet. Undefined if nobody sends it, or the run has no such identity.
     */
    async authorization(
      by: Sender,
      { scheme }: Pick<Operation, 'scheme'>,
    ): Promise<string | undefined> {
      // Nobody sends it; or a plan gives the header itself.
      if (by === null) return undefined
      if (typeof by === 'object') return by.authorization
      if (scheme === 'bearer') return findBearerHeader(by)
      // The partner signs in for its customer.
      const isOfOther = by === 'other' || by === 'other-substitute'
      return buildBasicHeader(isOfOther ? 'other' : 'partner', options)
    },
    /**
     * Gets a new authorization header for an identity after a 401. Undefined if the refused header is none
     * of the run's own tokens, such as a wrong one that a plan sent, or no other token is issued.
     */
    async renewHeader(by: Sender, refused: string | undefined): Promise<string | undefined> {
      const isNamed = typeof by === 'string'
      const isOfRun = refused !== undefined && identityByHeader.has(refused)
      if (!isNamed || !isOfRun) return undefined

      await forgetRefusedSignIn(by, refused)
      // Signs in again, unless another request has done so already.
      const header = await findBearerHeader(by)
      return header === refused ? undefined : header
    },
  }
}

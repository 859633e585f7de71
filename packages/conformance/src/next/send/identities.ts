import type { Operation } from '../contract/contract.ts'
import { stringAt } from '../contract/json.ts'
import type { Input, Outcome, Sender } from './sender.ts'

export interface Credentials {
  readonly clientKey: string
  readonly clientSecret: string
}

export interface IdentityOptions {
  readonly partner?: Credentials
  readonly other?: Credentials
}

/** Signs in on first use, through the same sender as every other request. */
export interface Identities {
  authorization(by: Sender, operation: Pick<Operation, 'scheme'>): Promise<string | undefined>
  has(by: 'partner' | 'other'): boolean
  /** Forgets all tokens, which may have expired. */
  renew(): void
  /** The Basic credentials of the run. */
  readonly credentials: readonly string[]
}

type Call = (operation: string, input: Input) => Promise<Outcome>

/** @param call Sends a request; it is called after this function has returned. */
export function createIdentities(options: IdentityOptions, call: Call): Identities {
  const tokens = new Map<string, Promise<string | undefined>>()
  const basicOf = (by: 'partner' | 'other') => {
    const access = options[by]
    return access && `Basic ${btoa(`${access.clientKey}:${access.clientSecret}`)}`
  }

  async function signIn(by: 'partner' | 'other'): Promise<string | undefined> {
    const authorization = basicOf(by)
    if (authorization === undefined) return undefined
    const { json } = await call('signIn', { by: { authorization } })
    return stringAt(json, '/access_token')
  }

  /** Acts for the first customer of the first user. */
  async function impersonate(): Promise<string | undefined> {
    const user_id = stringAt((await call('listUsers', {})).json, '/users/0/id')
    if (user_id === undefined) return undefined
    const customer_id = stringAt((await call('getUser', { path: { user_id } })).json, '/customers/0/id')
    const { json } = await call('impersonate', { body: { user_id, customer_id } })
    return stringAt(json, '/access_token')
  }

  function tokenOf(by: 'partner' | 'other' | 'customer'): Promise<string | undefined> {
    const token = tokens.get(by) ?? (by === 'customer' ? impersonate() : signIn(by))
    tokens.set(by, token)
    return token
  }

  return {
    has: (by) => options[by] !== undefined,
    renew: () => tokens.clear(),
    credentials: (['partner', 'other'] as const).flatMap((it) => basicOf(it) ?? []),
    async authorization(by, { scheme }) {
      if (by === null) return undefined
      if (typeof by === 'object') return by.authorization
      if (scheme === 'basic') return basicOf(by === 'other' ? 'other' : 'partner')
      const token = await tokenOf(by)
      return token === undefined ? undefined : `Bearer ${token}`
    },
  }
}

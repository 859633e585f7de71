import { encode } from '@partner-payments/brcode'
import { issueTokens } from '../../src/auth/tokens.ts'
import type { Sandbox } from '../../src/index.ts'
import { addAccount } from '../../src/ledger/accounts.ts'
import { post } from '../../src/ledger/post.ts'
import { uuid } from '../../src/random.ts'
import { OUTSIDE, PARTNERS, USERS } from '../../src/seed/data.ts'
import type { Service } from '../../src/service/service.ts'
import { askerOf, type ParsedResponse } from '../callers.ts'

/** A customer with its own account, and a token that acts for it. */
export interface Payer {
  readonly account_id: string
  readonly token: string
}

/** Calls an operation of the contract in this process. */
export function call(
  service: Service,
  token: string,
  [method, path, body]: readonly [method: string, path: string, body?: object],
): Promise<ParsedResponse> {
  return askerOf(service, `Bearer ${token}`)(method, path, { body })
}

/** A partner token of the first partner. */
export async function partnerToken(sandbox: Sandbox): Promise<string> {
  const [{ id: partner_id, account_id }] = PARTNERS
  const caller = { partner_id, customer_id: null, account_id }
  const set = await sandbox.store.write((queries) => issueTokens(queries, sandbox.context, caller))
  return set.access_token
}

/** Opens an account with this many centavos. */
export function newPayer({ store, context }: Sandbox, centavos: bigint): Promise<Payer> {
  const account_id = uuid(context.random)
  return store.write(async (queries) => {
    await addAccount(queries, { ...PERSON, id: account_id })
    const opening = { id: `opening/${account_id}`, step: 'opening', from: OUTSIDE, to: account_id } as const
    await post(queries, { ...opening, amount: centavos, at: context.now() }, () => {
      throw new Error('the account outside the sandbox has too little')
    })
    const [{ partner_id, customer }] = USERS
    const caller = { partner_id, customer_id: customer.id, account_id }
    return { account_id, token: (await issueTokens(queries, context, caller)).access_token }
  })
}

const PERSON = {
  standing: 'own',
  name: 'Fulano de Tal',
  trade_name: '',
  tax_id: '12345678909',
  owner_type: 'NATURAL_PERSON',
  ispb: '99999010',
  branch: '0001',
  number: '1',
  type: 'TRAN',
} as const

export async function balanceOf({ store }: Sandbox, account_id: string): Promise<bigint | undefined> {
  const sql = 'SELECT balance FROM accounts WHERE id = ?'
  const row = await store.read((queries) => queries.get<{ balance: bigint }>(sql, [account_id]))
  return row?.balance
}

/** How often each status occurred. */
export function tally(responses: readonly { readonly status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

export function times(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i)
}

const STATIC = encode({
  merchantName: 'Padaria Exemplo',
  merchantCity: 'BRASILIA',
  key: 'vendas@padaria.example',
})

/** A payment of R$ 1.00 by a static code, as a request for {@link call}. */
export const PAYMENT = ['POST', '/pix/out/', { type: 'emv', emv: STATIC, amount: '1.00' }] as const

/** The first partner makes a payment, whose settlement emits an event. */
export async function pay(sandbox: Sandbox): Promise<void> {
  const { status } = await call(sandbox.service, await partnerToken(sandbox), PAYMENT)
  if (status !== 201) throw new Error(`the payment returned ${status}`)
}

/** The first partner registers webhooks. Their order is that of their deliveries. */
export async function register(sandbox: Sandbox, ...urls: readonly string[]): Promise<void> {
  const token = await partnerToken(sandbox)
  for (const url of urls) {
    const body = { type: 'transfer', url }
    const { status } = await call(sandbox.service, token, ['POST', '/partner/webhook', body])
    if (status !== 201) throw new Error(`the registration returned ${status}`)
  }
}

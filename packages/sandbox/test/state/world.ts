import { issueTokens } from '../../src/auth/tokens.ts'
import type { Sandbox } from '../../src/index.ts'
import { addAccount } from '../../src/ledger/accounts.ts'
import { post } from '../../src/ledger/post.ts'
import { uuid } from '../../src/random.ts'
import { OUTSIDE, PARTNERS, USERS } from '../../src/seed/data.ts'
import type { Service } from '../../src/service/service.ts'

/** What came back: the status, and the body as it was parsed. */
export interface Answer<Body = Record<string, string>> {
  readonly status: number
  readonly body: Body
}

/** A customer with an account of its own, and a token that acts for it. */
export interface Payer {
  readonly account_id: string
  readonly token: string
}

/** Calls an operation of the contract, in the process. */
export async function call<Body = Record<string, string>>(
  service: Service,
  token: string,
  [method, path, body]: readonly [method: string, path: string, body?: object],
): Promise<Answer<Body>> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
  const url = `http://sandbox.test/mobile-bff/v1${path}`
  const answer = await service(
    new Request(url, { method, headers, body: body ? JSON.stringify(body) : null }),
  )
  return { status: answer.status, body: (await answer.json()) as Body }
}

/** A token of the first partner, which acts for itself. */
export async function partnerToken(sandbox: Sandbox): Promise<string> {
  const [{ id: partner_id, account_id }] = PARTNERS
  const caller = { partner_id, customer_id: null, account_id }
  const set = await sandbox.store.write((queries) => issueTokens(queries, sandbox.context, caller))
  return set.access_token
}

/** Opens an account for a payer, with so many centavos in it. */
export function newPayer({ store, context }: Sandbox, centavos: bigint): Promise<Payer> {
  const account_id = uuid(context.random)
  return store.write(async (queries) => {
    await addAccount(queries, { ...PERSON, id: account_id })
    const opening = { id: `opening/${account_id}`, step: 'opening', from: OUTSIDE, to: account_id } as const
    await post(queries, { ...opening, amount: centavos, at: context.now() })
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

/** How often each status came. */
export function tally(answers: readonly Answer<unknown>[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

export function times(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i)
}

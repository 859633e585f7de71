import { keyKind } from '@partner-payments/brcode'
import { hashOf } from '../auth/tokens.ts'
import type { Context } from '../context.ts'
import { accountOf, addAccount } from '../ledger/accounts.ts'
import { post } from '../ledger/post.ts'
import { addDays, dayOf } from '../money/days.ts'
import { addCharge, LOCATION } from '../qrcodes/create.ts'
import { uuid } from '../random.ts'
import { insertion, type Queries, type Store } from '../store/store.ts'
import { ACCOUNTS, KEYS, OUTSIDE, PARTNERS, type SeededAccount, USERS } from './data.ts'

type Means = Pick<Context, 'now' | 'random'>

/** Writes the seed data of a new sandbox, unless it is there, in the transaction of `queries`. */
export async function seed(queries: Queries, means: Means): Promise<void> {
  const claimed = await queries.run(
    `INSERT INTO settings (name, value) VALUES ('seeded', '1') ON CONFLICT (name) DO NOTHING`,
  )
  if (claimed === 0) return
  for (const account of ACCOUNTS) await addSeeded(queries, means, account)
  for (const [account_id, dict_key, id] of KEYS) {
    const row = { dict_key, id, kind: keyKind(dict_key) ?? '', account_id }
    await queries.run(...insertion('keys', row))
  }
  const at = means.now()
  for (const { client_secret, ...partner } of PARTNERS) {
    const row = { ...partner, secret_hash: hashOf(client_secret), created_at: at }
    await queries.run(...insertion('partners', row))
  }
  for (const [position, { customer, ...user }] of USERS.entries()) {
    const both = { position, status: 'active' }
    await queries.run(...insertion('users', { ...user, ...both }))
    const kind = { customer_type: 'person', referral_code: 'EXEMPLO', metadata: 'null' }
    const row = { ...customer, ...both, ...kind, user_id: user.id, created_at: at, updated_at: at }
    await queries.run(...insertion('customers', row))
  }
  for (const charge of CHARGES) await addExample(queries, means, charge)
}

/**
 * Empties the state, and writes the seed data again. Tokens, secrets and webhooks are removed too.
 */
export function reset(store: Store, means: Means): Promise<void> {
  return store.clear(async (queries) => {
    await queries.run(`DELETE FROM settings WHERE name IN ('seeded', 'halted_until')`)
    await seed(queries, means)
  })
}

/** Adds an account with its opening balance. */
export async function addSeeded(
  queries: Queries,
  { now }: Pick<Means, 'now'>,
  { opening, ...account }: SeededAccount,
): Promise<void> {
  const { id: to } = account
  await addAccount(queries, account)
  if (!opening) return
  const posting = {
    id: `opening/${to}`,
    step: 'opening',
    from: OUTSIDE,
    to,
    amount: opening,
  } as const
  await post(queries, { ...posting, at: now() }, () => {
    throw new RangeError(`the opening balance of ${to} is too high`)
  })
}

/** Charges at the URLs that the examples of the contract check and pay. */
const CHARGES = [
  {
    kind: 'DueDate',
    tx_id: 'EXEMPLO1002EXEMPLO1002EXEMPLO1',
    url: 'cobv/8b3da2f39a4140d1a91abd93113bd441',
  },
  {
    kind: 'Immediate',
    tx_id: 'EXEMPLO1004EXEMPLO1004EXEMPLO1',
    url: 'cob/2353c790eefb11eaadc10242ac120002',
  },
] as const

const PAYER = { name: 'Fulano de Tal', tax_id: '12345678909', can_change_document: false }

type Example = (typeof CHARGES)[number]

async function addExample(
  queries: Queries,
  means: Means,
  { kind, tx_id, url }: Example,
): Promise<void> {
  const [partner] = PARTNERS
  const account = await accountOf(queries, partner.account_id)
  if (!account) throw new Error('the account of the partner does not exist')
  const due_date = addDays(dayOf(means.now()), 24)
  const common = { payer: PAYER, message: 'Pedido de exemplo', additional_infos: [] }
  const charge =
    kind === 'DueDate'
      ? { ...common, amount: { original: '95.00' }, calendar: { due_date, expiration_days: 365 } }
      : { ...common, amount: { original: '35.90' }, calendar: { expiration: 10 * 365 * 86_400 } }
  const names = {
    id: uuid(means.random),
    tx_id,
    dict_key: account.tax_id,
    url: `${LOCATION}/${url}`,
  }
  await addCharge(queries, means, { ...names, kind, charge, account, partner_id: partner.id })
}

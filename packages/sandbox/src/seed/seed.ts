import { keyKind } from '@partner-payments/brcode'
import { hashSecret } from '../auth/tokens.ts'
import type { KeyWord } from '../behaviour.ts'
import type { Context } from '../context.ts'
import { addAccount, findAccount } from '../ledger/accounts.ts'
import { type Posting, post } from '../ledger/post.ts'
import { addDays, dayOf } from '../money/days.ts'
import { addCharge, LOCATION } from '../qrcodes/create.ts'
import type { Charge } from '../qrcodes/record.ts'
import { uuid } from '../random.ts'
import { insertStatement, type Queries, type Store } from '../store/store.ts'
import { ACCOUNTS, KEYS, OUTSIDE, PARTNERS, type SeededAccount, USERS } from './data.ts'

type Dependencies = Pick<Context, 'now' | 'random'>

/** Writes the seed data of a new sandbox, unless it is there, in the transaction of `queries`. */
export async function seed(queries: Queries, dependencies: Dependencies): Promise<void> {
  const claimed = await queries.run(
    `INSERT INTO settings (name, value) VALUES ('seeded', '1') ON CONFLICT (name) DO NOTHING`,
  )
  // The data is there already: an earlier start or another instance wrote it.
  if (claimed === 0) return

  for (const account of ACCOUNTS) await addSeededAccount(queries, dependencies, account)
  for (const key of KEYS) await addKey(queries, key)
  const at = dependencies.now()
  for (const partner of PARTNERS) await addPartner(queries, partner, at)
  for (const [position, user] of USERS.entries()) await addUser(queries, user, { position, at })
  for (const charge of CHARGES) await addExampleCharge(queries, dependencies, charge)
}

async function addKey(queries: Queries, key: (typeof KEYS)[number]): Promise<void> {
  const { dict_key, id, account_id } = key
  const kind: KeyWord | '' = keyKind(dict_key) ?? ''
  await queries.run(...insertStatement('keys', { dict_key, id, kind, account_id }))
}

/** Adds a partner, of whose secret only the hash is stored. */
async function addPartner(
  queries: Queries,
  partner: (typeof PARTNERS)[number],
  at: number,
): Promise<void> {
  const row = {
    id: partner.id,
    account_id: partner.account_id,
    user_id: partner.user_id,
    client_key: partner.client_key,
    secret_hash: hashSecret(partner.client_secret),
    created_at: at,
  }
  await queries.run(...insertStatement('partners', row))
}

/** Adds a user and its customer. `position` is the place of both in their lists. */
async function addUser(
  queries: Queries,
  user: (typeof USERS)[number],
  { position, at }: { readonly position: number; readonly at: number },
): Promise<void> {
  const userRow = {
    id: user.id,
    position,
    partner_id: user.partner_id,
    email: user.email,
    nickname: user.nickname,
    phone_number: user.phone_number,
    status: 'active',
    tax_id: user.tax_id,
    username: user.username,
  }
  await queries.run(...insertStatement('users', userRow))

  const { customer } = user
  const customerRow = {
    id: customer.id,
    position,
    user_id: user.id,
    account_id: customer.account_id,
    customer_type: 'person',
    provider_id: customer.provider_id,
    referral_code: 'EXEMPLO',
    status: 'active',
    metadata: 'null',
    created_at: at,
    updated_at: at,
  }
  await queries.run(...insertStatement('customers', customerRow))
}

/**
 * Empties the state, and writes the seed data again. Tokens, secrets and webhooks are removed too.
 */
export function reset(store: Store, dependencies: Dependencies): Promise<void> {
  return store.clear(async (queries) => {
    await queries.run(`DELETE FROM settings WHERE name IN ('seeded', 'halted_until')`)
    await seed(queries, dependencies)
  })
}

/** Adds an account with its opening balance. */
export async function addSeededAccount(
  queries: Queries,
  { now }: Pick<Dependencies, 'now'>,
  { opening, ...account }: SeededAccount,
): Promise<void> {
  const { id } = account
  await addAccount(queries, account)
  if (!opening) return

  const posting: Posting = {
    id: `opening/${id}`,
    step: 'opening',
    from: OUTSIDE,
    to: id,
    amount: opening,
    at: now(),
  }
  await post(queries, posting, () => {
    throw new RangeError(`the opening balance of ${id} is too high`)
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

/** Adds an open charge of the first partner, so that its lists are not empty at the start. */
async function addExampleCharge(
  queries: Queries,
  dependencies: Dependencies,
  { kind, tx_id, url }: Example,
): Promise<void> {
  const [partner] = PARTNERS
  const account = await findAccount(queries, partner.account_id)
  if (!account) throw new Error('the account of the partner does not exist')

  const charge = kind === 'DueDate' ? dueDateExample(dependencies.now()) : immediateExample()
  await addCharge(queries, dependencies, {
    id: uuid(dependencies.random),
    partner_id: partner.id,
    kind,
    tx_id,
    dict_key: account.tax_id,
    url: `${LOCATION}/${url}`,
    account,
    charge,
  })
}

/** An example of a charge with a due date, in a little over three weeks. */
function dueDateExample(now: number): Charge<'DueDate'> {
  return {
    payer: PAYER,
    message: 'Pedido de exemplo',
    additional_infos: [],
    amount: { original: '95.00' },
    calendar: { due_date: addDays(dayOf(now), 24), expiration_days: 365 },
  }
}

/** An example of an immediate charge, which does not expire while somebody tries the sandbox. */
function immediateExample(): Charge<'Immediate'> {
  return {
    payer: PAYER,
    message: 'Pedido de exemplo',
    additional_infos: [],
    amount: { original: '35.90' },
    calendar: { expiration: TEN_YEARS_SECONDS },
  }
}

const TEN_YEARS_SECONDS = 10 * 365 * 86_400

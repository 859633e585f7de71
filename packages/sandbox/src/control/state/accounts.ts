import { formatCentavos } from '../../money/centavos.ts'
import type { Queries } from '../../store/store.ts'

type AccountRow = {
  readonly id: string
  readonly name: string
  readonly trade_name: string
  readonly tax_id: string
  readonly ispb: string
  readonly branch: string
  readonly number: string
  readonly type: string
  readonly balance: bigint
  readonly held: bigint | null
}

/** Accounts shown at most; the seeded world has four. */
const SHOWN = 50

/** The accounts that are kept here, those of partners first: what they hold, what they have set aside, their keys. */
export async function accountsOf(queries: Queries) {
  const rows = await queries.all<AccountRow>(ACCOUNTS)
  const keys = await queries.all<{ account_id: string; dict_key: string }>(KEYS)
  return rows.map(({ balance, held, ...account }) => ({
    ...account,
    balance: formatCentavos(balance),
    held: formatCentavos(held ?? 0n),
    keys: keys.filter(({ account_id }) => account_id === account.id).map(({ dict_key }) => dict_key),
  }))
}

const ACCOUNTS = `
  SELECT a.id, a.name, a.trade_name, a.tax_id, a.ispb, a.branch, a.number, a.type, a.balance, h.balance AS held
  FROM accounts a LEFT JOIN accounts h ON h.id = a.held_id LEFT JOIN partners p ON p.account_id = a.id
  WHERE a.standing = 'own' ORDER BY CASE WHEN p.id IS NULL THEN 1 ELSE 0 END, a.number LIMIT ${SHOWN}`
const KEYS = `
  SELECT k.account_id, k.dict_key FROM keys k JOIN accounts a ON a.id = k.account_id
  WHERE a.standing = 'own' ORDER BY k.dict_key LIMIT ${10 * SHOWN}`

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

/** Maximum number of accounts shown. The seed data has four. */
const SHOWN = 50

/** The accounts of this sandbox, those of partners first, with balance, amount on hold and keys. */
export async function accountsOf(queries: Queries) {
  const partners = await queries.all<AccountRow>(OF_PARTNERS)
  const others = await queries.all<AccountRow>(OTHERS)
  const rows = [...partners, ...others].slice(0, SHOWN)
  const ids = rows.map(({ id }) => id)
  const keys = await queries.all<{ account_id: string; dict_key: string }>(keysOf(ids), ids)
  return rows.map(({ balance, held, ...account }) => ({
    ...account,
    balance: formatCentavos(balance),
    held: formatCentavos(held ?? 0n),
    keys: keys.filter(({ account_id }) => account_id === account.id).map(({ dict_key }) => dict_key),
  }))
}

const shownOf = (from: string) => `
  SELECT a.id, a.name, a.trade_name, a.tax_id, a.ispb, a.branch, a.number, a.type, a.balance, h.balance AS held
  FROM ${from} LEFT JOIN accounts h ON h.id = a.held_id`
const OF_PARTNERS = `${shownOf('partners p JOIN accounts a ON a.id = p.account_id')} ORDER BY a.number LIMIT ${SHOWN}`
const OTHERS = `${shownOf('accounts a')}
  WHERE a.standing = 'own' AND NOT EXISTS (SELECT 1 FROM partners p WHERE p.account_id = a.id)
  ORDER BY a.number LIMIT ${SHOWN}`
const keysOf = (ids: readonly string[]) => `
  SELECT account_id, dict_key FROM keys WHERE account_id IN (${ids.map(() => '?').join(', ')})
  ORDER BY dict_key LIMIT ${10 * SHOWN}`

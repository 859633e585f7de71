import type { Account } from '../ledger/accounts.ts'
import type { Queries } from '../store/store.ts'

/** A directory entry: a key and its account. */
export type Entry = Account & { readonly dict_key: string; readonly key_id: string; readonly kind: string }

export function entryOf(queries: Queries, dict_key: string): Promise<Entry | undefined> {
  return queries.get<Entry>(
    `SELECT a.*, k.dict_key, k.id AS key_id, k.kind FROM keys k JOIN accounts a ON a.id = k.account_id
     WHERE k.dict_key = ?`,
    [dict_key],
  )
}

/** Masks a CPF except for its six middle digits. A CNPJ is shown in full (DICT operational manual, section 8.5). */
export function maskedDocument(tax_id: string): string {
  return tax_id.length === 11 ? `***.${tax_id.slice(3, 6)}.${tax_id.slice(6, 9)}-**` : tax_id
}

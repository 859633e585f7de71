import { fieldsOf, listItems, stringAt, valueAt } from '../contract/json.ts'
import { centavosOf } from './amounts.ts'

/** What an account holds, as the look-up of its user shows it beside the customer. */
export interface CustomerBalance {
  /** The id of the customer. */
  readonly customer: string | undefined
  /** The `account_id` of the customer. */
  readonly accountId: string
  /** The institution and the number of the account, as the ledger writes them. */
  readonly account: string
  readonly centavos: bigint
}

/** Lists the balances of the customers in the look-up of a user; none of a customer whose balance is not certain. */
export function listCustomerBalances(lookUp: unknown): readonly CustomerBalance[] {
  const customers = listItems(valueAt(lookUp, '/customers'))
  return customers.flatMap((customer) => readBalance(customer) ?? [])
}

/** Reads the balance of a customer; undefined if the service shows none that is certain. */
function readBalance(customer: unknown): CustomerBalance | undefined {
  const accountId = stringAt(customer, '/account_id')
  const ispb = stringAt(customer, '/ispb')
  const number = stringAt(customer, '/account_number')
  if (!accountId || !ispb || !number) return undefined

  // Of several balances, nobody knows which one a payment moves.
  const [balance, ...others] = Object.entries(fieldsOf(customer)).filter(([name]) =>
    isNameOfBalance(name),
  )
  if (!balance || others.length > 0) return undefined

  const [, text] = balance
  // A number without decimals may be one of centavos.
  const hasDecimals = typeof text === 'string' && /^-?\d+\.\d\d$/.test(text)
  const centavos = hasDecimals ? centavosOf(text) : undefined
  if (centavos === undefined) return undefined
  return {
    customer: stringAt(customer, '/id'),
    accountId,
    account: `${ispb} ${number}`,
    centavos,
  }
}

/** Whether a field is called a balance, in English or Portuguese. */
function isNameOfBalance(name: string): boolean {
  return /balance|saldo/i.test(name)
}

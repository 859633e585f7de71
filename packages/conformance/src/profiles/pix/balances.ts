import type { Context } from '../../engine/context.ts'
import { eventually } from '../../engine/eventually.ts'
import { nodeOf } from '../../model/document.ts'
import { isSuccess } from '../../model/exchange.ts'
import { centavosOf } from './centavos.ts'

/** Centavos of an account: its balance, and the amount that is reserved for pending transfers. */
export interface Balance {
  readonly balance: bigint
  readonly held: bigint
}

/** By account. */
export type Balances = ReadonlyMap<unknown, Balance>

/** The balances that a sandbox shows; undefined where it shows none. */
async function balancesOf(context: Context): Promise<Balances | undefined> {
  const raw = { method: 'GET', path: '/_sandbox/state', headers: {}, body: undefined }
  const shown = await context.send(undefined, {}, { identity: null, raw })
  const { accounts } = nodeOf(shown.body)
  if (!isSuccess(shown) || !Array.isArray(accounts)) return undefined
  return new Map(
    accounts.flatMap((it) => {
      const { id, balance, held } = nodeOf(it)
      const [own, aside] = [centavosOf(balance), centavosOf(held)]
      return own === undefined || aside === undefined ? [] : [[id, { balance: own, held: aside }]]
    }),
  )
}

/** The balances once every transfer has ended; undefined where a sandbox shows none, or some do not end. */
export async function balancesAtRest(context: Context): Promise<Balances | undefined> {
  const balances = await eventually(context, () => balancesOf(context), isAtRest)
  return isAtRest(balances) ? balances : undefined
}

/** Without balances, there is nothing to wait for. */
function isAtRest(balances: Balances | undefined): boolean {
  return !balances || [...balances.values()].every(({ held }) => held === 0n)
}

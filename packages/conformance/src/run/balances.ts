import { nodeOf } from './document.ts'
import { listIn } from './records.ts'
import { isSuccess, type Scene } from './scene.ts'

/** Centavos on an account: what it holds, and what its transfers have set aside. */
export interface Balance {
  readonly balance: bigint
  readonly held: bigint
}

/** The balances that a sandbox shows, by account; undefined where it shows none. */
async function balancesOf(scene: Scene): Promise<ReadonlyMap<unknown, Balance> | undefined> {
  const raw = { method: 'GET', path: '/_sandbox/state', headers: {}, body: undefined }
  const shown = await scene.send(undefined, {}, { who: null, raw })
  const { accounts } = nodeOf(shown.body)
  if (!isSuccess(shown) || !Array.isArray(accounts)) return undefined
  return new Map(
    listIn(accounts).flatMap((it) => {
      const { id, balance, held } = nodeOf(it)
      const [own, aside] = [centavos(balance), centavos(held)]
      return own === undefined || aside === undefined ? [] : [[id, { balance: own, held: aside }]]
    }),
  )
}

/** Milliseconds to wait until nothing is set aside, and between looks. */
const PATIENCE = 8_000
const LOOK = 30

/** The balances once every transfer has ended; undefined where a sandbox shows none, or some do not end. */
export async function balancesAtRest(scene: Scene): Promise<ReadonlyMap<unknown, Balance> | undefined> {
  const until = performance.now() + PATIENCE
  for (;;) {
    const balances = await balancesOf(scene)
    if (!balances || [...balances.values()].every(({ held }) => held === 0n)) return balances
    if (performance.now() > until) return undefined
    await new Promise((resolve) => setTimeout(resolve, LOOK))
  }
}

function centavos(amount: unknown): bigint | undefined {
  return typeof amount === 'string' && /^-?\d+\.\d\d$/.test(amount)
    ? BigInt(amount.replace('.', ''))
    : undefined
}

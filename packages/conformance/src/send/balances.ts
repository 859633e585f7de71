import { fieldsOf, parsedJson, stringAt } from '../contract/json.ts'
import type { History, ShownBalances } from '../history.ts'
import type { Transport } from './transport.ts'

/** The balances that a sandbox shows, since no operation of the contract does. */
export interface Balances {
  /** Looks at them, and adds them to the history. Returns nothing if the service shows none. */
  look(): Promise<ShownBalances | undefined>
}

interface BalancesOptions {
  readonly transport: Transport
  readonly history: History
  readonly signal: AbortSignal
}

const PATH = '/_sandbox/state'

export function createBalances({ transport, history, signal }: BalancesOptions): Balances {
  const now = () => performance.timeOrigin + performance.now()
  return {
    async look() {
      const sentAt = now()
      const response = await transport({ method: 'GET', path: PATH, headers: {} }, signal).catch(
        () => undefined,
      )
      const { accounts, transfers } = fieldsOf(
        response?.status === 200 ? parsedJson(response.text) : undefined,
      )
      if (!Array.isArray(accounts)) return undefined
      const at = { sentAt, completeAt: now() }
      const shown = {
        type: 'balances',
        ...at,
        accounts: balancesOf(accounts),
        rejected: rejectedIn(transfers),
      } as const
      history.add(shown)
      return shown
    },
  }
}

function balancesOf(accounts: readonly unknown[]): ShownBalances['accounts'] {
  const entries = accounts.flatMap((it) => {
    const [id, balance, held] = ['/id', '/balance', '/held'].map((pointer) => stringAt(it, pointer))
    return id === undefined || balance === undefined || held === undefined ? [] : [[id, { balance, held }]]
  })
  return Object.fromEntries(entries)
}

function rejectedIn(transfers: unknown): string[] {
  const all: unknown[] = Array.isArray(transfers) ? transfers : []
  return all.flatMap((it) => (stringAt(it, '/status') === 'rejected' ? (stringAt(it, '/id') ?? []) : []))
}

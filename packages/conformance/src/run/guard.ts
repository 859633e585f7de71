import type { Target } from '../result.ts'
import type { Contract, OperationView } from './contract.ts'
import { nodeOf } from './document.ts'
import { PAYMENT, type Policy } from './policy.ts'
import type { Call } from './wire.ts'

/** A request that must not leave: the case cannot be judged. */
export class NotSent extends Error {
  override readonly name = 'NotSent'
}

/** Looks at every request before it leaves. Throws `NotSent` for what must not. */
export type Guard = (view: OperationView | undefined, call: Call) => void

export interface GuardOptions {
  readonly contract: Contract
  readonly policy: Policy
  readonly target: Target
  readonly maxAmount: string | undefined
  readonly signal: AbortSignal | undefined
}

/**
 * The last line before a service: nothing leaves once the run is aborted, and nothing that a live service must not be
 * sent, whichever law asks for it.
 */
export function createGuard({ contract, policy, target, maxAmount, signal }: GuardOptions): Guard {
  return (view, call) => {
    if (signal?.aborted) throw new NotSent('not sent: the run was aborted')
    if (target !== 'live') return
    for (const meant of view ? [view] : meantBy(contract, call)) {
      if (!policy.may(meant)) throw new NotSent(notSent(meant))
      if (meant.id === PAYMENT && !isAtMost(amountOf(call), maxAmount))
        throw new NotSent(`not sent: no payment above ${maxAmount} is sent`)
    }
  }
}

/** Why an operation is not sent to a live service. */
export function notSent({ id }: Pick<OperationView, 'id'>): string {
  return id === PAYMENT
    ? 'not sent: a live service is not paid without --allow-payments'
    : 'not sent: what a live service would be told cannot be undone'
}

/** What a path may mean to a lenient service: with its slash and without. */
function meantBy(contract: Contract, { method, path }: Call): OperationView[] {
  const bare = (path.split('?', 1)[0] ?? '').replace(/\/+$/, '')
  return [bare, `${bare}/`].flatMap((it) => {
    const found = contract.validator.findOperation(method, it)
    return found.found ? contract.operations.filter(({ operation }) => operation === found.operation) : []
  })
}

function amountOf({ body = '' }: Call): unknown {
  try {
    return nodeOf(JSON.parse(body)).amount
  } catch {
    return undefined
  }
}

/** What is no plain amount may be read as any, and is not sent either. */
function isAtMost(amount: unknown, max: string | undefined): boolean {
  const centavos = centavosOf(amount)
  const most = centavosOf(max)
  return centavos !== undefined && most !== undefined && centavos <= most
}

function centavosOf(amount: unknown): bigint | undefined {
  return typeof amount === 'string' && /^\d{1,12}\.\d{2}$/.test(amount)
    ? BigInt(amount.replace('.', ''))
    : undefined
}

import type { Validator } from '@partner-payments/validator'
import type { Target } from '../engine/result.ts'
import type { Contract } from '../model/contract.ts'
import { nodeOf } from '../model/document.ts'
import type { OperationView } from '../model/operation-view.ts'
import { centavosOf } from '../profiles/pix/centavos.ts'
import { PAYMENT, type Policy } from './policy.ts'
import { bare, isRead, type Made } from './tracked-resources.ts'
import type { Call } from './transport.ts'

/** A request that must not leave, or was put off: the case cannot be judged. */
export class NotSent extends Error {
  override readonly name = 'NotSent'
}

/** Looks at every request before it leaves. Throws `NotSent` for what must not. */
export type Guard = (view: OperationView | undefined, call: Call) => void

export interface GuardOptions {
  readonly contract: Contract
  readonly policy: Policy
  /** What the run has made, which alone it may change. */
  readonly made: Pick<Made, 'isOwn' | 'begin'>
  readonly target: Target
  readonly maxAmount: string | undefined
  readonly signal: AbortSignal | undefined
}

/**
 * The last line before a service: nothing leaves once the run is aborted, and nothing that a live service must not be
 * sent, whichever law asks for it.
 *
 * What changes a record of a live service is sent for records that the run itself made, and for no other id: an id that
 * nobody has by our belief, as `0`, `x` or a UUID of zeros, may be somebody's by the service's. So the cases of such ids
 * are masked there, where they change something.
 */
export function createGuard({ contract, policy, made, target, maxAmount, signal }: GuardOptions): Guard {
  return (view, call) => {
    if (signal?.aborted) throw new NotSent('not sent: the run was aborted')
    if (target !== 'live') return
    const all = [...new Set([...(view ? [view] : []), ...meantBy(contract, call)])].filter(
      (meant) => !isUnreadable(meant, call),
    )
    for (const meant of all) {
      const why = policy.forbidden(meant)
      if (why !== undefined) throw new NotSent(why)
      if (meant.id === PAYMENT && !isAtMost(amountOf(call), maxAmount))
        throw new NotSent(`not sent: no payment above ${maxAmount} is sent`)
      if (changesRecord(meant) && !made.isOwn(call.path))
        throw new NotSent('not sent: a live service is changed in the records of this run alone')
    }
    // Last, since what is begun is sent.
    for (const meant of all)
      if (!made.begin(meant, call)) throw new NotSent('not sent: no more records are made on a live service')
  }
}

/** A body that no service can execute: it names no amount, no key and no URL. */
export const UNREADABLE = '{'

/** Whether a request cannot be executed, since the body that its operation requires cannot be read. */
function isUnreadable({ isBodyRequired, pathParameters }: OperationView, { body }: Call): boolean {
  return isBodyRequired && pathParameters.length === 0 && body === UNREADABLE
}

/** What a path may mean to a lenient service: with its slash and without. */
function meantBy({ operations, aliases, validator }: Contract, { method, path }: Call): OperationView[] {
  return [bare(path), `${bare(path)}/`].flatMap((it) => {
    const isMeant = (view: OperationView, by: Validator) => {
      const found = by.findOperation(method, it)
      return found.found && found.operation === view.operation
    }
    const aliased = aliases.filter((alias) => isMeant(alias.view, alias.validator)).map(({ of }) => of)
    return [...operations.filter((view) => isMeant(view, validator)), ...aliased]
  })
}

/** Whether an operation acts on the record that its path names. */
function changesRecord(view: OperationView): boolean {
  return view.pathParameters.length > 0 && !isRead(view)
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
  const [centavos, most] = [amount, max].map((it) => (isPlain(it) ? centavosOf(it) : undefined))
  return centavos !== undefined && most !== undefined && centavos <= most
}

function isPlain(amount: unknown): boolean {
  return typeof amount === 'string' && /^\d{1,12}\.\d{2}$/.test(amount)
}

import type { Contract } from '../../model/contract.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'

/** Milliseconds by which clocks may differ. Local time that is called UTC is further off, wherever Brazil has people. */
const NEAR = 90 * 60_000

/**
 * Whether a record says that it was created at another moment than its creation was answered, in milliseconds since
 * 1970. What the contract itself shows is of the day of its examples, and a mock gives it.
 */
export function isCreatedElsewhen(body: unknown, { at }: Pick<Exchange, 'at'>, contract: Contract): boolean {
  const { created_at } = nodeOf(body)
  const moment = typeof created_at === 'string' ? Date.parse(created_at) : Number.NaN
  if (at === undefined || Number.isNaN(moment) || Math.abs(moment - at) <= NEAR) return false
  return !textOf(contract).includes(String(created_at))
}

const texts = new WeakMap<object, string>()

function textOf({ document: { root } }: Contract): string {
  const text = texts.get(root) ?? JSON.stringify(root)
  texts.set(root, text)
  return text
}

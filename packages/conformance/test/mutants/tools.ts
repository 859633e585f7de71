import {
  bodyOf,
  change,
  type Edit,
  isJson,
  type Json,
  problem,
  withJson,
} from '../services/responses.ts'
import type { Relay, TestSandbox } from '../services/sandbox.ts'
import { dayAt } from '../services/state.ts'
import { onSuccess, type Service, type Services } from '../services/wrap.ts'

/**
 * Realistic bugs, written without reading the rules of the checker, which they do not name: by the
 * operation where a finding must be, or may be too after the first, and by what the service does.
 * All deliveries count as one operation.
 */
export type Mutants = Readonly<Record<string, Services>>

/** Changes a field of each success. */
export function onField(pointer: string, edit: Edit): Service {
  return onSuccess(change(pointer, edit))
}

/** Changes deliveries. */
export function relay(relay: Relay): Service {
  return { relay }
}

/** Changes the state by a trigger in the database. */
export function trigger(when: string, change: string): Service {
  return { prepare: ({ run }) => run(createTrigger(when, change)) }
}

export function createTrigger(when: string, change: string): string {
  return `CREATE TRIGGER mutant ${when} BEGIN ${change}; END`
}

/** The status of a cancelled charge. */
export const CANCELLED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'

/** The UTC offset of Brazil's official time in milliseconds. */
export const BRAZIL = -3 * 3_600_000

/** A date-time three hours earlier, still written as UTC: the time of Brasília with a Z. */
export function inLocalTime(time: unknown): unknown {
  return typeof time === 'string' ? new Date(Date.parse(time) + BRAZIL).toISOString() : time
}

/** Today in Brazil and in UTC. They differ in the last three hours of a Brazilian day. */
export function todayOf({ app }: TestSandbox): { here: string; utc: string } {
  const now = app.clock.now()
  return { here: dayAt(now + BRAZIL), utc: dayAt(now) }
}

/** Centavos of an amount of the contract. */
export function centavosOf(amount: unknown): bigint {
  const [reais = '0', cents = ''] = String(amount ?? '0').split('.')
  return BigInt(reais + cents.padEnd(2, '0'))
}

function amountOf(centavos: bigint): string {
  const digits = `${centavos}`.padStart(3, '0')
  return centavos === 0n ? '0' : `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Adds centavos to one part of a checked code, and to its total. */
export function withMore(body: Json, part: 'fine' | 'discount', centavos: bigint): Json {
  const total = centavosOf(body.final_amount) + (part === 'discount' ? -centavos : centavos)
  return {
    ...body,
    [part]: amountOf(centavosOf(body[part]) + centavos),
    final_amount: amountOf(total),
  }
}

export function jsonOf(value: unknown): Json {
  return isJson(value) ? value : {}
}

export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : []
}

/** A refusal that names a field. */
export async function refusalAt(status: number, code: string, pointer: string): Promise<Response> {
  const response = problem(status, code)
  const errors = [{ pointer, code, detail: 'It was refused.' }]
  return withJson(response, { ...(await bodyOf(response)), errors })
}

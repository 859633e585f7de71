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
import { onSuccess, type Service } from '../services/wrap.ts'

/**
 * A service that is wrong in one way: a realistic bug, written without reading the rules of the
 * checker, which it does not name.
 */
export interface Mutant {
  /** One sentence: what the service does. */
  readonly says: string
  /**
   * The operations where a finding names it: the first is its own, whose calls it changes by
   * default. All deliveries count as one operation.
   */
  readonly places: readonly [string, ...string[]]
  readonly service: Service
}

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

/** Changes the body of each event of a type, or of all, before it is signed. */
export function eventBody(expression: string, type = '%'): Service {
  const change = `UPDATE events SET body = json_set(body, ${expression}) WHERE id = NEW.id`
  return trigger(`AFTER INSERT ON events WHEN NEW.type LIKE '${type}'`, change)
}

/** The status of a cancelled charge. */
export const CANCELLED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'

/** The UTC offset of Brazil's official time in milliseconds. */
export const BRAZIL_MS = -3 * 3_600_000

/** A date-time three hours earlier, still written as UTC: the time of Brasília with a Z. */
export function inLocalTime(time: unknown): unknown {
  if (typeof time !== 'string') return time
  return new Date(Date.parse(time) + BRAZIL_MS).toISOString()
}

/** Today in Brazil and in UTC. They differ in the last three hours of a Brazilian day. */
export function todayOf({ app }: TestSandbox): { here: string; utc: string } {
  const now = app.clock.now()
  return { here: dayAt(now + BRAZIL_MS), utc: dayAt(now) }
}

/** Centavos of an amount of the contract. */
export function centavosOf(amount: unknown): bigint {
  const [reais = '0', cents = ''] = String(amount ?? '0').split('.')
  return BigInt(reais + cents.padEnd(2, '0'))
}

function amountOf(centavos: bigint): string {
  if (centavos === 0n) return '0'
  const digits = String(centavos).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Adds centavos to one part of a checked code, and to its total. */
export function withMore(body: Json, part: 'fine' | 'discount', centavos: bigint): Json {
  const onTotal = part === 'discount' ? -centavos : centavos
  return {
    ...body,
    [part]: amountOf(centavosOf(body[part]) + centavos),
    final_amount: amountOf(centavosOf(body.final_amount) + onTotal),
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
  const body = await bodyOf(response)
  const errors = [{ pointer, code, detail: 'It was refused.' }]
  return withJson(response, { ...body, errors })
}

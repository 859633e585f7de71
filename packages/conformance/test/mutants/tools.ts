import { type Call, keepsContract, type OperationId } from '../services/call.ts'
import { isJson, type Json } from '../services/json.ts'
import type { OwnPlant } from '../services/plant.ts'
import { bodyOf, problem, remade } from '../services/responses.ts'
import type { TestSandbox } from '../services/sandbox.ts'
import type { Next, Wrap } from '../services/wrap.ts'

/** A realistic bug, written without reading the rules of the checker. It names no rule. */
export interface Mutant extends OwnPlant {
  readonly id: string
  /** One sentence: what the service does. */
  readonly describe: string
  /** The operation that a finding must name; all deliveries count as one. */
  readonly operation: OperationId | 'deliveries'
  /** Other operations that a finding may name. */
  readonly also?: readonly OperationId[]
  /** SQL statements that create triggers. */
  readonly state?: readonly string[]
}

/** Mutants by operation and id. */
export type Mutants = Readonly<
  Partial<Record<Mutant['operation'], Readonly<Record<string, Omit<Mutant, 'id' | 'operation'>>>>>
>

/** The status of a cancelled charge. */
export const CANCELLED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'

/** A date-time three hours earlier, still written as UTC: the time of Brasília with a Z. */
export function inLocalTime(time: unknown): unknown {
  return typeof time === 'string' ? new Date(Date.parse(time) - 3 * 3_600_000).toISOString() : time
}

/** A trigger in the database. */
export function trigger(when: string, change: string): string[] {
  return [`CREATE TRIGGER mutant ${when} BEGIN ${change}; END`]
}

/** The full-date at a moment, in a time zone of this offset in hours. */
export function dayAt(ms: number, hours = 0): string {
  return new Date(ms + hours * 3_600_000).toISOString().slice(0, 10)
}

/** The UTC offset of Brazil's official time in hours. */
export const BRAZIL = -3

/** Today in Brazil and in UTC. They differ in the last three hours of a Brazilian day. */
export function todayOf({ app }: TestSandbox): { here: string; utc: string } {
  const now = app.clock.now()
  return { here: dayAt(now, BRAZIL), utc: dayAt(now) }
}

/** The same day, or Monday for a day on a weekend. */
export function afterWeekend(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return dayAt(Date.parse(day), weekday === 6 ? 48 : weekday === 0 ? 24 : 0)
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
export function withMore(body: Json, part: 'fine' | 'interest' | 'discount', centavos: bigint): Json {
  const sign = part === 'discount' ? -1n : 1n
  return {
    ...body,
    [part]: amountOf(centavosOf(body[part]) + centavos),
    final_amount: amountOf(centavosOf(body.final_amount) + sign * centavos),
  }
}

export function jsonOf(value: unknown): Json {
  return isJson(value) ? value : {}
}

export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : []
}

/** Wraps the service, with state that lasts as long as the service. */
export function remembering<Memory>(
  start: () => Memory,
  wrap: (memory: Memory, call: Call, next: Next, sandbox: TestSandbox) => Promise<Response>,
): Wrap {
  return (sandbox) => {
    const memory = start()
    return (call, next) => wrap(memory, call, next, sandbox)
  }
}

/** Returns the previous response to the same request, for this many seconds. */
export function cached(
  seconds: number,
  keyOf: (call: Call) => string | undefined | Promise<string | undefined>,
): Wrap {
  return remembering(
    () => new Map<string, { response: Response; until: number }>(),
    async (memory, call, next, { app }) => {
      const key = keepsContract(call) && call.bytes.byteLength < 65_536 ? await keyOf(call) : undefined
      if (key === undefined) return next(call)
      const known = memory.get(key)
      if (known && app.clock.now() < known.until) return renewed(known.response)
      const response = await next(call)
      if (response.ok)
        memory.set(key, { response: response.clone(), until: app.clock.now() + seconds * 1000 })
      return response
    },
  )
}

/** A cached response gets a new request id. */
function renewed(response: Response): Promise<Response> {
  return remade(response.clone(), { headers: { 'x-request-id': `req_${crypto.randomUUID()}` } })
}

/** Whether a response is a refusal with this code. */
export async function isRefused(response: Response, ...codes: readonly string[]): Promise<boolean> {
  if (response.status < 400) return false
  return codes.includes(String((await bodyOf(response))?.code))
}

/** A refusal that names a field. */
export function refusalAt(status: number, code: string, pointer: string): Promise<Response> {
  const response = problem(status, code)
  const errors = [{ pointer, code, detail: 'It was refused.' }]
  return response
    .json()
    .then((body) => remade(response, { body: JSON.stringify({ ...jsonOf(body), errors }) }))
}

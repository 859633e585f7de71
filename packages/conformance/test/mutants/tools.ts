import { keepsContract, type OperationId } from '../services/call.ts'
import {
  bodyOf,
  change,
  type Edit,
  isJson,
  type Json,
  problem,
  remade,
  withJson,
} from '../services/responses.ts'
import type { Relay, TestSandbox } from '../services/sandbox.ts'
import { dayAt } from '../services/state.ts'
import {
  changeCall,
  changeRequest,
  changeResponse,
  changeSuccess,
  handle as handleCalls,
  refuse as refuseCalls,
  type Service,
} from '../services/wrap.ts'

/** A realistic bug, written without reading the rules of the checker. It names no rule. */
export type Mutant = (operation: OperationId) => Service

/**
 * Mutants by the operation where a finding must be, or may be too after the first, and by what the service does. All
 * deliveries count as one operation.
 */
export type Mutants = Readonly<Record<string, Readonly<Record<string, Mutant>>>>

/** A form of mutants of one operation. */
const form =
  <Args extends readonly unknown[]>(change: (operation: OperationId, ...args: Args) => Service) =>
  (...args: Args): Mutant =>
  (operation) =>
    change(operation, ...args)

export const handle = form(handleCalls)
export const onCall = form(changeCall)
export const onRequest = form(changeRequest)
export const onResponse = form(changeResponse)
export const onSuccess = form(changeSuccess)
export const refuse = form(refuseCalls)

/** Changes a field of each success. */
export function onField(pointer: string, edit: Edit): Mutant {
  return onSuccess(change(pointer, edit))
}

/** Changes deliveries. */
export function relay(relay: Relay): Mutant {
  return () => ({ relay })
}

/** Changes the state by a trigger in the database. */
export function trigger(when: string, change: string): Mutant {
  return () => ({ prepare: ({ run }) => run(createTrigger(when, change)) })
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
  return { ...body, [part]: amountOf(centavosOf(body[part]) + centavos), final_amount: amountOf(total) }
}

export function jsonOf(value: unknown): Json {
  return isJson(value) ? value : {}
}

export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : []
}

/** Returns the previous response to the same request by the same caller, for this many seconds. */
export function cached(seconds: number, keyOf: (body: Json) => unknown): Mutant {
  return handle(async (call, next, { app, memory }) => {
    if (!keepsContract(call)) return next(call)
    const key = `${call.headers.get('authorization')} ${keyOf(call.json ?? {})}`
    const known = memory.get(key) as { response: Response; until: number } | undefined
    if (known && app.clock.now() < known.until)
      return remade(known.response.clone(), { headers: { 'x-request-id': `req_${crypto.randomUUID()}` } })
    const response = await next(call)
    if (response.ok) memory.set(key, { response: response.clone(), until: app.clock.now() + seconds * 1000 })
    return response
  })
}

/** A refusal that names a field. */
export async function refusalAt(status: number, code: string, pointer: string): Promise<Response> {
  const response = problem(status, code)
  const errors = [{ pointer, code, detail: 'It was refused.' }]
  return withJson(response, { ...(await bodyOf(response)), errors })
}

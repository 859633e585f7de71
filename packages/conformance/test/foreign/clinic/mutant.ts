import type { Asked, Call, Clinic, Handler, Operation, Result, Row } from './service.ts'

/** A realistic bug of the clinic. */
export interface ClinicMutant {
  readonly id: string
  /** One sentence: what the service does. */
  readonly describe: string
  readonly operation: Operation
  /** Other operations that a finding may name. */
  readonly also?: readonly Operation[]
  /** What a good finding reports. */
  readonly expects: string
  readonly plant: Plant
  /** Shows that the bug exists: the result differs from that of the correct service. */
  readonly shows: (stage: ClinicStage) => Promise<unknown>
}

export type ClinicMutants = Readonly<Record<string, Omit<ClinicMutant, 'id'>>>
export type Plant = (clinic: Clinic) => void

export interface Seen {
  readonly status: number
  readonly type: string | null
  readonly body: Record<string, unknown>
}

/** Sends a request, written as method and path; a null token sends no credentials. */
export type Send = (line: string, body?: object, token?: string | null) => Promise<Seen>

/** A clinic for the proof of a mutant. */
export interface ClinicStage {
  readonly send: Send
  /** The same for the other clinic. */
  readonly elsewhere: Send
  patient(more?: object): Promise<Row>
  doctor(more?: object): Promise<Row>
  appointment(more?: object): Promise<Row>
  note(more?: object): Promise<Row>
}

/** Replaces the handler of an operation. */
export function instead(id: Operation, change: (call: Call, right: Handler) => Result): Plant {
  return ({ handlers }) => {
    const right = handlers[id]
    handlers[id] = (call) => change(call, right)
  }
}

/** Changes the body of each success, but not the record. */
export function response(id: Operation, change: (body: Row, call: Call) => unknown): Plant {
  return instead(id, (call, right) => {
    const result = right(call)
    // The handler returns the record itself, so copy it.
    return result.status < 300
      ? { ...result, body: change(structuredClone(result.body) as Row, call) }
      : result
  })
}

/** Changes the items of each page. */
export function items(id: Operation, change: (items: Row[], call: Call) => Row[]): Plant {
  return response(id, (body, call) => ({ ...body, items: change(body.items as Row[], call) }))
}

/** Changes a valid request. */
export function request(
  id: Operation,
  change: (body: Call['body'], call: Call) => Record<string, unknown>,
): Plant {
  return instead(id, (call, right) => right({ ...call, body: change(call.body, call) }))
}

/** Changes the query of a list. */
export function asked(id: Operation, change: (query: Call['query']) => Record<string, string>): Plant {
  return instead(id, (call, right) => right({ ...call, query: change(call.query) }))
}

/** Refuses valid requests, or fails on them. */
export function refuse(id: Operation, test: (call: Call) => boolean, status: number): Plant {
  return instead(id, (call, right) =>
    test(call) ? { status, body: { code: 'refused', message: 'The request was refused.' } } : right(call),
  )
}

/** Accepts invalid requests. */
export function take(id: Operation, test: (asked: Asked) => boolean): Plant {
  return ({ parts }) => {
    const { refused } = parts
    parts.refused = (it) => (it.operation === id && test(it) ? undefined : refused(it))
  }
}

/** Searches the records of every clinic. */
export function everywhere(id: Operation): Plant {
  return instead(id, (call, right) => {
    const results = [call.state, ...call.states].map((state) => () => right({ ...call, state }))
    for (const result of results) {
      const found = result()
      if (found.status !== 404) return found
    }
    return right(call)
  })
}

export function both(...plants: readonly Plant[]): Plant {
  return (clinic) => {
    for (const plant of plants) plant(clinic)
  }
}

export function without(row: Record<string, unknown>, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)))
}

export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** The items of a list. */
export async function itemsOf(send: Send, line: string): Promise<Row[]> {
  return (await send(line)).body.items as Row[]
}

export async function counted(send: Send, line: string): Promise<number> {
  return (await itemsOf(send, line)).length
}

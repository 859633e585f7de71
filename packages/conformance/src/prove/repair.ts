import type { Finding } from '@partner-payments/validator'
import type { Contract, OperationView } from '../run/contract.ts'
import { stepsOf, valueAt } from '../run/document.ts'
import { renewed } from '../run/values.ts'
import type { Call } from '../run/wire.ts'
import { type Json, withValue } from '../schema/json.ts'
import { type CheckPlant, general } from './fault.ts'

/** A request as a service reads it. */
export interface Read {
  readonly body: unknown
  readonly findings: readonly Finding[]
}

/** What the contract says of a request; undefined where its body cannot be read. */
export function readRequest(
  { validator }: Contract,
  { method, path, headers, body }: Call,
): Read | undefined {
  const [pathname = '', query] = path.split('?')
  const parsed = body === undefined || body === '' ? undefined : parse(body)
  if (parsed === NONE) return undefined
  const given = headersOf(headers)
  // Where both are wrong, the type of the body is told and not what is in it.
  const message = {
    method,
    path: pathname,
    headers: given,
    body: parsed,
    ...(query !== undefined && { query }),
  }
  return { body: parsed, findings: validator.validateRequest(message) }
}

/** Whether a request breaks the keyword of a plant, and nothing else. */
export function breaksOnly({ findings }: Read, plant: CheckPlant): boolean {
  return findings.length > 0 && findings.every((it) => isMeant(it, plant))
}

function isMeant({ place, pointer, contract }: Finding, plant: CheckPlant): boolean {
  if (place !== plant.place) return false
  if (place === 'media-type') return true
  return contract === plant.keyword && general(pointer) === plant.path
}

/** The values to be tried in place of what is wrong; undefined takes it away. */
type Known = (pointer: string) => readonly unknown[]

/** The same request without what is wrong with it; undefined where that cannot be had. */
export function repaired(
  contract: Contract,
  view: OperationView,
  call: Call,
  read: Read,
  known: Known,
): Call | undefined {
  const [finding] = read.findings
  if (finding?.place === 'media-type') return withBody(call, call.body ?? '')
  if (finding?.place === 'query') return withoutQuery(call, read.findings)
  for (const [i] of [...Array(MAX_TRIED).keys()].entries()) {
    const body = read.findings.reduce<unknown>(
      (made, it) => mended(view, made, it.pointer, i, known),
      read.body,
    )
    const made = body === undefined ? undefined : withBody(call, JSON.stringify(body))
    if (made && readRequest(contract, made)?.findings.length === 0) return made
  }
  return undefined
}

/** Values tried for one place, at most. */
const MAX_TRIED = 6

function mended(view: OperationView, body: unknown, pointer: string, i: number, known: Known): unknown {
  const values = [...known(pointer), undefined]
  const value = values[Math.min(i, values.length - 1)]
  if (pointer === '') return withFreshIds(view, value)
  if (view.usedOnce.includes(pointer))
    return withFreshIds(view, withValue(body as Json, pointer, value as Json))
  // What came from JSON is JSON.
  return withValue(body as Json, pointer, value as Json | undefined)
}

/** A whole body in place of another, with what is used once made anew: else the service would refuse it for that. */
function withFreshIds({ usedOnce }: OperationView, body: unknown): unknown {
  return usedOnce.reduce<unknown>((made, pointer) => {
    const value = valueAt(made, pointer)
    return typeof value === 'string' ? withValue(made as Json, pointer, renewed(value, Math.random)) : made
  }, body)
}

function withBody(call: Call, body: string): Call {
  const { 'content-length': _, ...headers } = headersOf(call.headers)
  return { ...call, headers: { ...headers, 'content-type': 'application/json' }, body }
}

function withoutQuery(call: Call, findings: readonly Finding[]): Call {
  const [pathname = '', query] = call.path.split('?')
  const parameters = new URLSearchParams(query)
  for (const { pointer } of findings) parameters.delete(stepsOf(pointer)[0] ?? '')
  const left = parameters.toString()
  return { ...call, path: left ? `${pathname}?${left}` : pathname }
}

function headersOf(headers: Call['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

const NONE = Symbol('no JSON')

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return NONE
  }
}

import { type Finding, stepsOf } from '@partner-payments/validator'
import { renewed } from '../generate/fresh-values.ts'
import { type Json, withValue } from '../generate/schema/json.ts'
import type { Contract } from '../model/contract.ts'
import { nodeOf, valueAt } from '../model/document.ts'
import type { Written } from '../model/forms.ts'
import { type HttpRequest, jsonIn, lowerCaseNames } from '../model/http.ts'
import { type OperationView, writeBody } from '../model/operation-view.ts'
import { type RequestPlant, withWildcards } from './fault.ts'

/** A parsed request with the validator's findings. */
export interface ReadRequest {
  readonly body: unknown
  readonly findings: readonly Finding[]
}

/** Validates a request; undefined if its body cannot be parsed. */
export function readRequest(
  { validator }: Contract,
  { method, path, headers, body }: HttpRequest,
): ReadRequest | undefined {
  const [pathname = '', query] = path.split('?')
  const given = lowerCaseNames(headers)
  const parsed = body ? parse(body, given['content-type']) : undefined
  if (body && parsed === undefined) return undefined
  const message = {
    method,
    path: pathname,
    headers: given,
    body: parsed,
    ...(query !== undefined && { query }),
  }
  return { body: parsed, findings: validator.validateRequest(message) }
}

/** Whether a request breaks the keyword of a fault and nothing else. */
export function isBrokenOnlyBy({ findings }: ReadRequest, plant: RequestPlant): boolean {
  return findings.length > 0 && findings.every((it) => isMeant(it, plant))
}

function isMeant({ place, pointer, contract }: Finding, plant: RequestPlant): boolean {
  if (place !== plant.place) return false
  if (place === 'media-type') return true
  return contract === plant.keyword && withWildcards(pointer) === plant.path
}

/** A replacement in a body; an undefined value removes the field. */
export interface Edit {
  readonly pointer: string
  readonly value: unknown
}

/** Edits that may repair a field, the most promising first. */
export type Edits = (body: unknown, pointer: string) => readonly Edit[]

/** Repairs an invalid request; undefined if no edit succeeds. */
export function repair(
  contract: Contract,
  view: OperationView,
  request: HttpRequest,
  read: ReadRequest,
  edits: Edits,
): HttpRequest | undefined {
  const [finding] = read.findings
  if (finding?.place === 'media-type')
    return withBody(request, { type: view.bodyType, body: request.body ?? '' })
  if (finding?.place === 'query') return withoutQuery(request, read.findings)
  const pointers = read.findings.map(({ pointer }) => edits(read.body, pointer))
  for (let i = 0; i < Math.max(...pointers.map((it) => it.length)); i++) {
    const body = pointers.reduce(
      (repaired, it) => edited(view, repaired, it[Math.min(i, it.length - 1)]),
      read.body,
    )
    const repaired = body === undefined ? undefined : withBody(request, writeBody(view, body))
    if (repaired && readRequest(contract, repaired)?.findings.length === 0) return repaired
  }
  return undefined
}

function edited(view: OperationView, body: unknown, edit: Edit | undefined): unknown {
  if (!edit) return body
  const { pointer, value } = edit
  if (pointer === '') return withFreshIds(view, value)
  // A parsed body is JSON.
  const repaired = withValue(body as Json, pointer, value as Json | undefined)
  return view.oneTimeFields.includes(pointer) ? withFreshIds(view, repaired) : repaired
}

/**
 * Edits towards accepted bodies: first removes a field that the most similar one lacks, then tries their values.
 */
export function editsLike(
  accepted: readonly unknown[],
  repaired: (pointer: string) => readonly unknown[],
): Edits {
  return (body, pointer) => {
    const bases = accepted.toSorted((a, b) => similarity(b, body) - similarity(a, body))
    const missing = bases
      .slice(0, 1)
      .flatMap((it) => ancestorsOf(pointer).find((at) => valueAt(it, at) === undefined) ?? [])
    const values = [...bases.map((it) => valueAt(it, pointer)), ...repaired(pointer)].filter(
      (it) => it !== undefined,
    )
    return [
      ...missing.map((at) => ({ pointer: at, value: undefined })),
      ...values.slice(0, MAX_VALUES).map((value) => ({ pointer, value })),
      { pointer, value: undefined },
    ]
  }
}

const MAX_VALUES = 6

/** Number of equal fields. */
function similarity(one: unknown, other: unknown): number {
  const fields = Object.entries(nodeOf(one))
  return fields.filter(([name, value]) => JSON.stringify(nodeOf(other)[name]) === JSON.stringify(value))
    .length
}

/** All prefixes of a pointer, the shortest first. */
function ancestorsOf(pointer: string): string[] {
  const steps = pointer.split('/').slice(1)
  return steps.map((_, i) => `/${steps.slice(0, i + 1).join('/')}`)
}

/** Replaces one-time values, which the service would refuse a second time. */
function withFreshIds({ oneTimeFields }: OperationView, body: unknown): unknown {
  return oneTimeFields.reduce<unknown>((repaired, pointer) => {
    const value = valueAt(repaired, pointer)
    return typeof value === 'string'
      ? withValue(repaired as Json, pointer, renewed(value, Math.random))
      : repaired
  }, body)
}

function withBody(request: HttpRequest, { type, body }: Written): HttpRequest {
  const { 'content-length': _, ...headers } = lowerCaseNames(request.headers)
  return { ...request, headers: { ...headers, 'content-type': type }, body }
}

function textsOf(form: URLSearchParams): object {
  const names = [...new Set(form.keys())]
  return Object.fromEntries(
    names.map((name) => {
      const texts = form.getAll(name)
      return [name, texts.length > 1 ? texts : texts[0]]
    }),
  )
}

function withoutQuery(request: HttpRequest, findings: readonly Finding[]): HttpRequest {
  const [pathname = '', query] = request.path.split('?')
  const parameters = new URLSearchParams(query)
  for (const { pointer } of findings) parameters.delete(stepsOf(pointer)[0] ?? '')
  const left = parameters.toString()
  return { ...request, path: left ? `${pathname}?${left}` : pathname }
}

/** A URL-encoded form becomes an object of strings. */
function parse(text: string, type = ''): unknown {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(type)
  return isForm ? textsOf(new URLSearchParams(text)) : jsonIn(text)
}

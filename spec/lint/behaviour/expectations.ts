/**
 * What an entry of spec/behaviour may refer to. Each function reports a reference without a target.
 */
import { schemasAt, typeOf } from '@partner-payments/contract'
import type { Behaviour } from '../../dist/behaviour.d.ts'
import { fieldError, listFields } from '../fields.ts'
import type { Node } from '../marks.ts'
import { didYouMean } from '../suggest.ts'
import type { OperationView } from './contract-view.ts'

/** What an entry may refer to. */
export interface Targets {
  readonly contract: Node
  readonly operations: ReadonlyMap<string, OperationView>
  readonly behaviour: Behaviour
}

/** What the checks of references read, and how they report what an entry names without a target. */
export interface Context extends Targets {
  readonly report: (at: string, message: string) => void
}

type Side = 'request' | 'response'

/**
 * Reports a name that no declaration has, such as a misspelt event. Does nothing without a name.
 *
 * @param kind What is named, for the message, such as `event`.
 * @param declarations The declarations by their names, such as `behaviour.events`.
 * @param at Where the name stands in spec/behaviour.
 */
export function expectNamed(
  { report }: Context,
  kind: string,
  declarations: object | undefined,
  name: string | undefined,
  at: string,
): void {
  if (!name) return
  const names = Object.keys(declarations ?? {})
  if (names.includes(name)) return
  report(at, `No ${kind} is named "${name}"${didYouMean(name, names, '; declare it.')}`)
}

/**
 * Reports a pointer to a field that none of the schemas has. Does nothing without a pointer.
 *
 * @param at Where the pointer stands in spec/behaviour.
 */
export function expectField(
  { contract, report }: Context,
  schemas: readonly Node[],
  pointer: string | undefined,
  at: string,
): void {
  if (!pointer) return
  const isShown = schemas.some((schema) => schemasAt(contract, schema, pointer).length > 0)
  if (isShown) return
  const fields = schemas.flatMap((schema) => listFields(contract, schema))
  const next = didYouMean(pointer, fields, '; correct the pointer.')
  report(at, `The contract shows no field ${pointer}${next}`)
}

/** A field's value: its pointer, and what an entry says that it is. */
interface FieldValue {
  readonly pointer: string
  readonly value: unknown
}

/**
 * Reports a value that is not in the enum of its field. A field without an enum may have any value.
 *
 * @param at Where the value stands in spec/behaviour.
 */
export function expectEnumValue(
  { contract, report }: Context,
  schemas: readonly unknown[],
  { pointer, value }: FieldValue,
  at: string,
): void {
  const fields = schemas.flatMap((schema) => schemasAt(contract, schema, pointer))
  const values = fields.flatMap((field) => (Array.isArray(field.enum) ? field.enum : []))
  if (values.length === 0 || values.includes(value)) return
  const names = values.map(String)
  const next = didYouMean(String(value), names, `; it is one of ${names.join(', ')}.`)
  report(at, `"${value}" is not a value of ${pointer}${next}`)
}

/**
 * Reports a name in `formOf` that is no value of its field. `formOf` is an invariant that gives a
 * pattern for each value of a field, such as for each type of key: `{ CPF: ^[0-9]{11}$, … }`.
 *
 * @param at Where the name stands in spec/behaviour.
 */
export function expectFormValue(
  context: Context,
  schema: Node,
  { pointer, value }: FieldValue & { readonly value: string },
  at: string,
): void {
  const fields = schemasAt(context.contract, schema, pointer)
  const isBoolean = fields.some(({ type }) => type === 'boolean')
  if (!isBoolean) {
    expectEnumValue(context, [schema], { pointer, value }, at)
    return
  }

  // The keys of an object are strings.
  const isTrueOrFalse = value === 'true' || value === 'false'
  if (!isTrueOrFalse)
    context.report(at, `"${value}" is not a value of ${pointer}; it is true or false.`)
}

/**
 * Reports a value whose type is none of those of its field.
 *
 * @param at Where the value stands in spec/behaviour.
 */
export function expectType(
  { contract, report }: Context,
  schemas: readonly unknown[],
  { pointer, value }: FieldValue,
  at: string,
): void {
  const fields = schemas.flatMap((schema) => schemasAt(contract, schema, pointer))
  const types = new Set(fields.flatMap(declaredTypes))
  if (types.size === 0 || types.has(typeOf(value))) return

  const isInteger = types.has('integer') && Number.isInteger(value)
  if (isInteger) return

  const expected = [...types].join(' or ')
  report(at, `${pointer} must be ${expected}, got ${typeOf(value)}; correct the value.`)
}

/** The types of a schema, whose `type` is one or a list; none if it allows any. */
function declaredTypes({ type }: Node): unknown[] {
  if (type === undefined) return []
  return Array.isArray(type) ? type : [type]
}

/**
 * Reports a place, such as `createTransfer#/amount`, whose operation does not exist, or whose body
 * has no such field. Does nothing without a place.
 *
 * @param at Where the place stands in spec/behaviour.
 * @param side Whether the field is in the request or in the response.
 */
export function expectPlace(
  context: Context,
  place: string | undefined,
  at: string,
  side: Side,
): void {
  if (!place) return
  const { contract, operations, report } = context
  const [id = '', pointer = ''] = place.split('#')
  expectOperation(context, id, at)
  const view = operations.get(id)
  if (!view) return

  const message = fieldError(contract, view, side, pointer)
  if (message) report(at, message)
}

/** The contract has an operation with this id. */
export function expectOperation({ operations, report }: Context, id: string, at: string): void {
  if (operations.has(id)) return
  const next = didYouMean(id, operations.keys(), '; correct it.')
  report(at, `The contract has no operation "${id}"${next}`)
}

/**
 * Reports an error code that has no entry in `refusals`, or that no error response of an operation
 * shows. Does nothing without a code.
 *
 * @param id The id of the operation.
 * @param at Where the code stands in spec/behaviour.
 */
export function expectRefusal(
  context: Context,
  id: string,
  code: string | undefined,
  at: string,
): void {
  if (!code) return
  const { operations, behaviour, report } = context
  expectNamed(context, 'refusal', behaviour.refusals, code, at)

  const view = operations.get(id)
  if (!view || hasRefusal(view, code)) return
  const codes = view.refusals.map((refusal) => refusal.code)
  const next = didYouMean(code, codes, '; add an example with it to one of them.')
  report(at, `No error response of ${id} shows the code "${code}"${next}`)
}

/** Reports an error code of the catalogue that no example of the contract shows. */
export function expectShown({ operations, report }: Context, code: string, at: string): void {
  const shownCodes = new Set<string>()
  for (const { refusals } of operations.values())
    for (const refusal of refusals) shownCodes.add(refusal.code)
  if (shownCodes.has(code)) return

  const next = didYouMean(code, shownCodes, '; add an example with it to one of them.')
  report(at, `No error response of the contract shows the code "${code}"${next}`)
}

function hasRefusal({ refusals }: OperationView, code: string): boolean {
  return refusals.some((refusal) => refusal.code === code)
}

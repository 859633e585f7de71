/** What the checks of several sections of spec/behaviour share. */
import { pointerOf } from '@partner-payments/contract'
import type { Node } from '../marks.ts'

/** The entries of a section by name; none if it is absent. */
export function entries<Value>(
  record: Readonly<Record<string, Value>> | undefined,
): [name: string, value: Value][] {
  return Object.entries(record ?? {})
}

/** The operation of a place such as `createTransfer#/amount`, or of an id alone. */
export function readOperationId(place: string): string {
  return place.replace(/#.*/, '')
}

/** The values of an enum; none if a schema has no enum. */
export function enumValues(schema: Node): string[] {
  return Array.isArray(schema.enum) ? schema.enum.map(String) : []
}

/** A field that an entry names: where in the entry, and the pointer of the field. */
export type NamedField = readonly [step: string, pointer: string | undefined]

/** The fields of a list: of `[/a, /b]` at `/equal`, these are `/equal/0` and `/equal/1`. */
export function fieldsInList(step: string, pointers: readonly string[] = []): NamedField[] {
  return pointers.map((pointer, index) => [`${step}/${index}`, pointer])
}

/** The fields that are the keys of an object. */
export function fieldsInKeys(step: string, record: object = {}): NamedField[] {
  return Object.keys(record).map((pointer) => [pointerOf(step, pointer), pointer])
}

import { fieldsOf, type Json } from '../json/json.ts'
import { pointerOf } from '../json/pointer.ts'
import { hasCredentialWord } from '../safety/secrets.ts'
import type { DeclaredResource } from './behaviour.ts'
import { branchesOf, schemasAt } from './document.ts'
import type { Operation } from './operation.ts'

/** The most fields that a short program prints. */
const MAX_FIELDS = 2

type Row = Pick<Operation, 'record' | 'success' | 'essential' | 'document'>

/**
 * Chooses which fields of a success a program in a guide prints, as JSON pointers: two at most, such
 * as `/status` and `/id` of a transfer, and never a credential. Essential fields come first, then
 * status and id of the record, then the others. Of a list, they are fields of an item.
 */
export function printedFields(row: Row, resource: DeclaredResource | undefined): string[] {
  const { record, success, document, essential } = row
  if (!success.body) return []

  const { schema } = success.body
  if (record?.isList) {
    const [itemSchema] = schemasAt(document, schema, `${record.pointer}/0`)
    return selectPrintable(document, itemSchema, pointersToStatusAndId(resource))
  }

  // The record may be a part of the body.
  const recordPointer = record?.pointer ?? ''
  const ofRecord = pointersToStatusAndId(resource).map((pointer) => recordPointer + pointer)
  return selectPrintable(document, schema, [...essential, ...ofRecord])
}

function pointersToStatusAndId(resource: DeclaredResource | undefined): string[] {
  return [resource?.status, resource?.id].filter((pointer) => pointer !== undefined)
}

/** The first fields of a schema that a program may print; `preferred` ones come before the others. */
function selectPrintable(document: Json, schema: unknown, preferred: readonly string[]): string[] {
  const candidates = new Set([...preferred, ...topFields(document, schema)])
  const printable = [...candidates].filter(
    (pointer) => !hasCredentialWord(pointer) && isScalarField(document, schema, pointer),
  )
  return printable.slice(0, MAX_FIELDS)
}

function topFields(document: Json, schema: unknown): string[] {
  const branches = branchesOf(document, schema)
  const names = branches.flatMap(({ properties }) => Object.keys(fieldsOf(properties)))
  return names.map((name) => pointerOf('', name))
}

/** Whether a program can print the field in a few characters. */
function isScalarField(document: Json, schema: unknown, pointer: string): boolean {
  const types = schemasAt(document, schema, pointer).flatMap(({ type }) => [type].flat())
  return types.length > 0 && types.every((type) => SCALARS.has(String(type)))
}

/** `undefined` is that of a schema without a type, such as an enum or a constant. */
const SCALARS: ReadonlySet<string> = new Set([
  'string',
  'integer',
  'number',
  'boolean',
  'undefined',
])

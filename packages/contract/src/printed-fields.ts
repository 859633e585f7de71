import type { DeclaredBehaviour } from './behaviour.ts'
import { branchesOf, schemasAt } from './document.ts'
import { fieldsOf, type Json } from './json.ts'
import type { Operation } from './operation.ts'
import { pointerOf } from './pointer.ts'
import { hasCredentialWord } from './secrets.ts'

/** The most fields that a short program prints. */
const MAX_FIELDS = 2

type Row = Pick<Operation, 'resource' | 'record' | 'success' | 'essential' | 'document'>

/**
 * Chooses the fields of a success that a program prints: essential ones, the status and the id of
 * the record, else the first ones. Never a credential. Of a list, they are fields of an item.
 * Returns JSON pointers.
 */
export function printedFields(row: Row, behaviour: DeclaredBehaviour): string[] {
  const { record, success, document, essential } = row
  if (!success.body) return []

  const isList = record?.isList ?? false
  const [schema] = isList
    ? schemasAt(document, success.body.schema, `${record?.pointer}/0`)
    : [success.body.schema]
  const { status, id } = behaviour.resources?.[row.resource ?? ''] ?? {}
  const candidates = isList ? [] : [...essential]
  // The record may be a part of the body.
  const recordPointer = isList ? '' : (record?.pointer ?? '')
  if (status) candidates.push(`${recordPointer}${status}`)
  if (id) candidates.push(`${recordPointer}${id}`)
  candidates.push(...topFields(document, schema))

  const printed = candidates.filter(
    (pointer) => !hasCredentialWord(pointer) && isScalarField(document, schema, pointer),
  )
  return [...new Set(printed)].slice(0, MAX_FIELDS)
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

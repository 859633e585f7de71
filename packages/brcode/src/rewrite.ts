import { decode } from './decode.ts'
import type { EncodeOptions } from './encode-options.ts'
import type { BrCodeFields } from './fields.ts'
import { refuseNamed } from './issue.ts'
import * as rules from './object-rules.ts'
import { writeObject } from './tlv.ts'

/**
 * Writes decoded objects unchanged. Decodes them again first, and refuses fields that differ from
 * them, so that a changed amount, for example, is not ignored.
 */
export function rewrite(fields: BrCodeFields, objects: unknown, options?: EncodeOptions): string {
  if (options?.fit) refuseNamed('fit', 'conflict', 'no objects beside it', options.fit)

  const code = writeObjects(objects)
  const values: Record<string, unknown> = { ...fields }
  for (const [field, written] of Object.entries(decode(code, options))) {
    // `objects`, `ignored` and `issues` are not fields.
    if (typeof written === 'object') continue
    if (isEqual(field, values[field], written)) continue

    const expected = `${JSON.stringify(written) ?? 'nothing'}, as in objects`
    refuseNamed(field, 'conflict', expected, values[field])
  }
  return code
}

const ABSENT_VALUES: Readonly<Record<string, unknown>> = {
  txid: rules.TXID.absentValue,
  merchantCategory: rules.CATEGORY.absentValue,
}

/** Fields that may be absent, since `objects` determine them. */
const OPTIONAL_FIELDS = new Set(['kind', 'account'])

/** Whether a field has the value that its objects have (`written`), or is absent as they say. */
function isEqual(field: string, value: unknown, written: unknown): boolean {
  const isAbsent = value == null || value === ABSENT_VALUES[field]
  if (isAbsent) return written === undefined || OPTIONAL_FIELDS.has(field)
  return value === written
}

/** The text of decoded objects, one after the other. Refuses anything else. */
function writeObjects(objects: unknown): string {
  if (!Array.isArray(objects)) refuseNamed('objects', 'value', 'an array', objects)
  // The ids of two digits are unique in a level.
  if (objects.length > 100) refuseNamed('objects', 'size', 'at most 100', objects.length)
  // Array.from also visits the holes of an array.
  return Array.from(objects, writeOne).join('')
}

/** The text of one decoded object. Refuses anything else, with its index. */
function writeOne(object: unknown, index: number): string {
  const { id, value } = readIdAndValue(object)
  const hasId = typeof id === 'string' && /^\d\d$/.test(id)
  if (!hasId || typeof value !== 'string')
    refuseNamed(`objects[${index}]`, 'value', 'an id of two digits and a value', object)

  return writeObject({ id, value })
}

/** The id and the value of an object of any type, since untyped programs may pass anything. */
function readIdAndValue(object: unknown): { readonly id?: unknown; readonly value?: unknown } {
  if (typeof object !== 'object' || object === null) return {}
  return object
}

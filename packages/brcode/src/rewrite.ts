import { decode } from './decode.ts'
import type { EncodeOptions } from './encode-options.ts'
import type { BrCodeFields } from './fields.ts'
import { refuseNamed } from './issue.ts'
import * as rules from './object-rules.ts'
import { writeObject } from './tlv.ts'

/**
 * Writes decoded objects unchanged. Decodes them again first, so that a changed field, such as an
 * amount, is not ignored.
 */
export function rewrite(fields: BrCodeFields, objects: unknown, options?: EncodeOptions): string {
  if (options?.fit) refuseNamed('fit', 'conflict', 'no objects beside it', options.fit)
  const code = textOf(objects)
  const values: Record<string, unknown> = { ...fields }
  for (const [field, written] of Object.entries(decode(code, options))) {
    if (typeof written === 'object' || isEqual(field, values[field], written)) continue
    refuseNamed(
      field,
      'conflict',
      `${JSON.stringify(written) ?? 'nothing'}, as in objects`,
      values[field],
    )
  }
  return code
}

const BLANKS: Readonly<Record<string, unknown>> = {
  txid: rules.TXID.blank,
  merchantCategory: rules.CATEGORY.blank,
}

/**
 * A blank equals an absent field. `kind` and `account` are optional, since `objects` determine
 * them.
 */
function isEqual(field: string, value: unknown, written: unknown): boolean {
  const present = value === BLANKS[field] ? undefined : (value ?? undefined)
  return present === written || (present === undefined && /^(kind|account)$/.test(field))
}

// The ids of two digits are unique in a level, so there are at most 100.
function textOf(objects: unknown): string {
  if (!Array.isArray(objects)) refuseNamed('objects', 'value', 'an array', objects)
  if (objects.length > 100) refuseNamed('objects', 'size', 'at most 100', objects.length)
  return Array.from(objects, textOfOne).join('')
}

function textOfOne(object: unknown, index: number): string {
  const { id, value } = Object(object)
  if (typeof id !== 'string' || !/^\d\d$/.test(id) || typeof value !== 'string')
    refuseNamed(`objects[${index}]`, 'value', 'an id of two digits and a value', object)
  return writeObject({ id, value })
}

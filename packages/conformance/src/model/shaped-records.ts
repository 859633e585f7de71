import { type Finding, stepsOf } from '@partner-payments/validator'
import type { ShownRecord } from '../contract/kinds.ts'
import type { Exchange } from './exchange.ts'

/** A response, and where it differs from the contract. */
interface ComparedResponse extends Pick<Exchange, 'operation' | 'status' | 'differences'> {
  /** Pointers into the body to values that are not known. */
  readonly unknown: readonly string[]
}

/**
 * The records of a response with the fields that rules can compare. A field is left out if the contract
 * declares another type for it, or no such field, or if a part of it is missing in the history: where
 * `/data/0/payer` is a number, the record at `/data/0` has no `payer`. A record inside such a value is left out.
 */
export function keepShapedFields(
  records: readonly ShownRecord[],
  { operation, status, differences, unknown }: ComparedResponse,
): ShownRecord[] {
  if (!operation) return []

  // Such as `['/data/0/payer']`.
  const unusablePointers = [...listShapeDifferences(differences), ...unknown]
  const unusableValues = new Set(unusablePointers)
  // Such as `'/data/0' => ['payer']`.
  const unusableFieldsByPlace = groupFieldsByPlace(unusablePointers)

  const shapedRecords: ShownRecord[] = []
  for (const record of records) {
    const { at: recordPointer } = record
    const valuesAround = listAncestors(recordPointer)
    if (valuesAround.some((pointer) => unusableValues.has(pointer))) continue

    const unusableFields = unusableFieldsByPlace.get(recordPointer) ?? new Set()
    const usableFields = Object.entries(record.fields).filter(([name]) => {
      if (unusableFields.has(name)) return false
      const declared = operation.field(status, `${recordPointer}/${name}`)
      return declared !== undefined
    })
    shapedRecords.push({ ...record, fields: Object.fromEntries(usableFields) })
  }
  return shapedRecords
}

/** The pointers of values in a body that have another shape than declared. */
function listShapeDifferences(differences: readonly Finding[]): readonly string[] {
  const pointers: string[] = []
  for (const difference of differences) {
    // Another word for an enum value has the right shape: it is compared, and may be translated.
    if (difference.place !== 'body' || isOtherWord(difference)) continue
    pointers.push(difference.pointer)
  }
  return pointers
}

/**
 * The fields to which pointers lead, by each place around them: `/data/0/payer/name` gives `payer` for
 * the place `/data/0`, and `name` for `/data/0/payer`. A map, since a list may have hundreds of thousands
 * of records.
 */
function groupFieldsByPlace(pointers: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byPlace = new Map<string, Set<string>>()
  for (const pointer of pointers) {
    for (const place of listAncestors(pointer)) {
      const [field = ''] = stepsOf(pointer.slice(place.length))
      const fields = byPlace.get(place) ?? new Set()
      byPlace.set(place, fields.add(field))
    }
  }
  return byPlace
}

/** The pointers to what is around a value: of `/data/0` these are the empty one and `/data`. */
function listAncestors(pointer: string): string[] {
  const places: string[] = []
  for (let end = 0; end < pointer.length; end++) {
    if (pointer[end] === '/') places.push(pointer.slice(0, end))
  }
  return places
}

/** Keywords that say how a value of the right type is written. */
const KEYWORDS_OF_WRITING: ReadonlySet<string> = new Set(['enum', 'const', 'pattern', 'format'])

/** Whether a value differs only in how it is written, which the contract assumes. */
function isOtherWord({ keyword, question }: Finding): boolean {
  return question !== undefined && KEYWORDS_OF_WRITING.has(keyword)
}

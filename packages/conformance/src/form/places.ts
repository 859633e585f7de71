import { tryDecode } from '@partner-payments/brcode'
import { pointerOf, stepsOf } from '@partner-payments/validator'
import type { Operation } from '../contract/contract.ts'
import { fieldsOf, isSameValue, leavesOf, valueAt } from '../contract/json.ts'
import { hasId, type ServiceForm } from './service-form.ts'

/** A successful request with the JSON of its response, as the service wrote it. */
interface Success {
  readonly status: number
  readonly requestBody: unknown
  readonly untranslatedBody: unknown
}

/**
 * Learns from an accepted request where the response shows its record, or the records of a list, if that
 * is not the declared place. From a creation, it also learns under which names the record shows what
 * was sent.
 */
export function learnPlaces(operation: Operation, success: Success, form: ServiceForm): void {
  const { record, resource, isAlias } = operation
  // The shorter path of an operation shows fewer fields.
  if (!record || resource === undefined || isAlias) return

  if (record.isList) learnItems(operation, success, form)
  else learnRecord(operation, success, form)
  if (operation.role === 'create') learnFields(operation, success, form)
}

/**
 * Learns where a list shows its records, if none are at the declared place: the only array of records.
 * On an empty page it is the only array, until a page shows records elsewhere.
 */
function learnItems(
  { id, record }: Operation,
  { untranslatedBody }: Success,
  form: ServiceForm,
): void {
  const isAtPlace = Array.isArray(valueAt(untranslatedBody, record?.pointer ?? ''))
  if (isAtPlace) return

  const places = findPlaces(untranslatedBody, isListOfRecords)
  const arrays = findPlaces(untranslatedBody, Array.isArray)
  const isEmptyPage =
    places.length === 0 && arrays.every((at) => isEmptyArray(valueAt(untranslatedBody, at)))
  const [place, ...others] = isEmptyPage ? arrays : places
  if (place === undefined || others.length > 0) return

  // What an empty page shows is a guess, which never replaces a place, and which records replace.
  const learned = { name: `list/items/${id}`, value: place, question: 'paging' }
  if (isEmptyPage) form.learnPlace(learned)
  else form.relearnPlace(learned)
}

/**
 * Learns where a response shows its record, such as `/result`: at the only object with an id, if the
 * declared place has none.
 */
function learnRecord(
  operation: Operation,
  { untranslatedBody, status }: Success,
  form: ServiceForm,
): void {
  const isAtDeclaredPlace = hasId(valueAt(untranslatedBody, operation.record?.pointer ?? ''))
  if (isAtDeclaredPlace) return
  const [place, ...others] = findPlaces(untranslatedBody, hasId)
  // An envelope may have an id of its own, without its record.
  if (place === undefined || place === '' || others.length > 0) return
  form.learnPlace({
    name: `place/${operation.resource}`,
    value: place,
    question: findPlaceQuestion(operation, status, '/id'),
  })
}

/** Finds the question about what a response shows at a place. */
function findPlaceQuestion({ record, field }: Operation, status: number, pointer: string): string {
  return field(status, (record?.pointer ?? '') + pointer)?.question ?? 'values-shown'
}

function isListOfRecords(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(hasId)
}

function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

/** Records are looked for in so many levels of a response. */
const MAX_LEVELS = 2

/**
 * Finds the values for which `isWanted` is true, and returns their pointers: `['/data/record']`. Does not
 * look inside such a value, nor inside arrays.
 *
 * @param at The pointer of `value`.
 * @param level How deep `value` is in the response.
 */
function findPlaces(
  value: unknown,
  isWanted: (value: unknown) => boolean,
  at = '',
  level = 0,
): string[] {
  if (isWanted(value)) return [at]
  if (level === MAX_LEVELS || Array.isArray(value)) return []
  return Object.entries(fieldsOf(value)).flatMap(([name, field]) =>
    findPlaces(field, isWanted, pointerOf(at, name), level + 1),
  )
}

/** A field of the contract that can be recognized by its value, wherever it is. */
interface RecognizableField {
  readonly pointer: string
  readonly isValue: (value: unknown) => boolean
}

/**
 * Learns under which other name a new record shows a field: the request sent a value, its field is missing
 * in the record, and exactly one undeclared field of the record has that value.
 */
function learnFields(operation: Operation, success: Success, form: ServiceForm): void {
  const { pointer: recordPointer = '' } = operation.record ?? {}
  const record = valueAt(
    form.moveToDeclaredPlaces(operation, success.untranslatedBody),
    recordPointer,
  )
  if (!hasId(record)) return

  const isDeclared = (pointer: string) =>
    operation.field(success.status, recordPointer + pointer) !== undefined
  const undeclared = leavesOf(record).filter(([pointer]) => !isDeclared(pointer))
  const missing = listRecognizableFields(success.requestBody).filter(
    ({ pointer }) => isDeclared(pointer) && valueAt(record, pointer) === undefined,
  )
  for (const { pointer, isValue } of missing) {
    const [match, ...others] = undeclared.filter(([, value]) => isValue(value))
    if (!match || others.length > 0) continue

    // Two missing fields with the same value could both be meant.
    const [place, value] = match
    const isOnlyMeaning = missing.filter((field) => field.isValue(value)).length === 1
    if (!isOnlyMeaning) continue
    form.learnPlace({
      name: `place/${operation.resource}${pointer}`,
      value: place,
      question: findPlaceQuestion(operation, success.status, pointer),
    })
  }
}

/**
 * Lists the fields that can be recognized by their value, wherever the response shows them: the payment
 * code, whose form is its own, and the long strings of the request. Each has a function that says whether
 * a value is that of the field.
 */
function listRecognizableFields(sent: unknown): RecognizableField[] {
  const sentTexts = leavesOf(fieldsOf(sent)).filter(
    ([pointer, value]) =>
      typeof value === 'string' && value.length >= MIN_LENGTH && !isDeep(pointer),
  )
  return [
    { pointer: '/emv', isValue: isPaymentCode },
    ...sentTexts.map(([pointer, value]) => ({
      pointer,
      isValue: (shown: unknown) => isSameValue(value, shown),
    })),
  ]
}

/** Shorter values may be equal by chance. */
const MIN_LENGTH = 4

/** Whether a field is so deep that it is in an array, or in a part that not every record has. */
function isDeep(pointer: string): boolean {
  return stepsOf(pointer).length > MAX_LEVELS
}

function isPaymentCode(value: unknown): boolean {
  return typeof value === 'string' && tryDecode(value, { profile: 'lenient' }).ok
}

import { tryDecode } from '@partner-payments/brcode'
import { pointerOf, stepsOf } from '@partner-payments/validator'
import type { Operation } from '../contract/contract.ts'
import {
  createComparison,
  fieldsOf,
  findOnlyItem,
  isObject,
  listFirstLeaves,
  listItems,
  valueAt,
} from '../contract/json.ts'
import { hasDeclaredId, type ServiceForm } from './service-form.ts'

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

  const declaredValue = valueAt(success.untranslatedBody, record.pointer)
  if (record.isList) learnIdFromList(operation, success, form)
  if (record.isList && !Array.isArray(declaredValue)) learnItems(operation, success, form)
  if (!record.isList && !form.hasId(resource, declaredValue)) learnRecord(operation, success, form)
  if (operation.role === 'cancel') learnStatus(operation, success, form)
  if (operation.role !== 'create') return

  learnFields(operation, success, form)
  noteUnfound(operation, success, form)
}

/** Learns the name of the id of records without an `id`: from a list that shows created records again. */
function learnIdFromList(operation: Operation, success: Success, form: ServiceForm): void {
  const { resource = '' } = operation
  const { status, untranslatedBody } = success
  if (form.findIdPlace(resource) !== undefined) return

  for (const place of findPlaces(untranslatedBody, isListOfObjects)) {
    const items = valueAt(untranslatedBody, place)
    const name = form.unnamedFields.findIdName(resource, listItems(items))
    if (name === undefined) continue
    form.learnPlace({
      name: `place/${resource}/id`,
      value: pointerOf('', name),
      question: findPlaceQuestion(operation, status, '/0'),
    })
    return
  }
}

/** Learns the name of the status, from a record that a cancellation shows. */
function learnStatus(operation: Operation, success: Success, form: ServiceForm): void {
  const { resource = '', record: { pointer = WHOLE_BODY } = {} } = operation
  const { status, untranslatedBody } = success
  const shown = fieldsOf(valueAt(form.moveToDeclaredPlaces(operation, untranslatedBody), pointer))
  if (shown.status !== undefined) return

  const name = form.unnamedFields.findStatusName(resource, shown)
  if (name === undefined) return
  form.learnPlace({
    name: `place/${resource}/status`,
    value: pointerOf('', name),
    // Which fields a record has is one question. That of the status is about its words.
    question: findPlaceQuestion(operation, status, WHOLE_RECORD),
  })
}

/** Whether a value is an array of objects without an `id`. */
function isListOfObjects(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false
  return value.every((item) => isObject(item) && !hasDeclaredId(item))
}

/** Learns where a list shows its records: `/items` from `{ items: [{ id: 'k1' }] }`, the only array of records. */
function learnItems(operation: Operation, { untranslatedBody }: Success, form: ServiceForm): void {
  const { id, resource = '' } = operation
  const learned = { name: `list/items/${id}`, question: 'paging' }
  const isRecord = (value: unknown) => form.hasId(resource, value)
  const placesOfRecords = findPlaces(
    untranslatedBody,
    (value) => Array.isArray(value) && value.length > 0 && value.every(isRecord),
  )
  if (placesOfRecords.length > 0) {
    // Of several arrays of records, it is not known which is the list.
    const place = findOnlyItem(placesOfRecords)
    if (place !== undefined) form.relearnPlace({ ...learned, value: place })
    return
  }

  // On a page without records, the only array is a guess. It never replaces a place, and a later page may replace it.
  const place = findOnlyItem(findPlaces(untranslatedBody, Array.isArray))
  const isEmptyPage = place !== undefined && isEmptyArray(valueAt(untranslatedBody, place))
  if (isEmptyPage) form.learnPlace({ ...learned, value: place })
}

/**
 * Learns where a response shows its record, such as `/result`: at the only object with an id. If none has one, a new
 * record is the only object that shows its payment code, or what was sent.
 */
function learnRecord(operation: Operation, success: Success, form: ServiceForm): void {
  const { resource = '', role } = operation
  const { untranslatedBody, status, requestBody } = success
  const placesWithId = findPlaces(untranslatedBody, (value) => form.hasId(resource, value))
  const isWithoutId = placesWithId.length === 0 && role === 'create'
  const isSame = createComparison()
  const places = isWithoutId
    ? findPlaces(untranslatedBody, (value) => showsCreated(value, requestBody, isSame))
    : placesWithId
  const place = findOnlyItem(places)
  if (place === undefined) return
  // `{ id: 'request-1', … }`: what is around a record may have an id of its own.
  const isWholeBody = place === WHOLE_BODY
  if (isWholeBody) return

  form.learnPlace({
    name: `place/${operation.resource}`,
    value: place,
    question: findPlaceQuestion(operation, status, WHOLE_RECORD),
  })
}

/** The pointer of a record, from itself. */
const WHOLE_RECORD = ''

/**
 * Finds the open question about a record, or about a field of one.
 *
 * @param pointer That of the field, from the record.
 */
function findPlaceQuestion(operation: Operation, status: number, pointer: string): string {
  const recordPointer = operation.record?.pointer ?? WHOLE_BODY
  const declared = operation.field(status, recordPointer + pointer)
  return declared?.question ?? 'values-shown'
}

function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

/** Records are looked for in so many levels of a response. */
const MAX_LEVELS = 2

/**
 * Finds the objects and arrays for which `isWanted` is true, and returns their pointers: `['/data/record']`.
 * Does not look inside such a value, nor inside arrays.
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

  // Records and lists are objects: the pointers of other values would take most of the time.
  const inside = Object.entries(fieldsOf(value)).filter(([, field]) => typeof field === 'object')
  return inside.flatMap(([name, field]) =>
    findPlaces(field, isWanted, pointerOf(at, name), level + 1),
  )
}

/** A field of the contract that can be recognized by its value, wherever it is. */
interface RecognizableField {
  readonly pointer: string
  readonly isValue: (value: unknown) => boolean
}

/**
 * Learns under which other name a new record shows a field that is missing in it: the name of the only
 * undeclared field with its value. If `{ description: 'Rent' }` was sent and `{ id: 't1', note: 'Rent' }` is shown,
 * the place of `/description` is `/note`.
 */
function learnFields(operation: Operation, success: Success, form: ServiceForm): void {
  const { status, requestBody, untranslatedBody } = success
  const recordPointer = operation.record?.pointer ?? WHOLE_BODY
  const body = form.moveToDeclaredPlaces(operation, untranslatedBody)
  const record = valueAt(body, recordPointer)
  const isSame = createComparison()
  const isRecord =
    form.hasId(operation.resource ?? '', record) || showsCreated(record, requestBody, isSame)
  if (!isRecord) return

  const isDeclared = (pointer: string) =>
    operation.field(status, recordPointer + pointer) !== undefined
  const isMissing = (pointer: string) => valueAt(record, pointer) === undefined
  // What the response should show of the request, and does not show where the contract declares it.
  const missingFields = listRecognizableFields(requestBody, isSame).filter(
    ({ pointer }) => isDeclared(pointer) && isMissing(pointer),
  )
  if (missingFields.length === 0) return

  // What it shows elsewhere, such as `[['/note', 'Rent']]`.
  const leaves = listFirstLeaves(record, MAX_COMPARED, isComparable)
  const undeclaredValues = leaves.filter(([pointer]) => !isDeclared(pointer))
  for (const field of missingFields) {
    const place = findShownPlace(field, undeclaredValues, missingFields)
    if (place === undefined) continue

    form.learnPlace({
      name: `place/${operation.resource}${field.pointer}`,
      value: place,
      question: findPlaceQuestion(operation, status, field.pointer),
    })
  }
}

/**
 * Notes what a new record does not show where it is looked for: its id, whose name a list may tell later, and its
 * payment code. The result of a run names these, since much builds on them.
 */
function noteUnfound(operation: Operation, success: Success, form: ServiceForm): void {
  const { resource = '', record: { pointer: recordPointer = WHOLE_BODY } = {} } = operation
  const isDeclared = (pointer: string) =>
    operation.field(success.status, recordPointer + pointer) !== undefined
  const record = valueAt(
    form.moveToDeclaredPlaces(operation, success.untranslatedBody),
    recordPointer,
  )

  for (const pointer of ['/id', '/emv']) {
    if (isDeclared(pointer))
      form.noteShown(resource, pointer, valueAt(record, pointer) !== undefined)
  }
  const undeclared = Object.entries(fieldsOf(record)).filter(
    ([name]) => !isDeclared(pointerOf('', name)),
  )
  form.unnamedFields.noteCreation(resource, Object.fromEntries(undeclared), success.requestBody)
}

/**
 * Finds the only undeclared place that has the value of a missing field. Undefined if there is none or several,
 * or if the value there may as well be that of another missing field.
 */
function findShownPlace(
  field: RecognizableField,
  undeclaredValues: readonly (readonly [pointer: string, value: unknown])[],
  missingFields: readonly RecognizableField[],
): string | undefined {
  const match = findOnlyItem(undeclaredValues.filter(([, value]) => field.isValue(value)))
  if (!match) return undefined

  const [place, value] = match
  const mayBeOther = missingFields.some((other) => other !== field && other.isValue(value))
  return mayBeOther ? undefined : place
}

const WHOLE_BODY = ''

/** Compares a value that was sent with one that is shown. Each is compared with many. */
type IsSame = ReturnType<typeof createComparison>

/**
 * Lists the fields that can be recognized by their value, wherever the response shows them: the payment
 * code, whose form is its own, and the long strings of the request. Each has a function that says whether
 * a value is that of the field.
 */
function listRecognizableFields(sent: unknown, isSame: IsSame): RecognizableField[] {
  const fields: RecognizableField[] = [{ pointer: '/emv', isValue: isPaymentCode }]
  for (const [pointer, value] of listFirstLeaves(fieldsOf(sent), MAX_COMPARED, isLongText)) {
    if (isDeep(pointer)) continue
    fields.push({ pointer, isValue: (shown) => isSame(value, shown) })
  }
  return fields
}

/** So many values of a request, and of a record, are compared: each with each. A record has a few dozen. */
const MAX_COMPARED = 2_000

/** Whether a shown value can be one that was sent, which is a string. */
function isComparable(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
}

/** Shorter values may be equal by chance. */
const MIN_LENGTH = 4

function isLongText(value: unknown): boolean {
  return typeof value === 'string' && value.length >= MIN_LENGTH
}

/** Whether a field is so deep that it is in an array, or in a part that not every record has. */
function isDeep(pointer: string): boolean {
  return stepsOf(pointer).length > MAX_LEVELS
}

/** Whether an object shows a payment code, or what was sent, in a field of its own. */
function showsCreated(value: unknown, requestBody: unknown, isSame: IsSame): boolean {
  if (!isObject(value)) return false
  const fields = Object.values(value).slice(0, MAX_COMPARED)
  if (fields.some(isPaymentCode)) return true

  const sentTexts = Object.values(fieldsOf(requestBody)).slice(0, MAX_SENT).filter(isLongText)
  return sentTexts.some((sent) => fields.some((shown) => isSame(sent, shown)))
}

/** So many fields of a request are compared to recognize a record. */
const MAX_SENT = 50

function isPaymentCode(value: unknown): boolean {
  return typeof value === 'string' && tryDecode(value, { profile: 'lenient' }).ok
}

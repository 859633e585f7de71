import { fieldsOf, findOnlyItem, type Json, listFirstLeaves } from '../contract/json.ts'

/** What a creation has shown in the fields of its record that may be its id or its status, by their names. */
type Candidates = Readonly<Record<string, string>>

/** So many creations of a resource are remembered, and so many fields of each. */
const MAX_CREATIONS = 20
const MAX_FIELDS = 100
/** So many strings of a request are compared with what its response shows. */
const MAX_SENT = 2_000

/**
 * Finds the fields with the id and the status of records that show them under other names: `number` and `state` of
 * `{ number: 'c1', state: 'open' }`. The id is the only field whose value was not sent, differs in each new record,
 * and is shown again by the list. The status is the only one with the same word in all new records, and another one
 * after a cancellation.
 */
export class UnnamedFields {
  readonly #creationsByResource = new Map<string, Candidates[]>()

  /**
   * Remembers what a creation shows that may be an id or a status.
   *
   * @param fields The fields of the new record that the contract does not declare.
   */
  noteCreation(resource: string, fields: Json, requestBody: unknown): void {
    const creations = this.#creationsByResource.get(resource) ?? []
    if (creations.length === MAX_CREATIONS) return

    const candidates = listCandidates(fields, requestBody)
    // Both the sender and the reader of a run see each response.
    const isKnown = creations.some((other) => JSON.stringify(other) === JSON.stringify(candidates))
    if (!isKnown) this.#creationsByResource.set(resource, [...creations, candidates])
  }

  /** Finds the name of the field with the id, from the records of a list. Undefined if none or several may be it. */
  findIdName(resource: string, items: readonly unknown[]): string | undefined {
    const creations = this.#creationsByResource.get(resource) ?? []
    const names = new Set(creations.flatMap((candidates) => Object.keys(candidates)))
    return findOnlyItem([...names].filter((name) => isIdOf(name, creations, items)))
  }

  /** Finds the name of the field with the status, from a record that was cancelled. Undefined if none or several may be it. */
  findStatusName(resource: string, cancelled: Json): string | undefined {
    const creations = this.#creationsByResource.get(resource) ?? []
    if (creations.length < MIN_CREATIONS) return undefined
    const [first = {}] = creations
    return findOnlyItem(Object.keys(first).filter((name) => isStatusOf(name, creations, cancelled)))
  }
}

/** Whether a field has one word in all new records, and another one in a record that was cancelled. */
function isStatusOf(name: string, creations: readonly Candidates[], cancelled: Json): boolean {
  const words = new Set(creations.map((candidates) => candidates[name]))
  const [created] = words
  const shown = cancelled[name]
  return words.size === 1 && isWord(created) && isWord(shown) && shown !== created
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && /^[A-Za-z_-]{2,50}$/.test(value)
}

/** Whether a field has another value in each new record, and in each item of a list, which has some of these records. */
function isIdOf(
  name: string,
  creations: readonly Candidates[],
  items: readonly unknown[],
): boolean {
  const createdValues = creations.map((candidates) => candidates[name])
  const listedValues = items.map((item) => fieldsOf(item)[name])
  const areStrings = [...createdValues, ...listedValues].every((each) => typeof each === 'string')
  const areUnique = hasNoRepeated(createdValues) && hasNoRepeated(listedValues)
  if (!areStrings || !areUnique) return false

  const listed = new Set(listedValues)
  return createdValues.filter((value) => listed.has(value)).length >= MIN_LISTED
}

/** One value may be shown again by chance. */
const MIN_LISTED = 2
const MIN_CREATIONS = 2

function hasNoRepeated(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length
}

/** The fields of a new record that may be its id: with a short string that was not sent, and is no time, amount or URL. */
function listCandidates(fields: Json, requestBody: unknown): Candidates {
  const isText = (value: unknown) => typeof value === 'string'
  const sentLeaves = listFirstLeaves(requestBody, MAX_SENT, isText)
  const sentValues = new Set(sentLeaves.map(([, value]) => value))

  const candidates: Record<string, string> = {}
  for (const [name, value] of Object.entries(fields).slice(0, MAX_FIELDS)) {
    if (typeof value !== 'string' || sentValues.has(value)) continue
    const mayBeId = /^[\w.:~-]{1,100}$/.test(value) && !DATE_OR_AMOUNT.test(value)
    if (mayBeId) candidates[name] = value
  }
  return candidates
}

const DATE_OR_AMOUNT = /^(\d{4}-\d\d-\d\d([T ].*)?|\d+\.\d+)$/

import { endOfString, isTooDeep, type Json, parsedJson, repeatsAnyField } from './json.ts'

/** A body of a message, as far as rules read it. */
export interface Body {
  /**
   * The JSON, without the fields that `leftOut` counts. Undefined if the text is no JSON, or is not read.
   */
  readonly json: unknown
  /** Whether no rule reads it: it is nested too deeply, or has too many values. */
  readonly isUnread: boolean
  /** How many fields were left out: the body has too many that the contract does not name, or their paths are too long. */
  readonly leftOut: number
  /** Whether the text is JSON in which an object has a field twice. */
  repeatsAnyField(): boolean
}

/** Reads the text of a body. The same text gives the same body: do not change its JSON. */
export type ReadBody = (text: string) => Body

/**
 * So many fields of a body are read that the contract names nowhere. A body of 2 MB may have 200,000, and many rules
 * and parts of the model go through all fields.
 */
export const MAX_UNNAMED_FIELDS = 2_000

/**
 * Characters of a path, that is of the names of a field and of all fields around it. The contract has no path that is
 * a tenth as long, and no report could show a longer one. Without this limit, the paths of the fields of a body of 2 MB
 * could have a million characters each.
 */
export const MAX_PATH_LENGTH = 2_000
/** A shorter text has neither so many fields nor many long paths. */
const MIN_LARGE_LENGTH = 10_000
/** The texts of one exchange, a request and its response, are read several times. */
const MAX_REMEMBERED = 2
/** Most requests have no body. */
const NO_BODY: Body = { json: undefined, isUnread: false, leftOut: 0, repeatsAnyField: () => false }
const UNREAD_BODY: Body = { ...NO_BODY, isUnread: true }

/**
 * Creates the function that reads bodies. It parses a text once, although several parts of the checker read it.
 *
 * @param document The contract. Fields whose names stand anywhere in it are read, however many a body has.
 */
export function createBodyReader(document: object): ReadBody {
  const lastBodies = new Map<string, Body>()
  let declaredNames: ReadonlySet<string> | undefined

  function read(text: string): Body {
    const json = parsedJson(text)
    const isUnread = json === undefined ? isTooDeep(text) : hasTooManyValues(text)
    if (isUnread) return UNREAD_BODY

    if (text.length < MIN_LARGE_LENGTH || !hasAnyField(text))
      return createBody(text, { json, leftOut: 0 })

    declaredNames ??= collectNames(document)
    return createBody(text, withoutExcess(json, declaredNames))
  }

  return (text) => {
    if (text === '') return NO_BODY
    const remembered = lastBodies.get(text)
    if (remembered) return remembered

    const body = read(text)
    lastBodies.set(text, body)
    const [oldest] = lastBodies.keys()
    if (lastBodies.size > MAX_REMEMBERED && oldest !== undefined) lastBodies.delete(oldest)
    return body
  }
}

/** Whether a text of JSON may have a field. A list of lists has none, and a million of them take long to go through. */
function hasAnyField(text: string): boolean {
  return text.includes(':')
}

/** The JSON that is read of a body, and how many of its fields were left out. */
type ReadJson = Pick<Body, 'json' | 'leftOut'>

function createBody(text: string, { json, leftOut }: ReadJson): Body {
  let repeats: boolean | undefined
  return {
    json,
    leftOut,
    isUnread: false,
    repeatsAnyField() {
      repeats ??= json !== undefined && repeatsAnyField(text)
      return repeats
    },
  }
}

/**
 * So many values of a body are read. A body of 2 MB may have a million, in which many rules and parts of the model look
 * for ids, and whole records take more than twenty characters for each value.
 */
export const MAX_VALUES = 80_000
/** An object counts as so many values, because it may be a record, which takes more time than any other value. */
export const VALUES_OF_OBJECT = 4

/** Whether JSON has too many values. Each one but the first follows a comma or an opening bracket. */
function hasTooManyValues(text: string): boolean {
  if (text.length <= MAX_VALUES) return false

  let count = 0
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    // What stands in a string separates no values.
    if (character === '"') i = endOfString(text, i) - 1
    else if (character === '{') count += VALUES_OF_OBJECT
    else if (character === ',' || character === '[') count++
    if (count > MAX_VALUES) return true
  }
  return false
}

/** Collects the names of all fields of a document, at any depth. */
function collectNames(document: object): ReadonlySet<string> {
  const names = new Set<string>()
  const waiting: object[] = [document]
  for (const node of waiting) {
    for (const [name, value] of Object.entries(node)) {
      if (!Array.isArray(node)) names.add(name)
      if (isObjectOrArray(value)) waiting.push(value)
    }
  }
  return names
}

/**
 * Copies a value without the fields that the contract does not name, but for the first `MAX_UNNAMED_FIELDS` of them, at
 * whatever depth, and without all fields whose path is too long.
 */
function withoutExcess(value: unknown, declaredNames: ReadonlySet<string>): ReadJson {
  let unnamed = 0
  let leftOut = 0
  const json = copy(value, 0)
  return { json, leftOut }

  /** @param lengthAround The length of the path to this part. */
  function copy(part: unknown, lengthAround: number): unknown {
    if (!isObjectOrArray(part)) return part
    if (Array.isArray(part)) return part.map((item) => copy(item, lengthAround))

    const kept: [name: string, field: unknown][] = []
    for (const name in part) {
      const isNamed = declaredNames.has(name)
      if (!isNamed) unnamed++
      const pathLength = lengthAround + name.length
      const isRead = isNamed || unnamed <= MAX_UNNAMED_FIELDS
      if (isRead && pathLength <= MAX_PATH_LENGTH) kept.push([name, copy(part[name], pathLength)])
      else leftOut++
    }
    // Unlike an assignment, this keeps a field `__proto__`.
    return Object.fromEntries(kept)
  }
}

function isObjectOrArray(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}

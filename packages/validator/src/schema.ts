import {
  expected,
  expectedOneOf,
  expectedTypes,
  keywordMark,
  kindOf,
  pointerOf,
  stepsOf,
  wholeMark,
} from '@partner-payments/contract'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import {
  type Cursor,
  findProperty,
  followReferences,
  hasReference,
  questionOfKeyword,
} from './cursor.ts'
import { ContractError, compilePattern } from './document.ts'
import { type Finding, finding, type Place } from './finding.ts'
import { formats } from './formats.ts'
import { isObjectOrArray, ownProperty } from './json.ts'
import { limitErrors } from './limit-errors.ts'
import { createViews, type Replacement, type View, type Views } from './views.ts'

/** The location of a value in a message. */
export interface Location {
  readonly place: Place
  readonly pointer: string
}

/** Validates a value by a schema, which is compiled on first use. */
export type Check = (value: unknown, location: Location) => Finding[]

/** The document and its checks, of which each schema has one. */
export interface SchemaContext {
  readonly root: Cursor
  readonly checks: (schema: Cursor) => Check
}

/** An error of ajv with the schema that contains the failed keyword. */
type AjvError = ErrorObject<string, Readonly<Record<string, unknown>>>

/** Maximum nesting of arrays and objects, which limits the validation of recursive schemas. */
const MAX_DEPTH = 64

/**
 * Creates the function that returns the check of a schema. A check returns the findings of a value,
 * none if it is valid.
 *
 * What ajv compiles is a view: a copy of the schema without annotations. `views` knows the place in
 * the document and the open question of each part of a view.
 */
export function createChecks(root: Cursor): SchemaContext['checks'] {
  const views = createViews(root)
  const checks = new WeakMap<Cursor, Check>()
  // One for all schemas, so that they share the code of common references.
  let ajv: Ajv2020 | undefined

  /**
   * The check of a schema. The schema is copied at once, which refuses an invalid one, and compiled
   * at the first value.
   */
  function createCheck(schema: Cursor): Check {
    const view = views.createView(schema)
    let validate: ValidateFunction | undefined
    return (value, location) => {
      if (isTooDeep(value)) return [tooDeep(schema, location)]
      validate ??= compile(schema, view)
      if (validate(value)) return []

      const errors = selectRelevantErrors((validate.errors ?? []) as AjvError[])
      const findings = errors.map((error) => toFinding(root, views, error, location))
      return sortFindings(value, withoutDuplicates(findings), location.pointer)
    }
  }

  /** Compiles a view, and the views that it refers to by name. */
  function compile({ pointer }: Cursor, view: View): ValidateFunction {
    ajv ??= createAjv()
    try {
      for (const named of views.takeNamedViews()) ajv.addSchema(named.view, named.name)
      return ajv.compile(view)
    } catch (cause) {
      throw new ContractError(pointer, `must be a schema: ${(cause as Error).message}`, { cause })
    }
  }

  return (schema) => {
    const check = checks.get(schema) ?? createCheck(schema)
    checks.set(schema, check)
    return check
  }
}

/** The compiler of all schemas of a document, with the options that this package relies on. */
function createAjv(): Ajv2020 {
  return new Ajv2020({
    strict: false,
    // JSON.parse turns 1e400 into Infinity, which JSON.stringify turns into null.
    strictNumbers: true,
    allErrors: true,
    verbose: true,
    messages: false,
    validateSchema: false,
    logger: false,
    ownProperties: true,
    formats,
    // ajv's optimizer takes a third of the compile time and does not speed up validation.
    code: {
      // With the name of the function in the code that ajv generates.
      regExp: Object.assign(regExp, { code: 'regExp' }),
      // Changes that code.
      process: limitErrors,
      optimize: false,
    },
  })
}

/** Matches no string. */
const NEVER = /(?!)/

function regExp(pattern: string): RegExp {
  return compilePattern(pattern) ?? NEVER
}

/**
 * Whether a value is nested deeper than the maximum. True for a circular value.
 *
 * @param left How many levels may follow.
 */
function isTooDeep(value: unknown, left = MAX_DEPTH): boolean {
  if (!isObjectOrArray(value)) return false
  if (left === 0) return true
  if (Array.isArray(value)) return value.some((item) => isTooDeep(item, left - 1))

  // Iterates without creating an array, since this runs for every message.
  for (const key in value) {
    if (isTooDeep(value[key], left - 1)) return true
  }
  return false
}

function tooDeep({ pointer, question }: Cursor, location: Location): Finding {
  const message = `expected at most ${MAX_DEPTH} levels, got more`
  return finding({ ...location, contract: pointer, keyword: 'depth', message }, question)
}

/**
 * The errors without those that only follow from others: a number in place of a string has the
 * error of `type`, and not those of `pattern` and `enum`.
 */
function selectRelevantErrors(errors: readonly AjvError[]): AjvError[] {
  const wrongTypePaths = listWrongTypePaths(errors)
  return errors.filter(({ keyword, parentSchema, instancePath }) => {
    if (keyword === 'type') return true

    // Only says that `then` or `else` failed, whose own errors are in the list.
    if (keyword === 'if') return false

    // A value of the wrong type fails other keywords of the same schema as well.
    const hasWrongType = wrongTypePaths.get(parentSchema)?.has(instancePath)
    return !hasWrongType
  })
}

/** The paths of the values whose type is wrong, by the schema that says so. */
function listWrongTypePaths(errors: readonly AjvError[]): Map<unknown, Set<string>> {
  const pathsBySchema = new Map<unknown, Set<string>>()
  for (const { keyword, parentSchema, instancePath } of errors) {
    if (keyword !== 'type') continue
    const paths = pathsBySchema.get(parentSchema) ?? new Set()
    pathsBySchema.set(parentSchema, paths.add(instancePath))
  }
  return pathsBySchema
}

/**
 * Findings without those that say the same at the same place. Of a fact and an assumption, the fact
 * stays.
 */
function withoutDuplicates(findings: readonly Finding[]): Finding[] {
  const strongest = new Map<string, Finding>()
  for (const candidate of findings) {
    const key = `${candidate.pointer} ${candidate.keyword} ${candidate.message}`
    const earlier = strongest.get(key)
    const isStronger = earlier && isAssumption(earlier) && !isAssumption(candidate)
    if (!earlier || isStronger) strongest.set(key, candidate)
  }
  return [...strongest.values()]
}

function isAssumption({ question }: Finding): boolean {
  return question !== undefined
}

/**
 * The finding for an error of ajv: what was expected and what was received, with the keyword and
 * the open question that the error's schema has in the document.
 */
function toFinding(root: Cursor, views: Views, error: AjvError, location: Location): Finding {
  // A choice (`oneOf`) was replaced by generated schemas, of which each has a finding of its own.
  const { schema, replacement } = views.requireSource(error.parentSchema)
  if (replacement) return toFindingOfReplacement(replacement, error, location)

  const { keyword } = error
  const property = readPropertyName(error)
  const expectedWords = expected(keyword, error.schema)
  const difference = describeDifference(property, expectedWords, error, location)
  const contract = pointerOf(schema.pointer, keyword)
  const question = findQuestion(root, schema, keyword, property)
  return finding({ ...difference, contract, keyword }, question)
}

/**
 * The finding for an error in a generated schema. Choices become such schemas for ajv; the finding
 * cites the keyword of the document that the schema stands for.
 */
function toFindingOfReplacement(
  replacement: Replacement,
  error: AjvError,
  location: Location,
): Finding {
  const { property, keyword, pointer, question } = replacement
  const difference = describeDifference(property, describeExpected(replacement), error, location)
  return finding({ ...difference, contract: pointer, keyword }, question)
}

/**
 * The place and the message of a finding: about one property of the value in which ajv found the
 * error, or, without `property`, about that value.
 */
function describeDifference(
  property: string | undefined,
  expectedWords: string,
  error: AjvError,
  { place, pointer: base }: Location,
): Pick<Finding, 'place' | 'pointer' | 'message'> {
  const pointer = base + error.instancePath
  if (property === undefined)
    return { place, pointer, message: `expected ${expectedWords}, got ${kindOf(error.data)}` }

  const value = ownProperty(error.data, property)
  return {
    place,
    pointer: pointerOf(pointer, property),
    message: `expected ${expectedWords}, got ${kindOf(value)}`,
  }
}

/** The property that an error of ajv is about; undefined if it is about the whole value. */
function readPropertyName({ params }: AjvError): string | undefined {
  const property = params.missingProperty ?? params.additionalProperty
  return property === undefined ? undefined : String(property)
}

/** What a replacement expects, in words. */
function describeExpected({ types, values }: Replacement): string {
  if (types) return expectedTypes(types)
  if (values) return expectedOneOf(values)
  return 'no value'
}

/**
 * The open question on which a failed keyword rests, such as `key-forms`; undefined if the keyword
 * is a fact, which the source document states.
 */
function findQuestion(
  root: Cursor,
  schema: Cursor,
  keyword: string,
  property?: string,
): string | undefined {
  const isMissing = keyword === 'required' && property !== undefined
  if (isMissing) return findQuestionOfMissing(root, schema, property)
  return questionOfKeyword(schema, keyword)
}

/**
 * The open question on which the presence of a property rests: that of `presence` itself, or else of
 * the object, or else of the whole property. The object comes before the property, since it says
 * which fields there are.
 */
function findQuestionOfMissing(root: Cursor, schema: Cursor, property: string): string | undefined {
  const questionOfObject = questionOfKeyword(schema, 'required')
  const propertySchema = findProperty(schema, property)
  if (!propertySchema) return questionOfObject

  const schemas = referenceChain(root, propertySchema)
  const questionOfPresence = firstQuestion(schemas, (node) => keywordMark(node, 'presence'))
  const questionOfProperty = firstQuestion(schemas, wholeMark)
  return questionOfPresence ?? questionOfObject ?? questionOfProperty
}

/** The first open question that `readQuestion` finds in the nodes; undefined if it finds none. */
function firstQuestion(
  schemas: readonly Cursor[],
  readQuestion: (node: unknown) => string | undefined,
): string | undefined {
  for (const { node } of schemas) {
    const question = readQuestion(node)
    if (question !== undefined) return question
  }
  return undefined
}

/** A schema, and what it refers to. */
function referenceChain(root: Cursor, schema: Cursor): Cursor[] {
  if (!hasReference(schema)) return [schema]
  return [schema, ...referenceChain(root, followReferences(root, schema))]
}

/** A rank after those of all properties and items of a value. */
const LAST_RANK = 1e9

/**
 * Sorts findings by the order in which the value has what they are about: in `{ b: 1, a: 2 }`,
 * those of `/b` come before those of `/a`. Missing properties come last in their object.
 *
 * @param base The pointer of the value, with which all pointers of findings begin.
 */
function sortFindings(value: unknown, findings: readonly Finding[], base: string): Finding[] {
  if (findings.length < 2) return [...findings]

  const ranksByNode: RanksByNode = new Map()
  const ranked = findings.map((finding) => {
    const rank = rankPointer(value, finding.pointer.slice(base.length), ranksByNode)
    return { finding, rank }
  })
  ranked.sort((a, b) => compareTexts(a.rank, b.rank))
  return ranked.map(({ finding }) => finding)
}

/** The position of each property of the objects that were ranked before. */
type RanksByNode = Map<object, ReadonlyMap<string, number>>

/**
 * A text by which findings are sorted: the position of each step of a pointer. With
 * {@link LAST_RANK} added, each has ten digits, so that texts have the order of the positions: the
 * third property of the first one is `1000000000,1000000002`.
 */
function rankPointer(value: unknown, pointer: string, ranksByNode: RanksByNode): string {
  const ranks: number[] = []
  let node = value
  for (const key of stepsOf(pointer)) {
    ranks.push(LAST_RANK + rankChild(node, key, ranksByNode))
    node = ownProperty(node, key)
  }
  return ranks.join()
}

/** The position of a property or item in a value, the last one if the value does not have it. */
function rankChild(node: unknown, key: string, ranksByNode: RanksByNode): number {
  if (!isObjectOrArray(node)) return LAST_RANK
  // The positions of all items of a long array would take long.
  if (Array.isArray(node)) return Number(key)

  const ranks = ranksByNode.get(node) ?? rankProperties(node)
  ranksByNode.set(node, ranks)
  return ranks.get(key) ?? LAST_RANK
}

function rankProperties(node: object): ReadonlyMap<string, number> {
  return new Map(Object.keys(node).map((key, index) => [key, index]))
}

function compareTexts(first: string, second: string): number {
  if (first < second) return -1
  return first > second ? 1 : 0
}

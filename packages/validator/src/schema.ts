import {
  expected,
  expectedOneOf,
  expectedTypes,
  kindOf,
  pointerOf,
  stepsOf,
} from '@partner-payments/text'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { type Cursor, child, follow, keywordOf, markOf, questionOf, wholeOf } from './cursor.ts'
import { ContractError, regExpOf } from './document.ts'
import { type Finding, finding, type Place } from './finding.ts'
import { formats } from './formats.ts'
import { at, isNode } from './json.ts'
import { createViews, type Replacement, type Views } from './views.ts'

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

/** Maximum number of errors in an array before ajv stops. */
const MAX_ERRORS = 1000

/**
 * Creates the checks of a document. One ajv instance compiles them, so that they share the code of
 * common references.
 */
export function createChecks(root: Cursor): SchemaContext['checks'] {
  const views = createViews(root)
  const checks = new WeakMap<Cursor, Check>()
  let ajv: Ajv2020 | undefined
  return (schema) => {
    const check = checks.get(schema) ?? checkOf(schema)
    checks.set(schema, check)
    return check
  }

  function checkOf(schema: Cursor): Check {
    const view = views.viewOf(schema)
    let compiled: ValidateFunction | undefined
    return (value, location) => {
      if (isTooDeep(value)) return [tooDeep(schema, location)]
      compiled ??= compile(schema, view)
      if (compiled(value)) return []
      const errors = relevant((compiled.errors ?? []) as AjvError[])
      const found = errors.map((error) => findingOf(root, views, error, location))
      return inOrderOf(value, once(found), location.pointer)
    }
  }

  function compile({ pointer }: Cursor, view: object): ValidateFunction {
    ajv ??= createAjv()
    try {
      for (const [name, named] of views.added.splice(0)) ajv.addSchema(named, name)
      return ajv.compile(view)
    } catch (cause) {
      throw new ContractError(pointer, `must be a schema: ${(cause as Error).message}`, { cause })
    }
  }
}

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
    code: { regExp: Object.assign(regExp, { code: 'regExp' }), process: bounded, optimize: false },
  })
}

function regExp(pattern: string): RegExp {
  return regExpOf(pattern) ?? /(?!)/
}

/**
 * Speeds up the validation of a long array of invalid records, for which ajv would need minutes
 * because it copies all errors for each record. Appends errors to the existing array, and stops
 * after a maximum.
 */
function bounded(code: string): string {
  return code
    .replace(/vErrors\.concat\(([\w.]+)\)/g, '($1.forEach((it) => vErrors.push(it)), vErrors)')
    .replace(
      /for\(let (i\d+)=(\d+); \1<(len\d+); \1\+\+\)/g,
      `for(let $1=$2, $1e=errors; $1<$3 && errors-$1e<${MAX_ERRORS}; $1++)`,
    )
}

/** Whether a value exceeds the maximum nesting. True for a circular value. */
function isTooDeep(value: unknown, left = MAX_DEPTH): boolean {
  if (!isNode(value)) return false
  if (left === 0) return true
  if (Array.isArray(value)) return value.some((item) => isNode(item) && isTooDeep(item, left - 1))
  // Iterates without creating an array, since this runs for every message.
  for (const key in value) if (isNode(value[key]) && isTooDeep(value[key], left - 1)) return true
  return false
}

function tooDeep({ pointer, question }: Cursor, location: Location): Finding {
  const message = `expected at most ${MAX_DEPTH} levels, got more`
  return finding({ ...location, contract: pointer, keyword: 'depth', message }, question)
}

/**
 * Without the errors that only repeat those of a branch, and the other errors of a schema where its
 * type is wrong.
 */
function relevant(errors: readonly AjvError[]): AjvError[] {
  const ofType = new Map<unknown, Set<string>>()
  for (const { keyword, parentSchema, instancePath } of errors) {
    if (keyword !== 'type') continue
    ofType.set(parentSchema, (ofType.get(parentSchema) ?? new Set()).add(instancePath))
  }
  return errors.filter(
    ({ keyword, parentSchema, instancePath }) =>
      keyword === 'type' || (keyword !== 'if' && !ofType.get(parentSchema)?.has(instancePath)),
  )
}

/** Removes duplicates. A finding about a fact takes precedence over one about an assumption. */
function once(findings: readonly Finding[]): Finding[] {
  const found = new Map<string, Finding>()
  for (const it of findings) {
    const key = `${it.pointer} ${it.keyword} ${it.message}`
    const known = found.get(key)
    if (!known || (known.question !== undefined && it.question === undefined)) found.set(key, it)
  }
  return [...found.values()]
}

function findingOf(
  root: Cursor,
  views: Views,
  error: AjvError,
  { place, pointer }: Location,
): Finding {
  const { keyword, data, schema, parentSchema, instancePath } = error
  const origin = views.originOf(parentSchema)
  const { replacement } = origin ?? {}
  const property = replacement ? replacement.property : propertyOf(error)
  const base = pointer + instancePath
  const whole = property === undefined ? base : pointerOf(base, property)
  const got = kindOf(property === undefined ? data : at(data, property))
  const words = replacement ? wordsOf(replacement) : expected(keyword, schema)
  const it = { place, pointer: whole, message: `expected ${words}, got ${got}` }
  if (replacement)
    return finding(
      { ...it, contract: replacement.pointer, keyword: replacement.keyword },
      replacement.question,
    )
  const contract = origin ? pointerOf(origin.schema.pointer, keyword) : ''
  return finding(
    { ...it, contract, keyword },
    origin && questionAt(root, origin.schema, keyword, property),
  )
}

/** The property name in an error of ajv. */
function propertyOf({ params }: AjvError): string | undefined {
  const property = params.missingProperty ?? params.additionalProperty
  return property === undefined ? undefined : String(property)
}

function wordsOf({ types, values }: Replacement): string {
  return types ? expectedTypes(types) : values ? expectedOneOf(values) : 'no value'
}

/**
 * `required` is an assumption if the presence of the property is one, or the object, or the whole
 * property. An object that is an assumption says which fields it has, so it comes before a question
 * about the value of one.
 */
function questionAt(
  root: Cursor,
  schema: Cursor,
  keyword: string,
  property?: string,
): string | undefined {
  const own = questionOf(schema, keyword)
  if (keyword !== 'required' || property === undefined) return own
  const properties = child(schema, 'properties')
  const chain = marksOf(root, properties && child(properties, property))
  const presence = chain.map(({ node }) => markOf(node, 'presence')).find((it) => it !== undefined)
  return presence ?? own ?? chain.map(({ node }) => wholeOf(node)).find((it) => it !== undefined)
}

/** A property, and what it refers to. */
function marksOf(root: Cursor, property: Cursor | undefined): Cursor[] {
  if (!property) return []
  if (typeof keywordOf(property, '$ref') !== 'string') return [property]
  return [property, ...marksOf(root, follow(root, property))]
}

/** Sorts findings by the order of the value; missing properties come last in their object. */
function inOrderOf(value: unknown, findings: readonly Finding[], base: string): Finding[] {
  if (findings.length < 2) return [...findings]
  const ranks = new Map<unknown, Map<string, number>>()
  const ranked = findings.map((finding) => ({
    finding,
    rank: rankOf(finding.pointer.slice(base.length)),
  }))
  ranked.sort((a, b) => Number(a.rank > b.rank) - Number(a.rank < b.rank))
  return ranked.map(({ finding }) => finding)

  /** The rank of each step with the same number of digits, so that ranks compare as strings. */
  function rankOf(pointer: string): string {
    let node = value
    const steps = stepsOf(pointer).map((key) => {
      const rank = isNode(node) ? ranksIn(node).get(key) : undefined
      node = at(node, key)
      return 1e9 + (rank ?? 1e9)
    })
    return steps.join()
  }

  function ranksIn(node: object): Map<string, number> {
    const known = ranks.get(node) ?? new Map(Object.keys(node).map((key, i) => [key, i]))
    ranks.set(node, known)
    return known
  }
}

import type { ValidateFunction } from 'ajv/dist/2020.js'
import { type AjvError, type Compile, createCompile } from './compile.ts'
import { type Cursor, child, keywordOf, markOf, questionOf, wholeOf } from './cursor.ts'
import { isTooDeep, MAX_DEPTH } from './depth.ts'
import { type Finding, finding, type Place } from './finding.ts'
import { at, pointerOf } from './json.ts'
import { inOrderOf } from './order.ts'
import { createReduce, type Reduce } from './reduce.ts'
import { follow } from './reference.ts'
import { createViews, type Replacement, type Views } from './views.ts'
import { expected, expectedOneOf, expectedTypes, kindOf } from './words.ts'

/** The location of a value in a message. */
export interface Location {
  readonly place: Place
  readonly pointer: string
}

/** Validates a value by a schema. */
export interface Check {
  (value: unknown, location: Location): Finding[]
  /** Compiles the schema if necessary. */
  compile(): unknown
}

interface Tools {
  readonly root: Cursor
  readonly views: Views
  readonly compile: Compile
  readonly reduce: Reduce
}

/** Creates checks of the schemas of one document. */
export type Checks = (schema: Cursor) => Check

/** The document and its checks. */
export interface SchemaContext {
  readonly root: Cursor
  readonly checks: Checks
}

/** Creates the checks of a document. Each schema is compiled once, on first use. */
export function createChecks(root: Cursor): Checks {
  const views = createViews(root)
  const compile = createCompile(views)
  const tools = { root, views, compile, reduce: createReduce(root, views, compile) }
  const checks = new WeakMap<Cursor, Check>()
  return (schema) => {
    const check = checks.get(schema) ?? checkOf(tools, schema)
    checks.set(schema, check)
    return check
  }
}

function checkOf(tools: Tools, schema: Cursor): Check {
  let compiled: ValidateFunction | undefined
  const compile = () => (compiled ??= tools.compile(tools.views.viewOf(schema), schema))
  const check = (value: unknown, location: Location) => {
    if (isTooDeep(value)) return [tooDeep(schema, location)]
    const validate = compile()
    if (validate(value)) return []
    const found = tools
      .reduce((validate.errors ?? []) as AjvError[])
      .map((error) => findingOf(tools, error, location))
    return inOrderOf(value, once(found), location.pointer)
  }
  return Object.assign(check, { compile })
}

function tooDeep({ pointer, question }: Cursor, location: Location): Finding {
  const message = `expected at most ${MAX_DEPTH} levels, got more`
  return finding({ ...location, contract: pointer, keyword: 'depth', message }, question)
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

function findingOf({ root, views }: Tools, error: AjvError, { place, pointer }: Location): Finding {
  const origin = views.originOf(error.parentSchema)
  const base = pointer + error.instancePath
  if (origin?.replacement) return insteadOf(origin.replacement, error, place, base)
  const { keyword, data, schema } = error
  const property = propertyOf(error)
  const whole = property === undefined ? base : pointerOf(base, property)
  const message = `expected ${expected(keyword, schema)}, got ${kindOf(property === undefined ? data : at(data, property))}`
  const contract = origin ? pointerOf(origin.schema.pointer, keyword) : ''
  const question = origin && questionAt(root, origin.schema, keyword, property)
  return finding({ place, pointer: whole, contract, keyword, message }, question)
}

/** The property name in an error of ajv. */
function propertyOf({ params }: AjvError): string | undefined {
  const property = params.missingProperty ?? params.additionalProperty
  return property === undefined ? undefined : String(property)
}

function insteadOf(replacement: Replacement, error: AjvError, place: Place, base: string): Finding {
  const { keyword, pointer: contract, question, types, values } = replacement
  const { data } = error
  const { property } = replacement
  const value = property === undefined ? data : at(data, property)
  const words = types ? expectedTypes(types) : values ? expectedOneOf(values) : 'no value'
  const message = `expected ${words}, got ${kindOf(value)}`
  const pointer = property === undefined ? base : pointerOf(base, property)
  return finding({ place, pointer, contract, keyword, message }, question)
}

/**
 * `required` is an assumption if the presence of the property is one, or the object, or the whole property. An object that
 * is an assumption says which fields it has, so it comes before a question about the value of one.
 */
function questionAt(root: Cursor, schema: Cursor, keyword: string, property?: string): string | undefined {
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

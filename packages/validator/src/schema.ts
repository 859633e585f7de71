import type { ValidateFunction } from 'ajv/dist/2020.js'
import { type Compile, createCompile, type Fault } from './compile.ts'
import { ContractError } from './contract-error.ts'
import { type Cursor, child, keywordOf, markOf, questionOf, wholeOf } from './cursor.ts'
import { isTooDeep, MAX_DEPTH } from './depth.ts'
import type { Direction } from './direction.ts'
import { type Finding, finding, type Place } from './finding.ts'
import { at, pointerOf } from './json.ts'
import { inOrderOf } from './order.ts'
import { createReduce, type Reduce } from './reduce.ts'
import { follow } from './reference.ts'
import { createViews, type Instead, type Views } from './views.ts'
import { expected, expectedOneOf, expectedTypes, kindOf } from './words.ts'

/** Where in a message a value stands. */
export interface Seat {
  readonly place: Place
  readonly pointer: string
}

/** A schema, ready to be asked what is wrong with a value. */
export interface Check {
  (value: unknown, seat: Seat): Finding[]
  /** Compiles the schema if it is not yet. */
  compile(): unknown
}

interface Tools {
  readonly root: Cursor
  readonly views: Views
  readonly compile: Compile
  readonly reduce: Reduce
  readonly onContractError: CheckOptions['onContractError']
}

/** Makes checks of the schemas of one document. */
export type Checks = (schema: Cursor) => Check

/** What a message is read and checked with. */
export interface Making {
  readonly root: Cursor
  readonly checks: Checks
}

/** The direction of the values, and the callback for schemas that cannot be compiled. */
export interface CheckOptions {
  readonly direction?: Direction | undefined
  readonly onContractError?: ((error: ContractError) => void) | undefined
}

/** Each schema is read and compiled when it is first used, and once. */
export function createChecks(root: Cursor, { direction, onContractError }: CheckOptions = {}): Checks {
  const views = createViews(root, direction)
  const compile = createCompile(views)
  const tools = { root, views, compile, reduce: createReduce(root, views, compile), onContractError }
  const checks = new WeakMap<Cursor, Check>()
  return (schema) => {
    const check = checks.get(schema) ?? checkOf(tools, schema)
    checks.set(schema, check)
    return check
  }
}

function checkOf(tools: Tools, schema: Cursor): Check {
  let compiled: ValidateFunction | undefined
  const compile = () => (compiled ??= compiledOf(tools, schema))
  const check = (value: unknown, seat: Seat) => {
    if (isTooDeep(value)) return [tooDeep(schema, seat)]
    const validate = compile()
    if (validate(value)) return []
    const found = tools
      .reduce((validate.errors ?? []) as Fault[])
      .map((fault) => findingOf(tools, fault, seat))
    return inOrderOf(value, once(found), seat.pointer)
  }
  return Object.assign(check, { compile })
}

/** A check that accepts a value too where what it was read from can stand for another value that is right. */
export function withOtherReading(check: Check, otherOf: (value: unknown) => unknown): Check {
  const either = (value: unknown, seat: Seat) => {
    const found = check(value, seat)
    if (found.length === 0) return found
    const other = otherOf(value)
    return other !== value && check(other, seat).length === 0 ? [] : found
  }
  return Object.assign(either, { compile: check.compile })
}

/** With `onContractError`, a schema that cannot be compiled is reported and accepts everything. */
function compiledOf({ views, compile, onContractError }: Tools, schema: Cursor): ValidateFunction {
  try {
    return compile(views.viewOf(schema), schema)
  } catch (error) {
    if (!onContractError || !(error instanceof ContractError)) throw error
    onContractError(error)
    return compile({}, schema)
  }
}

function tooDeep({ pointer, question }: Cursor, seat: Seat): Finding {
  const message = `expected at most ${MAX_DEPTH} levels, got more`
  return finding({ ...seat, contract: pointer, keyword: 'depth', message }, question)
}

/** Each thing once; one that breaks a fact too is a broken fact. */
function once(findings: readonly Finding[]): Finding[] {
  const found = new Map<string, Finding>()
  for (const it of findings) {
    const key = `${it.pointer} ${it.keyword} ${it.message}`
    const known = found.get(key)
    if (!known || (known.question !== undefined && it.question === undefined)) found.set(key, it)
  }
  return [...found.values()]
}

function findingOf({ root, views }: Tools, fault: Fault, { place, pointer }: Seat): Finding {
  const origin = views.originOf(fault.parentSchema)
  const base = pointer + fault.instancePath
  if (origin?.instead) return insteadOf(origin.instead, fault, place, base)
  const { keyword, data, schema } = fault
  const member = memberOf(fault)
  const whole = member === undefined ? base : pointerOf(base, member)
  const message = `expected ${expected(keyword, schema)}, got ${kindOf(member === undefined ? data : at(data, member))}`
  const contract = origin ? pointerOf(origin.schema.pointer, keyword) : ''
  const question = origin && questionAt(root, origin.schema, keyword, member)
  return finding({ place, pointer: whole, contract, keyword, message }, question)
}

/** The member that an error of ajv names beside the value that it is about. */
function memberOf({ keyword, params, propertyName }: Fault): string | undefined {
  const { missingProperty, additionalProperty, unevaluatedProperty } = params
  const named =
    keyword === 'dependentRequired'
      ? missingProperty
      : (missingProperty ?? additionalProperty ?? unevaluatedProperty)
  const member = named ?? propertyName
  return member === undefined ? undefined : String(member)
}

function insteadOf(instead: Instead, fault: Fault, place: Place, base: string): Finding {
  const { keyword, pointer: contract, question, types, values } = instead
  const { data } = fault
  const member = instead.member ?? fault.propertyName
  const value = member === undefined ? data : at(data, member)
  const words = types ? expectedTypes(types) : values ? expectedOneOf(values) : 'no value'
  const message = `expected ${words}, got ${kindOf(value)}`
  const pointer = member === undefined ? base : pointerOf(base, member)
  return finding({ place, pointer, contract, keyword, message }, question)
}

/** Whether a member must be there is ours where all of the member is, or its presence. */
function questionAt(root: Cursor, schema: Cursor, keyword: string, member?: string): string | undefined {
  const own = questionOf(schema, keyword)
  if (keyword !== 'required' || member === undefined) return own
  const properties = child(schema, 'properties')
  return presenceOf(root, properties && child(properties, member)) ?? own
}

function presenceOf(root: Cursor, member: Cursor | undefined): string | undefined {
  if (!member) return undefined
  const said = wholeOf(member.node) ?? markOf(member.node, 'presence')
  if (said !== undefined || typeof keywordOf(member, '$ref') !== 'string') return said
  return presenceOf(root, withoutContext(follow(root, member)))
}

/** A place by itself, whatever referred to it. */
function withoutContext(cursor: Cursor): Cursor {
  return { ...cursor, question: undefined }
}

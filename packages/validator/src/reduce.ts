import type { ValidateFunction } from 'ajv/dist/2020.js'
import { discriminatorOf } from './choice.ts'
import type { AjvError, Compile } from './compile.ts'
import { type Cursor, child, children, keywordOf } from './cursor.ts'
import { at, isNode } from './json.ts'
import { follow } from './reference.ts'
import type { View, Views } from './views.ts'

/** Reduces the errors of ajv to the relevant ones. */
export type Reduce = (errors: readonly AjvError[]) => AjvError[]

const CHOICES = new Set(['oneOf', 'anyOf'])

/** Reduces the errors of the schemas of one document. */
export function createReduce(root: Cursor, views: Views, compile: Compile): Reduce {
  const reaches = new WeakMap<View, ReadonlySet<unknown>>()
  return reduce

  function reduce(errors: readonly AjvError[]): AjvError[] {
    const reduced: AjvError[] = []
    for (const error of errors) {
      // It only repeats the error of its branch.
      if (error.keyword === 'if') continue
      if (!CHOICES.has(error.keyword)) reduced.push(error)
      else reduced.push(...choiceErrors(error, reduced))
    }
    return withoutOtherTypes(reduced)
  }

  /** Replaces the preceding errors of all branches by those of the matching branch, or by one error. */
  function choiceErrors(error: AjvError, reduced: AjvError[]): AjvError[] {
    const reach = reachOf(error)
    while (reduced.length > 0 && isWithin(reduced.at(-1), error, reach)) reduced.pop()
    const meant = branchOf(error)
    if (meant === undefined || meant(error.data)) return [error]
    const own = (meant.errors ?? []) as AjvError[]
    return reduce(own.map((it) => ({ ...it, instancePath: error.instancePath + it.instancePath })))
  }

  function branchOf({ parentSchema, keyword, data }: AjvError): ValidateFunction | undefined {
    const schema = views.originOf(parentSchema)?.schema
    const property = schema && discriminatorOf(schema)
    const value = property === undefined ? undefined : at(data, property)
    if (!schema || typeof value !== 'string') return undefined
    const index = indexOfBranch(root, schema, keyword, value)
    const branch = at(parentSchema, keyword)
    const view = Array.isArray(branch) ? branch[index] : undefined
    return view && compile(view, schema)
  }

  /** All schemas that the branches contain. */
  function reachOf({ parentSchema, keyword }: AjvError): ReadonlySet<unknown> {
    const view = at(parentSchema, keyword)
    if (!isNode(view)) return new Set()
    const known = reaches.get(view) ?? collect(view, new Set())
    reaches.set(view, known)
    return known
  }

  function collect(view: unknown, found: Set<unknown>): Set<unknown> {
    if (!isNode(view) || found.has(view)) return found
    found.add(view)
    for (const value of Object.values(view)) collect(value, found)
    const name = at(view, '$ref')
    return typeof name === 'string' ? collect(views.named.get(name), found) : found
  }
}

function isWithin(inner: AjvError | undefined, outer: AjvError, reach: ReadonlySet<unknown>): boolean {
  return inner !== undefined && isBelow(inner, outer) && reach.has(inner.parentSchema)
}

function isBelow(inner: AjvError, outer: AjvError): boolean {
  const { instancePath } = outer
  return inner.instancePath === instancePath || inner.instancePath.startsWith(`${instancePath}/`)
}

/** The branch that a discriminator value selects: by mapping, else by component name (OpenAPI 3.1, section 4.8.25). */
function indexOfBranch(root: Cursor, schema: Cursor, keyword: string, value: string): number {
  const mapped = at(at(keywordOf(schema, 'discriminator'), 'mapping'), value)
  const name = typeof mapped === 'string' ? mapped : value
  const ref = name.includes('/') ? name : `#/components/schemas/${name}`
  const branches = children(child(schema, keyword)).map(([, branch]) => branch)
  const wanted = branches.findIndex((branch) => keywordOf(branch, '$ref') === ref)
  if (wanted >= 0) return wanted
  return branches.findIndex((branch) => `#${follow(root, branch).pointer}` === ref)
}

/** Removes the other errors of a schema at a place where its type is wrong. */
function withoutOtherTypes(errors: readonly AjvError[]): AjvError[] {
  const ofType = new Map<unknown, Set<string>>()
  for (const { keyword, parentSchema, instancePath } of errors) {
    if (keyword !== 'type') continue
    ofType.set(parentSchema, (ofType.get(parentSchema) ?? new Set()).add(instancePath))
  }
  return errors.filter(
    ({ keyword, parentSchema, instancePath }) =>
      keyword === 'type' || !ofType.get(parentSchema)?.has(instancePath),
  )
}

import type { ValidateFunction } from 'ajv/dist/2020.js'
import { discriminatorOf } from './choice.ts'
import type { Compile, Fault } from './compile.ts'
import { type Cursor, child, children, keywordOf } from './cursor.ts'
import { at, isNode, pointerOf } from './json.ts'
import { follow } from './reference.ts'
import type { View, Views } from './views.ts'

/** What of ajv's errors a person needs. */
export type Reduce = (faults: readonly Fault[]) => Fault[]

const CHOICES = new Set(['oneOf', 'anyOf', 'contains'])

/** Reduces the errors of the schemas of one document. */
export function createReduce(root: Cursor, views: Views, compile: Compile): Reduce {
  const reaches = new WeakMap<View, ReadonlySet<unknown>>()
  return reduce

  function reduce(faults: readonly Fault[]): Fault[] {
    const kept: Fault[] = []
    for (const fault of faults) {
      // That a branch was chosen, or a name refused, is told by an error of its own.
      if (fault.keyword === 'if' || fault.keyword === 'propertyNames') continue
      if (!CHOICES.has(fault.keyword)) kept.push(fault)
      else kept.push(...choiceFaults(fault, kept))
    }
    return withoutConsequences(kept)
  }

  /** In the place of what the branches say, all of which precedes: what the branch says that is meant, or that none fits. */
  function choiceFaults(fault: Fault, kept: Fault[]): Fault[] {
    const reach = reachOf(fault)
    while (kept.length > 0 && isWithin(kept.at(-1), fault, reach)) kept.pop()
    const meant = branchOf(fault)
    if (meant === undefined || meant(fault.data)) return [fault]
    const own = (meant.errors ?? []) as Fault[]
    return reduce(own.map((it) => ({ ...it, instancePath: fault.instancePath + it.instancePath })))
  }

  function branchOf({ parentSchema, keyword, data }: Fault): ValidateFunction | undefined {
    const schema = views.originOf(parentSchema)?.schema
    const member = schema && discriminatorOf(schema)
    const value = member === undefined ? undefined : at(data, member)
    if (!schema || typeof value !== 'string') return undefined
    const index = indexOfBranch(root, schema, keyword, value)
    const branch = at(parentSchema, keyword)
    const view = Array.isArray(branch) ? branch[index] : undefined
    return view && compile(view, schema)
  }

  /** The schemas that the branches are made of. */
  function reachOf({ parentSchema, keyword }: Fault): ReadonlySet<unknown> {
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

function isWithin(inner: Fault | undefined, outer: Fault, reach: ReadonlySet<unknown>): boolean {
  return inner !== undefined && isBelow(inner, outer) && reach.has(inner.parentSchema)
}

function isBelow(inner: Fault, outer: Fault): boolean {
  const { instancePath } = outer
  return inner.instancePath === instancePath || inner.instancePath.startsWith(`${instancePath}/`)
}

/** The branch that a discriminator names: by its mapping, else by the name of the component (OpenAPI 3.1, section 4.8.25). */
function indexOfBranch(root: Cursor, schema: Cursor, keyword: string, value: string): number {
  const mapped = at(at(keywordOf(schema, 'discriminator'), 'mapping'), value)
  const name = typeof mapped === 'string' ? mapped : value
  const ref = name.includes('/') ? name : `#/components/schemas/${name}`
  const branches = children(child(schema, keyword)).map(([, branch]) => branch)
  const wanted = branches.findIndex((branch) => keywordOf(branch, '$ref') === ref)
  if (wanted >= 0) return wanted
  return branches.findIndex((branch) => `#${follow(root, branch).pointer}` === ref)
}

/** Without what is wrong only because something else is. */
function withoutConsequences(faults: readonly Fault[]): Fault[] {
  const ofType = new Map<unknown, Set<string>>()
  for (const { keyword, parentSchema, instancePath } of faults) {
    if (keyword !== 'type') continue
    ofType.set(parentSchema, (ofType.get(parentSchema) ?? new Set()).add(instancePath))
  }
  const firm = faults.filter(
    ({ keyword, parentSchema, instancePath }) =>
      keyword === 'type' || !ofType.get(parentSchema)?.has(instancePath),
  )
  return firm.filter((fault) => !isUnevaluated(fault) || !firm.some((other) => explains(other, fault)))
}

function isUnevaluated({ keyword }: Fault): boolean {
  return keyword === 'unevaluatedProperties' || keyword === 'unevaluatedItems'
}

/** Properties that a schema has looked at count as such only if all of it holds. */
function explains(other: Fault, fault: Fault): boolean {
  if (!isUnevaluated(other)) return isBelow(other, fault)
  const { unevaluatedProperty: name } = fault.params
  const inside = name === undefined ? fault.instancePath : pointerOf(fault.instancePath, String(name))
  return other.instancePath.startsWith(inside) && other.instancePath !== fault.instancePath
}

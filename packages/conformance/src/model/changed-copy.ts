import type { Behaviour } from '@partner-payments/spec/behaviour'
import type { Contract } from './contract.ts'
import { below, type Document, nodeOf } from './document.ts'
import type { OperationView } from './operation-view.ts'

/** The declared behaviour that applies to a changed copy of the contract. */
export interface KeptBehaviour {
  readonly behaviour: Behaviour
  /** Entries whose operations or fields the copy does not have, such as `lists/listUsers`. */
  readonly leftOut: readonly string[]
}

/** An object without one of these says nothing. Without another field, or one item of several, the rest still applies. */
const ESSENTIAL = new Set(
  ['operation', 'operations', 'from', 'to', 'of', 'by', 'set', 'field', 'fields'].concat([
    'items',
    'next',
    'cursor',
    'limit',
    'created',
  ]),
)

/** The entries of behaviour, without the operations, fields and values that the contract has and its copy does not. */
export function keepBehaviour(own: Contract, copy: Contract, behaviour: Behaviour): KeptBehaviour {
  const leftOut: string[] = []
  const sections = Object.entries(behaviour).map(([section, entries]) => {
    const kept = Object.entries(entries).flatMap(([name, entry]): [string, unknown][] => {
      const isGone = goneFrom(own, copy, { [name]: entry })
      // A sum without one of its fields would be another sum.
      const isWhole = section === 'invariants'
      const rest = isGone(name) ? undefined : without(entry, isGone, isWhole)
      if (rest === undefined) leftOut.push(`${section}/${name}`)
      return rest === undefined ? [] : [[name, rest]]
    })
    return [section, Object.fromEntries(kept)]
  })
  return { behaviour: Object.fromEntries(sections), leftOut }
}

/** Undefined if nothing is left, or the rest says something else. */
function without(value: unknown, isGone: (place: string) => boolean, isWhole: boolean): unknown {
  if (typeof value === 'string') return isGone(value) ? undefined : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const kept = value.map((it) => without(it, isGone, isWhole)).filter((it) => it !== undefined)
    return kept.length === 0 && value.length > 0 ? undefined : kept
  }
  const all = Object.entries(value)
  const kept = all.flatMap(([name, it]): [string, unknown][] => {
    const rest = isGone(name) ? undefined : without(it, isGone, isWhole)
    return rest === undefined ? [] : [[name, rest]]
  })
  const names = new Set(kept.map(([name]) => name))
  const lost = all.filter(([name]) => !names.has(name))
  const isEmpty = kept.length === 0 && all.length > 0
  const isBroken = lost.some(([name]) => isWhole || ESSENTIAL.has(name))
  return isEmpty || isBroken ? undefined : Object.fromEntries(kept)
}

/** Whether a string of an entry names an operation, a field or a value that the contract has and its copy does not. */
function goneFrom(own: Contract, copy: Contract, entry: object): (place: string) => boolean {
  const named = namesIn(entry)
  const [before, after] = [own, copy].map((it) => placesOf(it, named))
  return (text) =>
    [text, ...(/^\w+#\//.test(text) ? text.split('#') : [])].some((it) => before?.has(it) && !after?.has(it))
}

/** All strings and names, and the operations in places such as `signIn#/access_token`. */
function namesIn(entry: object): Set<string> {
  const found = new Set<string>()
  JSON.stringify(entry, (name, value: unknown) => {
    for (const it of [name, value]) if (typeof it === 'string') found.add(it.replace(/#.*/, ''))
    return value
  })
  return found
}

/** The named operations and schemas, with their parameters, fields (from the top, and from an item) and enum values. */
function placesOf({ document, operations }: Contract, named: ReadonlySet<string>): Set<string> {
  const views = operations.filter(({ id }) => named.has(id))
  const schemas = Object.keys(nodeOf(document.at('/components/schemas'))).filter((it) => named.has(it))
  const found = new Set([...schemas, ...views.map(({ id }) => id)])
  for (const it of schemas) addPlaces(document, below('/components/schemas', it), found)
  for (const view of views) {
    for (const { name } of view.parameters) found.add(name)
    for (const it of schemasOf(document, view)) addPlaces(document, it, found)
  }
  return found
}

function schemasOf(document: Document, view: OperationView): string[] {
  const responses = view.statuses.flatMap((status) => {
    const { pointer, node } = document.follow(below(view.pointer, 'responses', status))
    return Object.keys(nodeOf(node.content)).map((type) => below(pointer, 'content', type, 'schema'))
  })
  const parameters = view.parameters.map(({ pointer }) => below(pointer, 'schema'))
  return [...(view.bodyPointer === undefined ? [] : [view.bodyPointer]), ...parameters, ...responses]
}

/** Limits nested schemas. */
const MAX_DEPTH = 16

function addPlaces(document: Document, schema: string, found: Set<string>, at = '', depth = 0): void {
  if (depth > MAX_DEPTH) return
  const { pointer, node } = document.follow(schema)
  const deeper = (keyword: string, field: string) =>
    addPlaces(document, below(pointer, ...keyword.split(' ')), found, field, depth + 1)
  for (const value of [node.enum ?? [], node.const ?? []].flat()) found.add(String(value))
  for (const name of Object.keys(nodeOf(node.properties))) {
    found.add(below(at, name))
    deeper(`properties ${name}`, below(at, name))
  }
  if (node.items !== undefined) for (const field of [below(at, 0), '']) deeper('items', field)
  for (const list of ['allOf', 'oneOf', 'anyOf'])
    for (const index of Object.keys(nodeOf(node[list]))) deeper(`${list} ${index}`, at)
}

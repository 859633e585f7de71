import { below, type Document, type Node, nodeOf, type Place } from '../model/document.ts'

/** A place in a body, and the schemas that describe it. */
export interface Site {
  /** Property names on the way; `*` stands for every item of an array. */
  readonly path: readonly string[]
  /** JSON pointer into the contract. */
  readonly pointer: string
  /** Alternatives for the value. */
  readonly choices: readonly Choice[]
  /** JSON pointer to the `required` keyword, if every alternative of the object requires the property. */
  readonly required: string | undefined
}

/** Schemas that apply together. */
export type Choice = readonly Place[]

const MAX_DEPTH = 8
const MAX_CHOICES = 24

/** Every place in the bodies that a schema describes, starting with the whole body. */
export function sitesOf(document: Document, pointer: string): Site[] {
  const found: Site[] = []
  const root: Site = { path: [], pointer, choices: choicesOf(document, pointer), required: undefined }
  visit(document, root, found)
  return found
}

function visit(document: Document, site: Site, found: Site[]): void {
  found.push(site)
  if (site.path.length >= MAX_DEPTH) return
  for (const inner of [...membersOf(document, site), ...itemsOf(document, site)])
    visit(document, inner, found)
}

function membersOf(document: Document, { path, choices }: Site): Site[] {
  const objects = choices.filter((parts) => parts.some(({ node }) => node.properties !== undefined))
  const names = new Set(objects.flat().flatMap(({ node }) => Object.keys(nodeOf(node.properties))))
  return [...names].map((name) => {
    const places = objects.map((parts) => namedBy(parts, name))
    const [pointer = ''] = places.flat()
    const asking = objects.map((parts) => parts.find(({ node }) => isRequiredBy(node, name)))
    const [first] = asking
    const required = asking.every((it) => it) && first ? below(first.pointer, 'required') : undefined
    return {
      path: [...path, name],
      pointer,
      choices: unique(places.flatMap((it) => choicesOfAll(document, it))),
      required,
    }
  })
}

function namedBy(parts: Choice, name: string): string[] {
  return parts
    .filter(({ node }) => Object.hasOwn(nodeOf(node.properties), name))
    .map(({ pointer }) => below(pointer, 'properties', name))
}

function isRequiredBy({ required }: Node, name: string): boolean {
  return Array.isArray(required) && required.includes(name)
}

function itemsOf(document: Document, { path, choices }: Site): Site[] {
  const pointers = choices
    .flat()
    .filter(({ node }) => node.items !== undefined)
    .map(({ pointer }) => below(pointer, 'items'))
  const [pointer] = pointers
  if (pointer === undefined) return []
  const inner = unique(pointers.flatMap((it) => choicesOf(document, it)))
  return [{ path: [...path, '*'], pointer, choices: inner, required: undefined }]
}

/** Follows references and `allOf`, with one alternative per branch of `oneOf` and `anyOf`. */
function choicesOf(document: Document, pointer: string, depth = 0): Choice[] {
  const place = document.follow(pointer)
  if (depth > MAX_DEPTH) return [[place]]
  const of = (keyword: string) =>
    Object.keys(nodeOf(place.node[keyword])).map((i) => below(place.pointer, keyword, i))
  const deeper = (at: string) => choicesOf(document, at, depth + 1)
  let found: Choice[] = [[place]]
  for (const part of of('allOf')) found = combine(found, deeper(part))
  for (const keyword of ['oneOf', 'anyOf'])
    if (place.node[keyword] !== undefined) found = combine(found, of(keyword).flatMap(deeper))
  return found.slice(0, MAX_CHOICES)
}

function choicesOfAll(document: Document, pointers: readonly string[]): Choice[] {
  return pointers.reduce<Choice[]>((found, it) => combine(found, choicesOf(document, it)), [[]])
}

function combine(one: readonly Choice[], other: readonly Choice[]): Choice[] {
  return one.flatMap((a) => other.map((b) => [...a, ...b]))
}

function unique(choices: readonly Choice[]): Choice[] {
  return [...new Map(choices.map((it) => [it.map(({ pointer }) => pointer).join(' '), it])).values()]
}

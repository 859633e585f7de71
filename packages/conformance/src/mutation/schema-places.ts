import { below, type Document, type Node, nodeOf, type Place } from '../model/document.ts'

/** A place of a message, and what the contract says of it. */
export interface Site {
  /** The names on the way; `*` is every item of an array. */
  readonly path: readonly string[]
  /** Where the contract names it. */
  readonly pointer: string
  /** What it may be: one of these, each of which is all of its parts. */
  readonly choices: readonly Choice[]
  /** The keyword that asks for the member, where every choice of the object has it. */
  readonly required: string | undefined
}

/** Schemas that hold together. */
export type Choice = readonly Place[]

/** Levels of a message, at most. */
const MAX_DEPTH = 8
/** Choices of one place, at most. */
const MAX_CHOICES = 24

/** Every place of the messages that a schema describes, the whole first. */
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

/** The choices of a schema: behind references, with all of `allOf`, one for each branch of `oneOf` and `anyOf`. */
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

/** The choices of what is to be as all of these schemas say. */
function choicesOfAll(document: Document, pointers: readonly string[]): Choice[] {
  return pointers.reduce<Choice[]>((found, it) => combine(found, choicesOf(document, it)), [[]])
}

function combine(one: readonly Choice[], other: readonly Choice[]): Choice[] {
  return one.flatMap((a) => other.map((b) => [...a, ...b]))
}

function unique(choices: readonly Choice[]): Choice[] {
  return [...new Map(choices.map((it) => [it.map(({ pointer }) => pointer).join(' '), it])).values()]
}

import { type Cursor, child, keywordOf } from './cursor.ts'
import { stepsOf } from './json.ts'
import { type Site, sitesOf } from './sites.ts'

/** A schema resource with its own base URI (JSON Schema Core, section 4.3.5): the document or a schema with `$id`. */
export interface Resource {
  readonly at: Cursor
  readonly uri: string
  /** Schemas by `$anchor` and `$dynamicAnchor`. */
  readonly anchors: Map<string, Cursor>
  /** Schemas by `$dynamicAnchor`. */
  readonly dynamic: Map<string, Cursor>
}

/** The resources and sites of a document, read once. */
export interface Resources {
  readonly sites: readonly Site[]
  readonly byPointer: ReadonlyMap<string, Resource>
  readonly byUri: ReadonlyMap<string, Resource>
  /** Whether any schema has the keyword. */
  has(keyword: string): boolean
}

/** A URI for a document without one. */
const BASE = 'document:/'

const known = new WeakMap<Cursor, Resources>()

/** The resources of a document. */
export function resourcesOf(root: Cursor): Resources {
  const resources = known.get(root) ?? read(root)
  known.set(root, resources)
  return resources
}

function read(root: Cursor): Resources {
  const sites = [...sitesOf(root)]
  const first = resourceAt(root, BASE)
  const byPointer = new Map([['', first]])
  const byUri = new Map([[BASE, first]])
  const keywords = new Set<string>()
  for (const { kind, at } of sites) {
    if (kind !== 'schema' || typeof at.node !== 'object' || at.node === null) continue
    for (const keyword of Object.keys(at.node)) keywords.add(keyword)
    const uri = uriOf(keywordOf(at, '$id'), () => holding(byPointer, at.pointer).uri)
    if (uri !== undefined && !byUri.has(uri)) {
      const resource = resourceAt(at, uri)
      byPointer.set(at.pointer, resource)
      byUri.set(uri, resource)
    }
    takeAnchors(() => holding(byPointer, at.pointer), at)
  }
  return { sites, byPointer, byUri, has: (keyword) => keywords.has(keyword) }
}

function resourceAt(at: Cursor, uri: string): Resource {
  return { at, uri, anchors: new Map(), dynamic: new Map() }
}

function uriOf(id: unknown, base: () => string): string | undefined {
  return typeof id === 'string' ? absolute(id.replace(/#$/, ''), base()) : undefined
}

/** Resolves a URI reference; undefined if it is invalid or the base cannot be a base. */
function absolute(reference: string, base: string): string | undefined {
  return URL.canParse(reference, base) ? new URL(reference, base).href : undefined
}

function takeAnchors(resource: () => Resource, at: Cursor): void {
  for (const keyword of ['$anchor', '$dynamicAnchor']) {
    const name = keywordOf(at, keyword)
    if (typeof name !== 'string') continue
    const { anchors, dynamic } = resource()
    for (const names of keyword === '$anchor' ? [anchors] : [anchors, dynamic])
      if (!names.has(name)) names.set(name, at)
  }
}

/** The resource that contains a location. */
export function resourceOf(root: Cursor, { pointer }: Cursor): Resource {
  return holding(resourcesOf(root).byPointer, pointer)
}

function holding(byPointer: ReadonlyMap<string, Resource>, pointer: string): Resource {
  let start = byPointer.size === 1 ? '' : pointer
  while (!byPointer.has(start)) start = start.slice(0, start.lastIndexOf('/'))
  // The document itself is always a resource.
  return byPointer.get(start) as Resource
}

/** The target of a reference (RFC 3986, section 5; RFC 6901, section 6); undefined if absent. */
export function resolve(root: Cursor, from: Cursor, reference: string): Cursor | undefined {
  const own = resourceOf(root, from)
  if (reference.startsWith('#')) return within(own, reference.slice(1))
  const uri = absolute(reference, own.uri)
  if (uri === undefined) return undefined
  const [start = '', fragment = ''] = uri.split('#')
  const other = resourcesOf(root).byUri.get(start)
  return other && within(other, fragment)
}

function within({ at, anchors }: Resource, fragment: string): Cursor | undefined {
  const text = decoded(fragment)
  if (text === '') return at
  return text.startsWith('/')
    ? stepsOf(text).reduce<Cursor | undefined>((place, key) => place && child(place, key), at)
    : anchors.get(text)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

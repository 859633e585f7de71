import { ContractError } from './contract-error.ts'
import { type Cursor, child, children, keywordOf } from './cursor.ts'
import { isNode, pointerOf, quoted } from './json.ts'
import { expectedValueOf, type Rule, regExpOf } from './keywords.ts'
import { follow, inPlaceOf } from './reference.ts'
import { resolve, resourcesOf } from './resources.ts'
import { type Site, sitesFrom } from './sites.ts'

/** Something that makes a place of a document unusable, and the place. */
export interface Fault {
  readonly error: ContractError
  /** The smallest schema, or other object, that has it. */
  readonly at: Cursor
}

/** Everything that is wrong with a document, as far as a validator needs it, in the order of the document. */
export function faultsOf(root: Cursor): Fault[] {
  const sites = allSites(root)
  const broken = sites.flatMap((site) => faultsAt(root, site))
  const loops = loopsOf(root, sites, new Set(broken.map(({ at }) => at.pointer)))
  return [...broken, ...loops]
}

/** Places that the document lists as such, and those that only a reference makes schemas. */
export function allSites(root: Cursor): Site[] {
  const sites = [...resourcesOf(root).sites]
  const known = new Set(sites.map(({ at }) => at.pointer))
  for (const site of sites) {
    const reference = keywordOf(site.at, '$ref')
    const at = typeof reference === 'string' ? resolve(root, site.at, reference) : undefined
    if (!at || known.has(at.pointer)) continue
    for (const other of sitesFrom({ ...site, at })) {
      if (known.has(other.at.pointer)) continue
      known.add(other.at.pointer)
      sites.push(other)
    }
  }
  return sites
}

function faultsAt(root: Cursor, site: Site): Fault[] {
  const { kind, at, keyword } = site
  if (kind !== 'schema')
    return [...referenceFaults(root, at), ...(keyword === 'parameters' ? unnamed(at) : [])]
  if (typeof at.node === 'boolean') return []
  if (!isNode(at.node) || Array.isArray(at.node))
    return [{ at, error: new ContractError(at.pointer, keyword, `must be a schema, got ${kindOf(at.node)}`) }]
  const wrong = Object.keys(at.node).flatMap((name) => wrongValue(at, name))
  return wrong.length > 0 ? wrong : [...repeatedIds(root, at), ...unresolved(root, at)]
}

function wrongValue(at: Cursor, keyword: string): Fault[] {
  const value = keywordOf(at, keyword)
  const pointer = pointerOf(at.pointer, keyword)
  const expected = expectedValueOf(keyword, value)
  if (expected !== undefined)
    return [{ at, error: new ContractError(pointer, keyword, `must be ${expected}, got ${shown(value)}`) }]
  const patterns = keyword === 'patternProperties' ? children(child(at, keyword)) : []
  return patterns
    .filter(([pattern]) => !regExpOf(pattern))
    .map(([, { pointer }]) => ({
      at,
      error: new ContractError(pointer, keyword, 'must be named by a regular expression'),
    }))
}

function unresolved(root: Cursor, at: Cursor): Fault[] {
  return ['$ref', '$dynamicRef'].flatMap((keyword) => {
    const reference = keywordOf(at, keyword)
    if (typeof reference !== 'string' || resolve(root, at, reference)) return []
    return [{ at, error: lost(at, keyword, reference) }]
  })
}

function lost({ pointer }: Cursor, keyword: string, reference: string): ContractError {
  return new ContractError(
    `${pointer}/${keyword}`,
    keyword,
    `must lead to a place of the document, got ${reference}`,
  )
}

/** A second schema of one identifier: a reference to it would mean either. */
function repeatedIds(root: Cursor, at: Cursor): Fault[] {
  const id = keywordOf(at, '$id')
  if (typeof id !== 'string' || resourcesOf(root).byPointer.has(at.pointer)) return []
  return [
    { at, error: new ContractError(`${at.pointer}/$id`, '$id', `must be a URI of one schema, got ${id}`) },
  ]
}

/** References of what is not a schema: those of a parameter, a response or a path item. */
function referenceFaults(root: Cursor, at: Cursor): Fault[] {
  try {
    follow(root, at)
    return []
  } catch (error) {
    if (!(error instanceof ContractError)) throw error
    return [{ at, error }]
  }
}

/** What every parameter has to say of itself (OpenAPI 3.1, "Parameter Object"). A header has its name outside. */
const NAMED: Readonly<Record<string, Rule>> = {
  name: { expected: 'a string', isMet: (it) => typeof it === 'string' },
  in: {
    expected: 'path, query, header or cookie',
    // OpenAPI 3.2 has another, which is not read.
    isMet: (it) => ['path', 'query', 'header', 'cookie', 'querystring'].includes(String(it)),
  },
}

function unnamed(at: Cursor): Fault[] {
  if (keywordOf(at, '$ref') !== undefined) return []
  const [wrong] = Object.entries(NAMED).filter(([keyword, { isMet }]) => !isMet(keywordOf(at, keyword)))
  if (!wrong) return []
  const [keyword, { expected }] = wrong
  const message = `must have "${keyword}": ${expected}, got ${shown(keywordOf(at, keyword))}`
  return [{ at, error: new ContractError(at.pointer, keyword, message) }]
}

/** Schemas that apply themselves to the very value. */
function loopsOf(root: Cursor, sites: readonly Site[], broken: ReadonlySet<string>): Fault[] {
  const done = new Set(broken)
  const found: Fault[] = []
  for (const { kind, at } of sites) if (kind === 'schema') visit(at, new Set())
  return found

  function visit(at: Cursor, open: Set<string>): void {
    if (open.has(at.pointer)) {
      const error = new ContractError(at.pointer, '$ref', 'must not be made of itself')
      found.push({ at, error })
      return
    }
    if (done.has(at.pointer)) return
    open.add(at.pointer)
    for (const part of inPlaceOf(root, at)) visit(part, open)
    open.delete(at.pointer)
    done.add(at.pointer)
  }
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'an array' : shown(value)
}

/** A value of the document, as a message shows it: the document is no secret. */
function shown(value: unknown): string {
  const text = quoted(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}

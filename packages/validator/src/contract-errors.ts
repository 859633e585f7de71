import { ContractError } from './contract-error.ts'
import { type Cursor, child, children, keywordOf } from './cursor.ts'
import { isNode, pointerOf, quoted } from './json.ts'
import { expectedValueOf, type Rule, regExpOf } from './keywords.ts'
import { follow, inPlaceOf } from './reference.ts'
import { resolve, resourcesOf } from './resources.ts'
import { type Site, sitesFrom } from './sites.ts'

/** An error of a document and its location. */
export interface AjvError {
  readonly error: ContractError
  /** The innermost schema or object that contains the error. */
  readonly at: Cursor
}

/** All errors of a document that affect validation, in the order of the document. */
export function faultsOf(root: Cursor): AjvError[] {
  const sites = allSites(root)
  const broken = sites.flatMap((site) => faultsAt(root, site))
  const loops = loopsOf(root, sites, new Set(broken.map(({ at }) => at.pointer)))
  return [...broken, ...loops]
}

/** All schemas and other objects, including those that are schemas only because of a reference. */
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

function faultsAt(root: Cursor, site: Site): AjvError[] {
  const { kind, at, keyword } = site
  if (kind !== 'schema')
    return [...referenceFaults(root, at), ...(keyword === 'parameters' ? unnamed(at) : [])]
  if (typeof at.node === 'boolean') return []
  if (!isNode(at.node) || Array.isArray(at.node))
    return [{ at, error: new ContractError(at.pointer, keyword, `must be a schema, got ${kindOf(at.node)}`) }]
  const wrong = Object.keys(at.node).flatMap((name) => wrongValue(at, name))
  return wrong.length > 0 ? wrong : [...repeatedIds(root, at), ...unresolved(root, at)]
}

function wrongValue(at: Cursor, keyword: string): AjvError[] {
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
      error: new ContractError(pointer, keyword, 'must have a regular expression as its name'),
    }))
}

function unresolved(root: Cursor, at: Cursor): AjvError[] {
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
    `must refer to a location in the document, got ${reference}`,
  )
}

/** A duplicate identifier, which makes references ambiguous. */
function repeatedIds(root: Cursor, at: Cursor): AjvError[] {
  const id = keywordOf(at, '$id')
  if (typeof id !== 'string' || resourcesOf(root).byPointer.has(at.pointer)) return []
  return [{ at, error: new ContractError(`${at.pointer}/$id`, '$id', `must be a unique URI, got ${id}`) }]
}

/** References of parameters, responses, path items and other objects that are not schemas. */
function referenceFaults(root: Cursor, at: Cursor): AjvError[] {
  try {
    follow(root, at)
    return []
  } catch (error) {
    if (!(error instanceof ContractError)) throw error
    return [{ at, error }]
  }
}

/** The required fields of a parameter (OpenAPI 3.1, "Parameter Object"). A header has its name as its key. */
const NAMED: Readonly<Record<string, Rule>> = {
  name: { expected: 'a string', isMet: (it) => typeof it === 'string' },
  in: {
    expected: 'path, query, header or cookie',
    // OpenAPI 3.2 adds `querystring`, which is not supported.
    isMet: (it) => ['path', 'query', 'header', 'cookie', 'querystring'].includes(String(it)),
  },
}

function unnamed(at: Cursor): AjvError[] {
  if (keywordOf(at, '$ref') !== undefined) return []
  const [wrong] = Object.entries(NAMED).filter(([keyword, { isMet }]) => !isMet(keywordOf(at, keyword)))
  if (!wrong) return []
  const [keyword, { expected }] = wrong
  const message = `must have "${keyword}": ${expected}, got ${shown(keywordOf(at, keyword))}`
  return [{ at, error: new ContractError(at.pointer, keyword, message) }]
}

/** Schemas that apply to the same value recursively. */
function loopsOf(root: Cursor, sites: readonly Site[], broken: ReadonlySet<string>): AjvError[] {
  const done = new Set(broken)
  const found: AjvError[] = []
  for (const { kind, at } of sites) if (kind === 'schema') visit(at, new Set())
  return found

  function visit(at: Cursor, open: Set<string>): void {
    if (open.has(at.pointer)) {
      const error = new ContractError(at.pointer, '$ref', 'must not refer to itself')
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

/** Formats a value of the document, which is not secret, for a message. */
function shown(value: unknown): string {
  const text = quoted(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}

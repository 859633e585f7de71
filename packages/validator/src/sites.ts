import { type Cursor, child, children } from './cursor.ts'
import { isNode } from './json.ts'

/** The kind of an object in an OpenAPI document. A header counts as a parameter. */
export type Kind = keyof typeof PARTS

/** A location that can contain a reference or a schema. */
export interface Site {
  readonly kind: Kind
  readonly at: Cursor
  /** The containing keyword, such as `items`, or `properties` for each property. */
  readonly keyword: string
}

/** The methods of a path item. */
export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** `kind*` is a map or array of a kind, `kind~` a map that may also have extensions. */
const PARTS = {
  document: { paths: 'pathItem~', webhooks: 'pathItem*', components: 'components' },
  components: {
    schemas: 'schema*',
    responses: 'response*',
    parameters: 'parameter*',
    requestBodies: 'body*',
    headers: 'parameter*',
    pathItems: 'pathItem*',
  },
  pathItem: { parameters: 'parameter*', ...Object.fromEntries(METHODS.map((it) => [it, 'operation'])) },
  operation: { parameters: 'parameter*', requestBody: 'body', responses: 'response~' },
  parameter: { schema: 'schema' },
  body: { content: 'mediaType*' },
  response: { headers: 'parameter*', content: 'mediaType*' },
  mediaType: { schema: 'schema' },
  schema: {
    ...byKeyword('allOf anyOf oneOf properties', 'schema*'),
    ...byKeyword('items additionalProperties', 'schema'),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

function byKeyword(keywords: string, part: string): Record<string, string> {
  return Object.fromEntries(keywords.split(' ').map((keyword) => [keyword, part]))
}

/** All sites of a document in preorder. Skips extensions, examples and other values. */
export function* sitesOf(root: Cursor): Generator<Site> {
  yield* sitesFrom({ kind: 'document', at: root, keyword: '' })
}

/** A site and the sites inside it. */
export function* sitesFrom(first: Site): Generator<Site> {
  const waiting = [first]
  for (let site = waiting.pop(); site; site = waiting.pop()) {
    yield site
    waiting.push(...partsOf(site).reverse())
  }
}

/** The contents of each kind by keyword. */
const HELD = new Map(
  Object.entries(PARTS).map(([kind, parts]) => [
    kind,
    new Map(
      Object.entries(parts).map(([keyword, part]) => [
        keyword,
        { of: part.replace(/[*~]$/, '') as Kind, isMany: /[*~]$/.test(part), isExtended: part.endsWith('~') },
      ]),
    ),
  ]),
)

function partsOf({ kind, at }: Site): Site[] {
  const parts = HELD.get(kind)
  const keywords = isNode(at.node) ? Object.keys(at.node).filter((keyword) => parts?.has(keyword)) : []
  return keywords.flatMap((keyword) => {
    const [part, held] = [parts?.get(keyword), child(at, keyword)]
    if (!part || !held) return []
    const { of, isMany, isExtended } = part
    if (!isMany) return [{ kind: of, at: held, keyword }]
    const each = children(held).filter(([name]) => !isExtended || !name.startsWith('x-'))
    return each.map(([, it]) => ({ kind: of, at: it, keyword }))
  })
}

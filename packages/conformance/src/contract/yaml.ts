import {
  type Alias,
  type Document,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
} from 'yaml'
import { isTooDeep, parsedJson, repeatsAnyField } from './json.ts'

export type ParsedFile = { readonly value: unknown } | { readonly problem: string }

/**
 * Parses the YAML or JSON of a file that a user names: `{ value }`, or `{ problem }` if it is invalid or
 * too large. A problem says where it is and never what stands there: the file may be another one than
 * the user meant, such as one with secrets.
 */
export function parseYaml(text: string): ParsedFile {
  // JSON is parsed fast, and needs none of the limits below. If a field stands in it twice, the parser of YAML
  // says where.
  const json = parsedJson(text)
  const isUsableJson = json !== undefined && !repeatsAnyField(text)
  if (isUsableJson) return { value: json }

  const excess = describeExcess(text)
  if (excess !== undefined) return { problem: excess }

  const lines = new LineCounter()
  // By default, warnings are printed, and quote the file.
  const document = parseDocument(text, {
    lineCounter: lines,
    logLevel: 'silent',
    // The parser would compare each key with all others of its object; `findRepeatedKey` is faster.
    uniqueKeys: false,
  })
  function problemAt(offset: number, problem: string): ParsedFile {
    const { line, col } = lines.linePos(offset)
    return { problem: `line ${line}, column ${col}: ${problem}` }
  }

  const [error] = document.errors
  if (error) return problemAt(error.pos[0], describeCode(error.code))

  const repeatedAt = findRepeatedKey(document)
  if (repeatedAt !== undefined) return problemAt(repeatedAt, 'duplicate key')

  const aliases = listAliases(document)
  for (const { alias, target, parents } of aliases) {
    if (!target) return problemAt(readOffset(alias), 'an alias has no anchor above it')
    if (parents.includes(target))
      return problemAt(readOffset(alias), 'an alias stands inside of what it names')
  }

  try {
    return { value: document.toJS() as unknown }
  } catch {
    // Ten lines of nine aliases each, of the line before, have a billion nodes.
    const last = aliases.at(-1)
    return problemAt(last ? readOffset(last.alias) : 0, 'the aliases are too many, or too large')
  }
}

/** An alias, with the node that it names, which is undefined if there is none, and the nodes around it. */
interface FoundAlias {
  readonly alias: Alias
  readonly target: Node | undefined
  readonly parents: readonly unknown[]
}

/** Lists the aliases of a document in the order of the text. */
function listAliases(document: Document.Parsed): readonly FoundAlias[] {
  const anchored = new Map<string, Node>()
  const aliases: FoundAlias[] = []
  visit(document, {
    Node(_, node) {
      if (isNode(node) && 'anchor' in node && node.anchor) anchored.set(node.anchor, node)
    },
    Alias(_, alias, parents) {
      aliases.push({ alias, target: anchored.get(alias.source), parents })
    },
  })
  return aliases
}

function readOffset({ range }: Node): number {
  return range?.[0] ?? 0
}

/** Says why a text is too much for the parser; undefined if it is not. */
function describeExcess(text: string): string | undefined {
  if (isTooDeep(text, MAX_LEVELS)) return 'it is nested too deeply'
  if (text.length > MAX_CHARACTERS)
    return `it has more than ${MAX_CHARACTERS} characters; write it as JSON`
  return hasManyMarks(text) ? 'it has too many anchors or tags in a row' : undefined
}

/** Finds the offset in the text of the first key that its object has twice; undefined if there is none. */
function findRepeatedKey(document: Document.Parsed): number | undefined {
  let offset: number | undefined
  visit(document, {
    Map(_, { items }) {
      const key = findRepeatedScalar(items.map((item) => item.key))
      if (!key) return undefined

      offset = key.range?.[0] ?? 0
      return visit.BREAK
    },
  })
  return offset
}

/** Finds the first key that has the same value as one before it. Keys that are objects are not compared. */
function findRepeatedScalar(keys: readonly unknown[]): Scalar | undefined {
  const values = new Set<unknown>()
  for (const key of keys) {
    if (!isScalar(key)) continue
    if (values.has(key.value)) return key
    values.add(key.value)
  }
  return undefined
}

/** Anchors and tags in a row. A value has at most one of each. */
const MAX_MARKS = 100

/**
 * Whether more anchors (`&name`) or tags (`!tag`) follow each other, without another word between them, than any
 * file needs. The parser compares each with all others, which takes long.
 */
function hasManyMarks(text: string): boolean {
  let marks = 0
  for (const [word] of text.matchAll(/\S+/g)) {
    const isMark = word.startsWith('&') || word.startsWith('!')
    marks = isMark ? marks + 1 : 0
    if (marks > MAX_MARKS) return true
  }
  return false
}

/** The parser needs a second for twice as many. JSON has no such limit. */
const MAX_CHARACTERS = 1_000_000

/** Levels of arrays and objects. Quotes and brackets of plain text may count as some. */
const MAX_LEVELS = 2_000

/** Writes the code of an error as words: `BAD_INDENT` is "bad indent". */
function describeCode(code: string): string {
  return code.toLowerCase().replaceAll('_', ' ')
}

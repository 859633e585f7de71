import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml'
import { keysOf } from '../lint/pointer.ts'

const MERGE = '<<'

interface SourceFile {
  /** Relative to the folder of the contract, with slashes. */
  readonly name: string
  readonly document: Document
  readonly anchors: ReadonlyMap<string, Node>
  readonly lines: LineCounter
  /** Files of the same contract by name, read on demand. */
  readonly files: Map<string, SourceFile>
  readonly folder: string
}

/** A node of a file, with the line of its key, or of the node if it has none. */
export interface Place {
  readonly file: SourceFile
  readonly node: unknown
  readonly line: number
}

/** Reads a file. @throws If it cannot be read or is not YAML. */
export function readFrom(folder: string, name: string): Place {
  return whole(open(folder, name, new Map()))
}

/** The value of a key in a map. An own key overrides a merged one. */
export function memberOf(place: Place, name: string): Place | undefined {
  return ownMember(place, name) ?? (name === MERGE ? undefined : mergedMember(place, name))
}

function ownMember(place: Place, name: string): Place | undefined {
  const node = resolved(place)
  const pair = isMap(node)
    ? node.items.find(({ key }) => isScalar(key) && String(key.value) === name)
    : undefined
  return pair && { ...place, node: pair.value, line: lineOf(pair.key as Node, place) }
}

function mergedMember(place: Place, name: string): Place | undefined {
  const merged = ownMember(place, MERGE)
  return merged && memberOf(merged, name)
}

/** The item of a sequence. */
export function itemAt(place: Place, index: number): Place | undefined {
  const node = resolved(place)
  const item = isSeq(node) ? (node.items[index] as Node | undefined) : undefined
  return item && { ...place, node: item, line: lineOf(item, place) }
}

/** The target of a reference, possibly in another file; undefined if the node is not a reference. */
export function follow(place: Place): Place | undefined {
  const ref = memberOf(place, '$ref')?.node
  if (!isScalar(ref) || typeof ref.value !== 'string') return undefined
  const [path = '', fragment = ''] = ref.value.split('#')
  const { file } = place
  const name = path ? posix.join(posix.dirname(file.name), path) : file.name
  const target = keysOf(`#${fragment}`).reduce<Place | undefined>(
    (at, key) => at && memberOf(at, key),
    whole(open(file.folder, name, file.files)),
  )
  if (!target) throw new Error(`${file.name}:${place.line}: "${ref.value}" leads nowhere`)
  return target
}

function open(folder: string, name: string, files: Map<string, SourceFile>): SourceFile {
  const known = files.get(name)
  if (known) return known
  const lines = new LineCounter()
  const document = parseDocument(readFileSync(join(folder, name), 'utf8'), { lineCounter: lines })
  const [error] = document.errors
  if (error) throw new Error(`${name}:${error.linePos?.[0].line ?? 1}: ${error.message}`, { cause: error })
  const file = { name, document, anchors: anchorsOf(document), lines, files, folder }
  files.set(name, file)
  return file
}

/** Indexed once, since the library reads the whole file to resolve each alias. */
function anchorsOf(document: Document): ReadonlyMap<string, Node> {
  const anchors = new Map<string, Node>()
  visit(document, {
    Value: (_, node) => {
      if (node.anchor) anchors.set(node.anchor, node)
    },
  })
  return anchors
}

function whole(file: SourceFile): Place {
  return { file, node: file.document.contents, line: 1 }
}

function resolved({ node, file }: Place): unknown {
  return isAlias(node) ? file.anchors.get(node.source) : node
}

function lineOf(node: Node, { file, line }: Place): number {
  return node.range ? file.lines.linePos(node.range[0]).line : line
}

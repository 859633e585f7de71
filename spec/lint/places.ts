import { stepsOf } from '@partner-payments/contract'
import { isAlias, isMap, isScalar, isSeq, type Node } from 'yaml'
import { openFile, type SourceFile } from './files.ts'

/** A node of a file, with the position of its key, or of the node if it has none. */
export interface Place {
  readonly file: SourceFile
  readonly node: unknown
  readonly line: number
  readonly col: number
}

/** A position in a file of the contract, and what is wrong there. */
export interface Located {
  readonly file: string
  readonly line: number
  readonly col: number
  readonly message: string
}

/** The place of a JSON pointer (RFC 6901) in a file; that of the nearest node above if it has none. */
export function findPlace(spec: string, name: string, pointer: string): Place {
  let nearest = findRoot(openFile(spec, name))
  for (const step of stepsOf(pointer)) {
    const child = findChild(nearest, step)
    if (!child) return nearest
    nearest = child
  }
  return nearest
}

export function findRoot(file: SourceFile): Place {
  return { file, node: file.document.contents, line: 1, col: 1 }
}

/**
 * The place of the value of a key, or of an item of a list; undefined if there is none. A key of
 * the map overrides one that is merged into it (`<<`).
 */
export function findChild(place: Place, step: string): Place | undefined {
  const { file, node } = place
  const holder = isAlias(node) ? node.resolve(file.document) : node
  if (isSeq(holder)) {
    const item = holder.items[Number(step)]
    return item === undefined ? undefined : createPlace(place, item, item as Node)
  }
  if (!isMap<Node>(holder)) return undefined

  const pair = holder.items.find(({ key }) => readKeyName(key) === step)
  if (pair) return createPlace(place, pair.value, pair.key)

  // The map merges no other one: without this, the next line would look for it forever.
  if (step === '<<') return undefined
  const mergedMap = findChild(place, '<<')
  return mergedMap && findChild(mergedMap, step)
}

/** The name of a key. The key of a merge is a symbol. */
function readKeyName(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined
  return typeof key.value === 'symbol' ? '<<' : String(key.value)
}

/** A node below a place, with the position of `from`, or that of the place if it has none. */
function createPlace({ file, line, col }: Place, node: unknown, from: Node | undefined): Place {
  const start = from?.range?.[0]
  if (start === undefined) return { file, node, line, col }
  return { file, node, ...file.lines.linePos(start) }
}

import { contractFiles, openFile } from './files.ts'
import { isNode } from './marks.ts'
import { pointerBelow } from './operations.ts'
import { findPlace, type Located } from './places.ts'

/** The longest line of a file of the contract, in characters. */
export const MAX_LINE = 120

/** The keys that an operation begins with. Extensions come last. */
const ORDER = [
  'operationId',
  'tags',
  'summary',
  'description',
  'security',
  'parameters',
  'requestBody',
]

/**
 * Reports long lines, keys of operations in an unusual order, and anchors and aliases in files of
 * operations. Examples are left out: they share values by aliases.
 */
export function styleFaults(spec: string): Located[] {
  const faults: Located[] = []
  for (const name of filesWithLimit(spec)) {
    const operations = [...findOperations(openFile(spec, name).value(), '')]
    faults.push(...longLines(spec, name), ...disorderedKeys(spec, name, operations))
    const hasOperations = operations.length > 0
    if (hasOperations) faults.push(...sharedNodes(spec, name))
  }
  return faults
}

/** The files of the contract whose lines have a limit: examples have long codes and images. */
export function filesWithLimit(spec: string): string[] {
  return contractFiles(spec).filter((name) => !name.startsWith('examples/'))
}

/** Reports lines with more characters than an editor shows beside another file. */
function longLines(spec: string, file: string): Located[] {
  const faults: Located[] = []
  for (const [index, text] of openFile(spec, file).text.split('\n').entries()) {
    if (text.length <= MAX_LINE) continue
    const message = `A line has at most ${MAX_LINE} characters, got ${text.length}; break it.`
    faults.push({ file, line: index + 1, col: MAX_LINE + 1, message })
  }
  return faults
}

/** An operation as a file has it: its keys in their order. */
interface WrittenOperation {
  readonly keys: readonly string[]
  readonly at: string
}

/** The operations at and below a node of a file, each with its keys in the order of the file. */
function* findOperations(value: unknown, at: string): Generator<WrittenOperation> {
  if (!isNode(value)) return
  if ('operationId' in value && 'responses' in value) {
    yield { keys: Object.keys(value), at }
    return
  }
  for (const [name, child] of Object.entries(value))
    yield* findOperations(child, pointerBelow(at, name))
}

/** Reports, for each operation, the first key that must come before one above it. */
function disorderedKeys(
  spec: string,
  file: string,
  operations: readonly WrittenOperation[],
): Located[] {
  const faults: Located[] = []
  for (const { keys, at } of operations) {
    const lateKey = findLateKey(keys)
    if (lateKey === undefined) continue

    const laterKey = keys.find((key) => rankOfKey(key) > rankOfKey(lateKey))
    const message = `"${lateKey}" must come before "${laterKey}"; move it up.`
    const { line, col } = findPlace(spec, file, pointerBelow(at, lateKey))
    faults.push({ file, line, col, message })
  }
  return faults
}

/**
 * The first key that must come before a key above it: `tags` in `['operationId', 'responses',
 * 'tags']`. The rank of a key is its place in the usual order. Undefined if all are in order.
 */
function findLateKey(keys: readonly string[]): string | undefined {
  let highestRank = 0
  for (const key of keys) {
    const rank = rankOfKey(key)
    if (rank < highestRank) return key
    highestRank = rank
  }
  return undefined
}

/** The position of a key in ORDER; other keys come after those, and extensions last. */
function rankOfKey(key: string): number {
  if (key.startsWith('x-')) return ORDER.length + 1
  return ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length
}

/**
 * Reports anchors (`&name`) and aliases (`*name`), by which an operation could not be read without
 * another one.
 */
function sharedNodes(spec: string, file: string): Located[] {
  const { text, lines } = openFile(spec, file)
  const faults: Located[] = []
  for (const match of text.matchAll(ANCHOR_OR_ALIAS)) {
    const { line, col } = lines.linePos(match.index)
    const message = `An operation can be read alone: write out "${match[0]}" here.`
    faults.push({ file, line, col, message })
  }
  return faults
}

/** `&name` or `*name` where a value begins. */
const ANCHOR_OR_ALIAS = /(?<=[:-] )[&*]\w+/g

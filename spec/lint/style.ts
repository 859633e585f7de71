import { contractFiles, openFile } from './files.ts'
import { isNode } from './marks.ts'
import { pointerBelow } from './operations.ts'
import { findPlace, type Located } from './places.ts'

const MAX_LINE = 120

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

/** Long lines, keys of operations in another order than readers expect, and aliases beside them. */
export function styleFaults(spec: string): Located[] {
  const files = contractFiles(spec).filter((name) => !name.startsWith('examples/'))
  return files.flatMap((name) => {
    const operations = [...findOperations(openFile(spec, name).value(), '')]
    return [
      ...longLines(spec, name),
      ...disorderedKeys(spec, name, operations),
      ...(operations.length > 0 ? sharedNodes(spec, name) : []),
    ]
  })
}

/** Lines with more characters than an editor shows beside another file. */
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

/** The operations below a node of a file. */
function* findOperations(value: unknown, at: string): Generator<WrittenOperation> {
  if (!isNode(value)) return
  if ('operationId' in value && 'responses' in value) {
    yield { keys: Object.keys(value), at }
    return
  }
  for (const [name, child] of Object.entries(value))
    yield* findOperations(child, pointerBelow(at, name))
}

/** The first key of each operation that stands too late. */
function disorderedKeys(
  spec: string,
  file: string,
  operations: readonly WrittenOperation[],
): Located[] {
  return operations.flatMap(({ keys, at }) => {
    const late = keys.find((key, index) => {
      const keyBefore = keys[index - 1] ?? key
      return rankOfKey(key) < rankOfKey(keyBefore)
    })
    if (late === undefined) return []

    const before = keys.find((key) => rankOfKey(key) > rankOfKey(late))
    const { line, col } = findPlace(spec, file, pointerBelow(at, late))
    return [{ file, line, col, message: `"${late}" must come before "${before}"; move it up.` }]
  })
}

/** The position of a key in ORDER; other keys come after those, and extensions last. */
function rankOfKey(key: string): number {
  if (key.startsWith('x-')) return ORDER.length + 1
  return ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length
}

/** Anchors (`&name`) and aliases (`*name`): an operation can be read alone. */
function sharedNodes(spec: string, file: string): Located[] {
  const { text, lines } = openFile(spec, file)
  const matches = text.matchAll(/(?<=[:-] )[&*]\w+/g)
  return Array.from(matches, ({ index, 0: anchorOrAlias }) => ({
    file,
    ...lines.linePos(index),
    message: `An operation can be read alone: write out "${anchorOrAlias}" here.`,
  }))
}

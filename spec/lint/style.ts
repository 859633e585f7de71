import { contractFiles, openFile } from './files.ts'
import { isNode } from './marks.ts'
import { pointerBelow } from './operations.ts'
import { type Located, placeIn } from './places.ts'

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
    const operations = [...operationsIn(openFile(spec, name).value(), '')]
    const faults = [...longLines(spec, name), ...disorderIn(spec, name, operations)]
    return operations.length > 0 ? [...faults, ...sharedIn(spec, name)] : faults
  })
}

function longLines(spec: string, file: string): Located[] {
  const faults: Located[] = []
  for (const [index, text] of openFile(spec, file).text.split('\n').entries()) {
    if (text.length <= MAX_LINE) continue
    const message = `A line has at most ${MAX_LINE} characters, got ${text.length}; break it.`
    faults.push({ file, line: index + 1, col: MAX_LINE + 1, message })
  }
  return faults
}

interface FoundOperation {
  readonly keys: readonly string[]
  readonly at: string
}

function* operationsIn(value: unknown, at: string): Generator<FoundOperation> {
  if (!isNode(value)) return
  if ('operationId' in value && 'responses' in value) {
    yield { keys: Object.keys(value), at }
    return
  }
  for (const [name, child] of Object.entries(value))
    yield* operationsIn(child, pointerBelow(at, name))
}

/** The first key of each operation that stands too late. */
function disorderIn(spec: string, file: string, operations: readonly FoundOperation[]): Located[] {
  return operations.flatMap(({ keys, at }) => {
    const index = keys.findIndex((key, place) => rankOf(key) < rankOf(keys[place - 1] ?? key))
    const late = keys[index]
    if (late === undefined) return []

    const before = keys.find((key) => rankOf(key) > rankOf(late))
    const { line, col } = placeIn(spec, file, pointerBelow(at, late))
    return [{ file, line, col, message: `"${late}" must come before "${before}"; move it up.` }]
  })
}

function rankOf(key: string): number {
  if (key.startsWith('x-')) return ORDER.length + 1
  return ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length
}

/** Anchors and aliases in a file of operations, which can be read alone. */
function sharedIn(spec: string, file: string): Located[] {
  const { text, lines } = openFile(spec, file)
  return [...text.matchAll(/[:-] [&*]\w+/g)].map(({ index, 0: found }) => ({
    file,
    ...lines.linePos(index + 2),
    message: `An operation can be read alone: write out "${found.slice(2)}" here.`,
  }))
}

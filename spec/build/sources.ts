import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pointerOf } from '@partner-payments/contract'
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'

/**
 * Maps the JSON pointer (RFC 6901) of each bundle node to its source `file:line`, relative to the
 * folder of the contract.
 */
export type Sources = Readonly<Record<string, string>>

/** A node of a file, with the line of its key, or of the node if it has none. */
interface Place {
  readonly file: SourceFile
  readonly node: unknown
  readonly line: number
}

type SourceFile = ReturnType<typeof open>

/**
 * Finds the source of each bundle node by walking the bundle beside its files. A path and a
 * component have the place of their key, which is unique over all files. A node that the bundler
 * added, such as the object of all schemas, has the line of its parent.
 *
 * @throws An error if a file cannot be read.
 *
 * @example
 * sourcesOf(contract, SPEC)['/components/schemas/KeyCheck'] // 'schemas/keys.yaml:7'
 */
export function sourcesOf(contract: object, spec: string, root = 'openapi.yaml'): Sources {
  const files = partsOf(spec)
  const sources: Record<string, string> = {}
  visit(contract, '', rootOf(open(spec, root)))
  return sources

  function visit(value: unknown, pointer: string, place: Place): void {
    sources[pointer] = `${place.file.name}:${place.line}`
    if (typeof value !== 'object' || value === null) return
    for (const [step, child] of Object.entries(value)) {
      const own = childOf(place, step)
      const key = isKeyed(pointer) ? keyOf(files, step, own) : undefined
      visit(child, pointerOf(pointer, step), key ?? own ?? place)
    }
  }
}

/** The files that the root files refer to. */
function partsOf(spec: string): SourceFile[] {
  const names = ['parameters.yaml', 'responses.yaml']
  for (const folder of ['paths', 'schemas', 'examples'])
    for (const name of readdirSync(join(spec, folder))) names.push(`${folder}/${name}`)
  return names.map((name) => open(spec, name))
}

/** Below this pointer are paths, events or components, which have a key in another file. */
function isKeyed(pointer: string): boolean {
  return /^\/(paths|webhooks|components\/\w+)$/.test(pointer)
}

/** The key of a path, an event or a component in another file than the root. */
function keyOf(
  files: readonly SourceFile[],
  step: string,
  own: Place | undefined,
): Place | undefined {
  const ref = own && childOf(own, '$ref')?.node
  const [name, key] = isScalar(ref) ? String(ref.value).split('#/') : ['', step]
  for (const file of files) {
    // A reference without a file names a component, and the files of paths have none.
    const canHave = name ? file.name === name : !file.name.startsWith('paths/')
    const place = canHave ? childOf(rootOf(file), String(key)) : undefined
    if (place) return place
  }
  return undefined
}

function open(folder: string, name: string) {
  const lineCounter = new LineCounter()
  const text = readFileSync(join(folder, name), 'utf8')
  return {
    name,
    lines: lineCounter,
    document: parseDocument(text, { lineCounter }),
  }
}

function rootOf(file: SourceFile): Place {
  return { file, node: file.document.contents, line: 1 }
}

/** The value of a key, or the item of a sequence. An own key overrides a merged one. */
function childOf(place: Place, step: string): Place | undefined {
  const { file, node } = place
  const holder = isAlias(node) ? node.resolve(file.document) : node
  if (isSeq(holder)) {
    const item = holder.items[Number(step)]
    return placeOf(place, item, item as Node)
  }
  if (!isMap<Node>(holder)) return undefined

  const pair = holder.items.find(({ key }) => isScalar(key) && String(key.value) === step)
  if (pair) return placeOf(place, pair.value, pair.key)

  if (step === '<<') return undefined
  const merged = childOf(place, '<<')
  return merged && childOf(merged, step)
}

/** A node below a place, with the line of `from`, or that of the place if it has none. */
function placeOf({ file, line }: Place, node: unknown, from: Node | undefined): Place {
  const start = from?.range?.[0]
  return {
    file,
    node,
    line: start === undefined ? line : file.lines.linePos(start).line,
  }
}

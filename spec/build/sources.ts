import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pointerOf } from '@partner-payments/text'
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
  const folders = ['paths', 'schemas', 'examples'].flatMap((folder) =>
    readdirSync(join(spec, folder)).map((name) => `${folder}/${name}`),
  )
  const files = ['parameters.yaml', 'responses.yaml', ...folders].map((name) => open(spec, name))
  const sources: Record<string, string> = {}

  function visit(value: unknown, pointer: string, place: Place): void {
    sources[pointer] = `${place.file.name}:${place.line}`
    if (typeof value !== 'object' || value === null) return
    for (const [step, child] of Object.entries(value)) {
      const own = childOf(place, step)
      visit(child, pointerOf(pointer, step), keyOf(step, pointer, own) ?? own ?? place)
    }
  }

  /** The key of a path, an event or a component in another file than the root. */
  function keyOf(step: string, pointer: string, own: Place | undefined): Place | undefined {
    const ref = own && childOf(own, '$ref')?.node
    const [name, key] = isScalar(ref) ? String(ref.value).split('#/') : [undefined, step]
    const isOther = /^\/(paths|webhooks|components\/\w+)$/.test(pointer)
    const isIn = (file: SourceFile) => (name ? file.name === name : !file.name.startsWith('paths/'))
    const found = isOther ? files.filter(isIn) : []
    return found.map((file) => childOf(whole(file), String(key))).find((it) => it !== undefined)
  }

  visit(contract, '', whole(open(spec, root)))
  return sources
}

function open(folder: string, name: string) {
  const lines = new LineCounter()
  return {
    name,
    lines,
    document: parseDocument(readFileSync(join(folder, name), 'utf8'), { lineCounter: lines }),
  }
}

function whole(file: SourceFile): Place {
  return { file, node: file.document.contents, line: 1 }
}

/** The value of a key, or the item of a sequence. An own key overrides a merged one. */
function childOf({ file, node, line }: Place, step: string): Place | undefined {
  const holder = isAlias(node) ? node.resolve(file.document) : node
  const at = (child: unknown, from: Node | undefined): Place => {
    return { file, node: child, line: from?.range ? file.lines.linePos(from.range[0]).line : line }
  }
  if (isSeq(holder)) return at(holder.items[Number(step)], holder.items[Number(step)] as Node)
  if (!isMap<Node>(holder)) return undefined
  const pair = holder.items.find(({ key }) => isScalar(key) && String(key.value) === step)
  if (pair) return at(pair.value, pair.key)
  const merged = step !== '<<' && childOf({ file, node, line }, '<<')
  return merged ? childOf(merged, step) : undefined
}

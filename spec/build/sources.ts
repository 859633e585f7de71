import { pointerOf } from '@partner-payments/contract'
import { isScalar } from 'yaml'
import { openFile, partFiles, type SourceFile } from '../lint/files.ts'
import { findChild, findRoot, type Place } from '../lint/places.ts'

/**
 * Maps the JSON pointer (RFC 6901) of each bundle node to its source `file:line`, relative to the
 * folder of the contract.
 */
export type Sources = Readonly<Record<string, string>>

/**
 * Finds the source of each bundle node.
 *
 * @throws An error if a file cannot be read.
 *
 * @example
 * readSources(contract, SPEC)['/components/schemas/KeyCheck'] // 'schemas/keys.yaml:7'
 */
export function readSources(contract: object, spec: string, root = 'openapi.yaml'): Sources {
  const sources: Record<string, string> = {}
  for (const [pointer, { file, line }] of findPlaces(contract, spec, root))
    sources[pointer] = `${file.name}:${line}`
  return sources
}

/**
 * Finds where each node of the bundled contract is written, by its JSON pointer: the file, the line
 * and the column. A path and a component have the place of their key, which is unique over all
 * files. A node that the bundler added, such as the object of all schemas, has the place of its
 * parent.
 */
export function findPlaces(contract: object, spec: string, root: string): Map<string, Place> {
  const files = partFiles(spec).map((name) => openFile(spec, name))
  const places = new Map<string, Place>()
  recordPlaces(contract, '', findRoot(openFile(spec, root)))
  return places

  /** Records the place of a node, and those of all nodes below it. */
  function recordPlaces(value: unknown, pointer: string, place: Place): void {
    places.set(pointer, place)
    if (typeof value !== 'object' || value === null) return
    for (const [step, child] of Object.entries(value)) {
      const placeInParent = findChild(place, step)
      const placeOfKey = hasKeyedChildren(pointer) && findKey(files, step, placeInParent)
      recordPlaces(child, pointerOf(pointer, step), placeOfKey || placeInParent || place)
    }
  }
}

/** Whether paths, events or components are below a pointer, which have a key in another file. */
function hasKeyedChildren(pointer: string): boolean {
  return /^\/(paths|webhooks|components\/\w+)$/.test(pointer)
}

/**
 * Finds where a path, an event or a component is declared: its key in a file that the root refers
 * to. Undefined if the root declares it itself.
 *
 * @param step The name of the path, event or component.
 * @param placeInRoot What the root has under that name, if anything: usually a `$ref` to the key in
 * a file.
 */
function findKey(
  files: readonly SourceFile[],
  step: string,
  placeInRoot: Place | undefined,
): Place | undefined {
  const ref = placeInRoot && findChild(placeInRoot, '$ref')?.node
  if (isScalar(ref)) return findReferencedKey(files, String(ref.value))

  // The root does not say in which file a component is. The files of paths have none.
  const filesOfComponents = files.filter(({ name }) => !name.startsWith('paths/'))
  for (const file of filesOfComponents) {
    const place = findChild(findRoot(file), step)
    if (place) return place
  }
  return undefined
}

/** The place of a reference such as `paths/transfers.yaml#/create`. */
function findReferencedKey(files: readonly SourceFile[], ref: string): Place | undefined {
  const [fileName, key = ''] = ref.split('#/')
  const file = files.find(({ name }) => name === fileName)
  return file && findChild(findRoot(file), key)
}

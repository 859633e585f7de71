import { allSites } from './contract-errors.ts'
import { type Cursor, keywordOf } from './cursor.ts'
import { type Node, stepsOf } from './json.ts'
import { dynamicTargets } from './reference.ts'
import { resolve, resourcesOf } from './resources.ts'
import { changed } from './usable.ts'

/**
 * Copies a document for consumers that only support JSON pointers. Rewrites each `$ref`, and each `$dynamicRef` with a
 * single possible target, as a JSON pointer, and removes identifiers. Returns the same document if nothing changes.
 */
export function withPlainReferences(root: Cursor): object {
  const { byPointer } = resourcesOf(root)
  return allSites(root).reduce((document, { kind, at }) => {
    const isIdentified = at.pointer !== '' && byPointer.has(at.pointer)
    const reference =
      plainReference(root, at) ?? (kind === 'schema' ? plainDynamicReference(root, at) : undefined)
    if (!isIdentified && reference === undefined) return document
    return changed(document, stepsOf(at.pointer), (node) => rewritten(node as Node, reference))
  }, root.node) as object
}

function rewritten({ $id: _, ...node }: Node, reference: string | undefined): Node {
  if (reference === undefined) return node
  if ('$ref' in node) return { ...node, $ref: reference }
  const { $dynamicRef: __, ...rest } = node
  return { ...rest, $ref: reference }
}

function plainReference(root: Cursor, at: Cursor): string | undefined {
  const reference = keywordOf(at, '$ref')
  const target = typeof reference === 'string' ? resolve(root, at, reference) : undefined
  return target && plain(target) !== reference ? plain(target) : undefined
}

function plainDynamicReference(root: Cursor, at: Cursor): string | undefined {
  const [target, ...others] = dynamicTargets(root, at)
  const isCertain = target && others.every(({ pointer }) => pointer === target.pointer)
  return isCertain && keywordOf(at, '$ref') === undefined ? plain(target) : undefined
}

/** Encodes percent signs in names. */
function plain({ pointer }: Cursor): string {
  return `#${pointer.replaceAll('%', '%25')}`
}

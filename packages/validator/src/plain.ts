import { allSites } from './contract-errors.ts'
import { type Cursor, keywordOf } from './cursor.ts'
import { pointerOf, stepsOf } from './json.ts'
import { resolve, resourcesOf } from './resources.ts'
import { changed } from './usable.ts'

/**
 * A copy of a document for those who read it by JSON pointers alone: each `$ref` is written as one, whatever anchor,
 * identifier or encoding it has, and identifiers are left out. The same document where it is like that already.
 */
export function withPlainReferences(root: Cursor): object {
  const { byPointer } = resourcesOf(root)
  const edits = allSites(root).flatMap(({ at }): [pointer: string, value: string | undefined][] => {
    const reference = keywordOf(at, '$ref')
    const target = typeof reference === 'string' ? resolve(root, at, reference) : undefined
    // A percent sign of a name would be read as an encoding.
    const plain = target && `#${target.pointer.replaceAll('%', '%25')}`
    const isIdentified = at.pointer !== '' && byPointer.has(at.pointer)
    return [
      ...(plain === undefined || plain === reference
        ? []
        : [[pointerOf(at.pointer, '$ref'), plain] as [string, string]]),
      ...(isIdentified ? [[pointerOf(at.pointer, '$id'), undefined] as [string, undefined]] : []),
    ]
  })
  return edits.reduce((node, [at, value]) => changed(node, stepsOf(at), value), root.node) as object
}

import { readFileSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { ReadAttachment } from './bodies.ts'

/** What the option `folder` must be. */
export const FOLDER_OPTION = [
  'the path of a folder',
  (value: unknown) => typeof value === 'string' && value !== '',
] as const

/** Bytes of a file that is read. */
const MAX_FILE_BYTES = 20_000_000
/** Bytes that are read again of files which several entries name. A small recording may name one often. */
const MAX_REPEATED_BYTES = 10_000_000

/**
 * Creates the function that reads the files beside a recording, in which it keeps large bodies. It returns
 * undefined for a file that is missing, too large, or outside of the folder, even by a link.
 */
export function createFolderReader(folder: string | undefined): ReadAttachment {
  if (folder === undefined) return () => undefined

  const budget = createReadBudget()
  return (name) => {
    try {
      const path = resolveInside(folder, name)
      if (path === undefined) return undefined

      const stats = statSync(path)
      const isReadable = stats.isFile() && stats.size <= MAX_FILE_BYTES
      if (!isReadable || !budget.spend(path, stats.size)) return undefined
      return readFileSync(path)
    } catch {
      // The file is not there, so the body is unknown.
      return undefined
    }
  }
}

/**
 * Creates the limit of the bytes that are read again. A file is always read once; a recording whose entries all
 * name one large file would otherwise take very long.
 */
function createReadBudget() {
  const readPaths = new Set<string>()
  let repeatedBytes = 0
  return {
    /** Notes that a file is read. Returns false if it was read before, and repeated reads are too large. */
    spend(path: string, bytes: number): boolean {
      const isFirstRead = !readPaths.has(path)
      if (isFirstRead) {
        readPaths.add(path)
        return true
      }
      if (repeatedBytes + bytes > MAX_REPEATED_BYTES) return false
      repeatedBytes += bytes
      return true
    },
  }
}

/** Resolves the name of a file in a folder. Undefined if it leads out of the folder. Throws if it is not there. */
function resolveInside(folder: string, name: string): string | undefined {
  const root = realpathSync(folder)
  const path = realpathSync(join(root, name))
  const start = root.endsWith(sep) ? root : root + sep
  return path.startsWith(start) ? path : undefined
}

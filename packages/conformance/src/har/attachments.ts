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

/** Creates a reader of the files in a folder. It reads no file outside, even where a link leads there. */
export function createFolderReader(folder: string | undefined): ReadAttachment {
  if (folder === undefined) return () => undefined
  return (name) => {
    try {
      const root = realpathSync(folder)
      const path = realpathSync(join(root, name))
      const isInside = path.startsWith(root.endsWith(sep) ? root : root + sep)
      if (!isInside) return undefined

      const stats = statSync(path)
      return stats.isFile() && stats.size <= MAX_FILE_BYTES ? readFileSync(path) : undefined
    } catch {
      // The file is not there, so the body is unknown.
      return undefined
    }
  }
}

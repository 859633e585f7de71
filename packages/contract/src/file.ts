import { readFileSync, type Stats, statSync } from 'node:fs'

/** Below what one string can hold, which is 536,870,888 characters. */
const MAX_BYTES = 500_000_000
const MB = 1_000_000

/**
 * Returns the text of a file. Refuses a device or a pipe, which may never end, and a file that the
 * system makes as it is read, which has no size.
 *
 * @throws {Error} which says why the file cannot be read, in a part of a sentence
 */
export function readTextFile(path: string): string {
  const stats = statSync(path)
  const kind = describeKind(stats)
  if (kind !== undefined) throw new Error(`it is a ${kind}, and no file`)
  if (stats.size === 0) throw new Error('it has no content, or is a file of the system')
  if (stats.size > MAX_BYTES)
    throw new Error(`it has ${inMb(stats.size)} MB, and may have ${inMb(MAX_BYTES)} MB`)
  return readFileSync(path, 'utf8')
}

function inMb(bytes: number): string {
  return Math.ceil(bytes / MB).toLocaleString('en-US')
}

/** What a path leads to; undefined for a file. */
function describeKind(stats: Stats): string | undefined {
  if (stats.isFile()) return undefined
  if (stats.isDirectory()) return 'folder'
  return stats.isFIFO() ? 'pipe' : 'device'
}

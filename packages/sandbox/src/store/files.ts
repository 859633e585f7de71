import { type BigIntStats, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { StoreError, StoreUnavailable } from './store.ts'

/** The files of a state in use, which must stay those that were opened. */
export interface StateFiles {
  /**
   * @throws {StoreUnavailable} if one was removed or replaced, or has a second name by now: what is
   *   written would be lost with the process, or by a sandbox that opens the other name
   */
  requireSame(): void
  /** Checks the database alone, before reads: that takes a third of the time. */
  requireSameDatabase(): void
}

const RESTART = 'start the sandbox again, with a file that nothing else removes'

/**
 * Watches the database, its write-ahead log and its lock. A file is compared by device and inode,
 * since another one may be at its path.
 *
 * @param file The path that a user names, which may be a link.
 * @param lock The path of the lock.
 * @throws {StoreError} if another sandbox could open the same file under a name with another lock
 */
export function watchFiles(file: string, lock: string): StateFiles {
  const target = realpathSync(file)
  requireOneName(file, target)
  const requireTarget = createFileGuard(target)
  const requireLink = target === resolve(file) ? undefined : createLinkGuard(file)
  function requireDatabase(): void {
    requireTarget()
    requireLink?.()
  }
  const requireLock = createFileGuard(lock)
  // SQLite names it after the file that a link leads to.
  const requireLog = createFileGuard(`${target}-wal`)
  return {
    requireSame() {
      requireDatabase()
      requireLock()
      requireLog()
    },
    requireSameDatabase: requireDatabase,
  }
}

/**
 * Creates a guard of one file, at a path without links: the next sandbox would look for the log and
 * the lock where a link leads. The first file that it finds is the one that is in use: SQLite may
 * replace a log of an earlier process, and creates one with its first transaction.
 *
 * @throws {StoreUnavailable} (the guard) if another file, a link or nothing is there, or the file has a
 *   second name
 */
function createFileGuard(path: string): () => void {
  let opened: BigIntStats | undefined
  return () => {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    opened ??= found
    if (!opened) return

    requireSameFile(path, opened, found)
    if (found.nlink > 1n) unavailable(path, `has a second name; ${ONE_NAME}`)
  }
}

/** Creates a guard of a path that is a link, or leads through one. */
function createLinkGuard(path: string): () => void {
  const opened = statIfPresent(path)
  return () => {
    if (opened) requireSameFile(path, opened, statIfPresent(path))
  }
}

function requireSameFile(
  path: string,
  opened: BigIntStats,
  found: BigIntStats | undefined,
): asserts found is BigIntStats {
  if (!found) return unavailable(path, `was removed while it was in use; ${RESTART}`)

  const isSame = found.dev === opened.dev && found.ino === opened.ino
  if (!isSame) unavailable(path, `was replaced while it was in use; ${RESTART}`)
}

const ONE_NAME = 'remove the hard link, because another sandbox could open the state by it'

function statIfPresent(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}

function unavailable(path: string, what: string): never {
  throw new StoreUnavailable(`${path} ${what}`)
}

/** @throws {StoreError} if the file has a hard link, or is mounted by itself */
function requireOneName(file: string, target: string): void {
  const stats = statIfPresent(target)
  // Each folder in a folder is a name of it. SQLite says why a folder cannot be opened.
  const hasSecondName = stats?.isFile() && stats.nlink > 1n
  if (hasSecondName)
    throw new StoreError(`${file} cannot be opened: it has a second name; ${ONE_NAME}`)

  if (isMountPoint(target, mounts()))
    throw new StoreError(
      `${file} cannot be opened: it is mounted by itself, so another sandbox could open it outside of the mount; mount its folder instead`,
    )
}

/** The mounts that this process sees; empty where the system has no list. */
function mounts(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8')
  } catch {
    // Only Linux has it.
    return ''
  }
}

/**
 * Whether something is mounted at a path.
 *
 * @param mountinfo As proc_pid_mountinfo(5) describes: the fifth field of a line is the mount point,
 *   with an octal escape for a space, tab, line end or backslash.
 */
export function isMountPoint(path: string, mountinfo: string): boolean {
  const escaped = path.replaceAll(
    /[ \t\n\\]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
  return mountinfo.split('\n').some((line) => line.split(' ', 5)[4] === escaped)
}

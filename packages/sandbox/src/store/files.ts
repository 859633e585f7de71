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
  /**
   * Checks the database alone, before reads: that takes a third of the time. Looks at the disk once
   * in a turn of the event loop.
   */
  requireSameDatabase(): void
}

const RESTART = 'start the sandbox again, with a file that nothing else removes'

/**
 * Watches the files of a state while it is in use: the database, its write-ahead log and its lock.
 * The functions that it returns throw if one of them was removed or replaced.
 *
 * @param file the path that a user names, which may be a link
 * @param lock the path of the lock
 * @throws {StoreError} if another sandbox could open the same file under a name with another lock
 */
export function watchFiles(file: string, lock: string): StateFiles {
  const target = realpathSync(file)
  requireNoHardLink(file, target)
  requireNotMounted(file, target)
  // Guards of the database, and of the link to it if `file` is one.
  const guards = [createFileGuard(target)]
  const isLink = target !== resolve(file)
  if (isLink) guards.push(createLinkGuard(file))
  function requireDatabase(): void {
    for (const guard of guards) guard()
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
    requireSameDatabase: oncePerTurn(requireDatabase),
  }
}

/**
 * Returns a function that checks at most once in a turn of the event loop: the requests that arrived
 * together share one look at the disk, which takes a sixth of the time of a read. A file that is
 * removed during a turn counts as removed after it.
 */
function oncePerTurn(check: () => void): () => void {
  let wasChecked = false
  return () => {
    if (wasChecked) return
    check()
    wasChecked = true
    setImmediate(() => {
      wasChecked = false
    })
  }
}

/**
 * Returns a function that throws if the file at a path is no longer the one that its first call
 * found. A link counts as another file: the next sandbox would look for the log and the lock where
 * the link leads.
 *
 * @throws {StoreUnavailable} (the function) if another file, a link or nothing is there, or the
 *   file has a second name
 */
function createFileGuard(path: string): () => void {
  let opened: BigIntStats | undefined
  return () => {
    const current = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    // Read by the first call, not before: until then, SQLite may replace the log of an earlier
    // process.
    opened ??= current
    // SQLite creates the log with its first transaction.
    if (!opened) return

    requireSameFile(path, opened, current)
    if (current.nlink > 1n) throwUnavailable(path, `has a second name; ${ONE_NAME}`)
  }
}

/** Creates a guard of a path that is a link, or leads through one. */
function createLinkGuard(path: string): () => void {
  const opened = statIfPresent(path)
  return () => {
    if (opened) requireSameFile(path, opened, statIfPresent(path))
  }
}

/** Throws if the file at a path is no longer the one that was opened. */
function requireSameFile(
  path: string,
  opened: BigIntStats,
  current: BigIntStats | undefined,
): asserts current is BigIntStats {
  if (!current) return throwUnavailable(path, `was removed while it was in use; ${RESTART}`)

  // Another file can be at the same path.
  const isSame = current.dev === opened.dev && current.ino === opened.ino
  if (!isSame) throwUnavailable(path, `was replaced while it was in use; ${RESTART}`)
}

const ONE_NAME = 'remove the hard link, because another sandbox could open the state by it'

function statIfPresent(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}

/** @param predicate completes a sentence about the path, such as `was removed` */
function throwUnavailable(path: string, predicate: string): never {
  throw new StoreUnavailable(`${path} ${predicate}`)
}

/**
 * Throws if a file has two names by a hard link: two sandboxes could open it at the same time, each
 * with a lock beside another name.
 *
 * @param file the path that the user named, for the message
 * @param target where it leads
 */
function requireNoHardLink(file: string, target: string): void {
  const stats = statIfPresent(target)
  // A folder has one more name for each folder in it. SQLite says why a folder cannot be opened.
  const hasSecondName = stats?.isFile() && stats.nlink > 1n
  if (hasSecondName)
    throw new StoreError(`${file} cannot be opened: it has a second name; ${ONE_NAME}`)
}

/** Throws if a file is mounted by itself, which gives it a second name outside of the mount. */
function requireNotMounted(file: string, target: string): void {
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

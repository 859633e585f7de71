import { basename, relative, sep } from 'node:path'
// fs.watch stops reporting a file that was replaced by a rename, as git and many editors do.
import { watch } from 'chokidar'

/** Editors write a file in several steps. It is complete this long after the last one. */
const QUIET_MS = 40
/** Files that builds write, and code that a running process cannot reload. */
const NOT_WATCHED: ReadonlySet<string> = new Set([
  '.pages',
  '.vitepress',
  'node_modules',
  '.turbo',
  'build',
  'lint',
  'test',
])

/**
 * Calls `onChange` when files below the folders changed: one call at a time, and one more for all
 * changes during it. Files that builds write do not count. A failed call is reported, and watching
 * continues.
 */
export function watchFolders(folders: readonly string[], onChange: () => Promise<void>) {
  const calls = oneAtATime(onChange)
  let timer: NodeJS.Timeout | undefined
  const watcher = watch([...folders], {
    ignoreInitial: true,
    ignored: (path) => isIgnored(path, folders),
  })
  watcher.on('error', reportError)
  watcher.on('all', () => {
    clearTimeout(timer)
    timer = setTimeout(calls.request, QUIET_MS)
  })
  return {
    /** Resolves when every file is being watched. */
    ready: new Promise<void>((resolve) => watcher.once('ready', resolve)),
    /** Stops watching, and waits for the call in progress. */
    async close() {
      clearTimeout(timer)
      await watcher.close()
      await calls.finish()
    },
  }
}

/**
 * Runs calls one after the other. Requests during a call lead to one more call, since it has not
 * seen their changes. `finish` resolves after the last one.
 */
function oneAtATime(call: () => Promise<void>) {
  let lastCall = Promise.resolve()
  let isNextRequested = false

  async function callNext(): Promise<void> {
    isNextRequested = false
    await call().catch(reportError)
  }

  return {
    /** Asks for a call. One that has not started yet will see this change too. */
    request() {
      if (isNextRequested) return
      isNextRequested = true
      lastCall = lastCall.then(callNext)
    },
    finish: () => lastCall,
  }
}

/** Whether a path below the folders is written by a build or kept by an editor. */
function isIgnored(path: string, folders: readonly string[]): boolean {
  // Editors keep the text before a change in such a file.
  if (basename(path).endsWith('~')) return true
  const folder = folders.find((candidate) => path.startsWith(candidate)) ?? ''
  const steps = relative(folder, path).split(sep)
  // A build writes to a folder such as `dist.next` first.
  return steps.some((step) => NOT_WATCHED.has(step) || step.startsWith('dist'))
}

function reportError(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
}

import { watch } from 'node:fs'
import { sep } from 'node:path'

/** Editors write a file in several steps; this long after the last one, it is done. */
const QUIET_MS = 40
/** Folders that builds write: dist, those beside it that become it, and caches. */
const MADE = /^(dist|node_modules|\.turbo)/

export interface Watching {
  /** Stops watching, and waits for the call that is under way. */
  close(): Promise<void>
}

/**
 * Calls `onChange` after files below the folders have changed: one call at a time, and one more for all
 * that changed while it ran. What a build makes does not count. A failed call is told, and watching goes on.
 */
export function watchFolders(folders: readonly string[], onChange: () => Promise<void>): Watching {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let again = false

  async function run(): Promise<void> {
    do {
      again = false
      await onChange().catch(tell)
    } while (again)
    running = undefined
  }

  function changed(): void {
    again = true
    running ??= run()
  }

  const watchers = folders.map((folder) =>
    watch(folder, { recursive: true }, (_event, name) => {
      if (!name || name.split(sep).some((step) => MADE.test(step))) return
      clearTimeout(timer)
      timer = setTimeout(changed, QUIET_MS)
    }),
  )
  return {
    async close() {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
      again = false
      await running
    },
  }
}

function tell(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
}

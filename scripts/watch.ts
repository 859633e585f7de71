import { watch } from 'node:fs'
import { sep } from 'node:path'

/** Editors write a file in several steps; this long after the last one, it is done. */
const QUIET_MS = 40
const MADE = ['node_modules', 'dist', 'dist.next', '.turbo']

/**
 * Calls `onChange` after files below the folders have changed: one call at a time, and one more for all
 * that changed while it ran. What a build makes does not count. A failed call is told, and watching goes on.
 */
export function watchFolders(folders: readonly string[], onChange: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  let running = false
  let again = false

  async function run() {
    if (running) {
      again = true
      return
    }
    running = true
    await onChange().catch((error: unknown) =>
      process.stderr.write(`${error instanceof Error ? error.message : error}\n`),
    )
    running = false
    if (again) {
      again = false
      await run()
    }
  }

  const watchers = folders.map((folder) =>
    watch(folder, { recursive: true }, (_event, name) => {
      if (!name || MADE.some((made) => name.split(sep).includes(made))) return
      clearTimeout(timer)
      timer = setTimeout(run, QUIET_MS)
    }),
  )
  return {
    close() {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
    },
  }
}

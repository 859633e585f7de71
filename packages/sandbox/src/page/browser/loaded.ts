import { get } from './api.ts'

interface Entry {
  readonly version: string
  readonly body?: unknown
  readonly problem?: string
}

const entries = new Map<string, Entry>()
let changed = 0

/** Increases with every change. Views of loaded data are redrawn then. */
export const loadedVersion = () => changed

/** What was loaded from a path of the control API; undefined until then. */
export function loaded<T>(path: string): T | undefined {
  return entries.get(path)?.body as T | undefined
}

/** Why loading failed. */
export function loadProblem(path: string): string | undefined {
  return entries.get(path)?.problem
}

/** Loads the `data-load` path of each open `details`, once per `data-version`, and drops the data of the others. */
export function followOpened(redraw: () => void): () => void {
  const update = () => {
    const opened = [...document.querySelectorAll<HTMLElement>('details[open][data-load]')]
    const paths = new Set(opened.map(({ dataset }) => dataset.load ?? ''))
    for (const path of entries.keys()) if (!paths.has(path)) entries.delete(path)
    for (const { dataset } of opened) void load(dataset.load ?? '', dataset.version ?? '', redraw)
  }
  // `toggle` does not bubble.
  document.addEventListener('toggle', update, true)
  return update
}

async function load(path: string, version: string, redraw: () => void): Promise<void> {
  const known = entries.get(path)
  if (known?.version === version) return
  entries.set(path, { ...known, version })
  const entry = await get(path).then(
    (body) => ({ version, body }),
    (error: unknown) => ({ version, problem: error instanceof Error ? error.message : String(error) }),
  )
  if (entries.get(path)?.version !== version) return
  entries.set(path, entry)
  changed++
  redraw()
}

import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

/** What is not copied: history, the store of dependencies, and what is built from other files. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules', 'docs/dist', '.turbo'])

/**
 * Copies the repository. Its packages import each other inside the copy, since the links of their
 * dependencies are relative, and everything else from the store of this one.
 *
 * @param from this repository, or a copy of it
 */
export function copyRepository(from = ROOT): { readonly root: string; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), 'repository-'))
  cpSync(from, root, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !LEFT_OUT.has(relative(from, source).replaceAll('\\', '/')),
  })
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) }
}

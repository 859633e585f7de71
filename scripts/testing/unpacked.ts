import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Returns the path of Chromium, and unpacks it on first use. Test files may call this concurrently: each unpacks into
 * its own folder and renames it when complete, so none starts a partial copy.
 *
 * @param within The folder that the unpacked one is kept in; the one for temporary files by default.
 */
export async function unpacked(within = tmpdir()): Promise<string> {
  const home = join(within, `chromium-${version()}`)
  const executable = join(home, 'chromium')
  if (!existsSync(executable)) await unpackTo(home)
  return executable
}

async function unpackTo(home: string): Promise<void> {
  const folder = await mkdtemp(`${home}-`)
  // Chromium unpacks to the folder for temporary files, which is set per process.
  const env = { ...process.env, TMPDIR: folder }
  await run(process.execPath, [fileURLToPath(new URL('./unpack.ts', import.meta.url))], { env })
  try {
    await rename(folder, home)
  } catch (error) {
    await rm(folder, { recursive: true })
    if (!isThere(error)) throw error
  }
}

/** Another process was faster. */
function isThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['EEXIST', 'ENOTEMPTY'].includes(String(error.code))
}

function version(): string {
  const manifest = new URL('../package.json', import.meta.resolve('@sparticuz/chromium'))
  return JSON.parse(readFileSync(manifest, 'utf8')).version
}

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readArguments } from './arguments.ts'
import { runTurbo } from './turbo.ts'

const ROOT = resolve(import.meta.dirname, '..')
const PUBLIC = ['--filter', './spec', '--filter', './packages/*']

const folder = readArguments(
  {
    name: 'pack:all',
    about: `Writes a tarball of every public package into a folder, by default dist, with the contract in other formats,
and their checksums in SHA256SUMS. Each tarball installs alone.`,
    usage: '[folder]',
    examples: ['', '../tarballs'],
    exitCodes: '0 written, 1 not packed, 2 wrong arguments',
  },
  { allowPositionals: true },
  ({ positionals: [folder = join(ROOT, 'dist'), ...others] }) => {
    if (others.length > 0) throw new Error(`expected at most one folder, got ${others.length + 1}`)
    return folder
  },
)
process.exitCode = await packAll(resolve(folder))

async function packAll(folder: string): Promise<number> {
  if ((await runTurbo(['run', 'emit', '--filter=./spec', '--filter=./packages/*'])) !== 0) return 1
  // Loaded here, because it needs the built contract.
  const { writeExports } = await import('./exports.ts')
  mkdirSync(folder, { recursive: true })
  for (const file of tarballsIn(folder)) rmSync(join(folder, file))
  const pack = [...PUBLIC, 'pack', '--pack-destination', folder]
  // On Windows `pnpm` is a batch file, which cannot be started without a shell.
  const pnpm = process.env.npm_execpath ?? 'pnpm'
  const { status, error } = spawnSync(pnpm, pack, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) {
    process.stderr.write(
      `pack:all: pnpm ${pack.join(' ')} failed: ${error?.message ?? `exit code ${status}`}\n`,
    )
    return 1
  }
  const files = [...tarballsIn(folder), ...(await writeExports(folder))]
  const sums = files.map((file) => `${sha256(join(folder, file))}  ${file}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
  process.stdout.write(sums.join(''))
  return 0
}

/** Only the files that this script writes, because the folder may contain others. */
function tarballsIn(folder: string): string[] {
  return readdirSync(folder).filter((file) => /^partner-payments-.*\.tgz$/.test(file))
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

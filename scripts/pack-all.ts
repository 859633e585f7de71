import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readScriptArguments } from './arguments.ts'
import { createSbom } from './sbom.ts'
import { runTurbo } from './turbo.ts'

const ROOT = resolve(import.meta.dirname, '..')
const PUBLIC = [
  '--filter',
  './spec',
  '--filter',
  './packages/*',
  '--filter',
  '!@partner-payments/contract',
  '--filter',
  '!@partner-payments/command',
]

const { folder } = readScriptArguments(
  'pack:all',
  {
    about: `Writes a tarball and an SBOM (CycloneDX) of every public package into a folder, by default dist, with the contract
as openapi.yaml and in other formats, the Dockerfile, and their checksums in SHA256SUMS. Each tarball installs alone.`,
    operands: { usage: '[folder]', help: 'where to write; by default dist' },
    options: {},
    examples: ['', '../tarballs'],
    exitCodes: '0 written, 1 not packed, 2 wrong arguments',
  },
  ({ operands: [folder = join(ROOT, 'dist')] }) => ({ folder }),
)
process.exitCode = await packAll(resolve(folder))

/** Writes the tarballs and what lies beside them, and returns the exit code. */
async function packAll(folder: string): Promise<number> {
  const code = await runTurbo(['run', 'emit', '--filter=./spec', '--filter=./packages/*'])
  if (code !== 0) return 1

  // Loaded here, because it needs the built contract.
  const { writeExports } = await import('./exports.ts')
  mkdirSync(folder, { recursive: true })
  for (const file of listPackages(folder)) rmSync(join(folder, file))

  runPnpm('pack', '--pack-destination', folder)
  await Promise.all(listPackages(folder).map((file) => writeSbom(join(folder, file))))
  copyFileSync(join(ROOT, 'spec/dist/openapi.yaml'), join(folder, 'openapi.yaml'))
  copyFileSync(join(ROOT, 'Dockerfile'), join(folder, 'Dockerfile'))
  const files = [
    ...listPackages(folder),
    'openapi.yaml',
    'Dockerfile',
    ...(await writeExports(folder)),
  ]

  const sums = files.map((file) => `${sha256(join(folder, file))}  ${file}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
  process.stdout.write(sums.join(''))
  return 0
}

/** Writes the SBOM of a tarball beside it. */
async function writeSbom(tarball: string): Promise<void> {
  const [, name] = /partner-payments-([a-z]+)-[^/\\]*\.tgz$/.exec(tarball) ?? []
  const sbom = await createSbom(tarball, `@partner-payments/${name}`)
  writeFileSync(tarball.replace(/\.tgz$/, '.cdx.json'), sbom)
}

/** Runs a command of pnpm for every public package. Ends the process with 1 if it fails. */
function runPnpm(...command: readonly string[]): void {
  const args = [...PUBLIC, ...command]
  // On Windows `pnpm` is a batch file, which cannot be started without a shell.
  const pnpm = process.env.npm_execpath ?? 'pnpm'
  const { status, error } = spawnSync(pnpm, args, {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status === 0) return
  const reason = error?.message ?? `exit code ${status}`
  process.stderr.write(`pack:all: pnpm ${args.join(' ')} failed: ${reason}\n`)
  process.exit(1)
}

/** Tarballs and SBOMs, and no other files of the folder. */
function listPackages(folder: string): string[] {
  return readdirSync(folder).filter((file) => /^partner-payments-.*\.(tgz|cdx\.json)$/.test(file))
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

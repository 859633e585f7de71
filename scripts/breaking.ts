import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readArguments } from './arguments.ts'

const SPEC = fileURLToPath(new URL('../spec', import.meta.url))
const TAGS = 'v*'
const REDOCLY = join(SPEC, 'node_modules/@redocly/cli/bin/cli.js')
const ROOTS = ['openapi', 'guide']

const { spec, ref } = readArguments(
  {
    name: 'breaking',
    about: 'Finds changes of the contract that break clients of the last release, or of a git ref.',
    usage: '[ref] [flags]',
    flags: { '--spec FOLDER': 'compare this folder instead of spec/' },
    examples: ['', 'main'],
    exitCodes: '0 none, or nothing was released yet, 1 breaking changes, 2 wrong arguments, or not compared',
  },
  { allowPositionals: true, options: { spec: { type: 'string', default: SPEC } } },
  ({ values: { spec }, positionals: [ref, ...others] }) => {
    if (others.length > 0) throw new Error(`expected at most one ref, got ${others.length + 1}`)
    if (ref && !isCommit(ref, spec)) throw new Error(`"${ref}" is not a tag, a branch or a commit of git`)
    return { spec, ref: ref ?? lastRelease(spec) }
  },
)
process.exitCode = ref ? await compareWith(ref) : nothingReleased()

function isCommit(ref: string, cwd: string): boolean {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]
  return spawnSync('git', args, { cwd }).status === 0
}

function lastRelease(cwd: string): string | undefined {
  const found = spawnSync('git', ['describe', '--tags', '--abbrev=0', '--match', TAGS], {
    cwd,
    encoding: 'utf8',
  })
  return found.status === 0 ? found.stdout.trim() : undefined
}

function nothingReleased(): number {
  process.stderr.write('No release of the contract yet, so there is nothing to compare with.\n')
  return 0
}

async function compareWith(ref: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'contract-'))
  try {
    const tree = execFileSync('git', ['archive', ref, '.'], { cwd: spec, maxBuffer: 64 * 1024 * 1024 })
    execFileSync('tar', ['-x', '-C', folder], { input: tree })
    const codes: number[] = []
    for (const root of ROOTS) codes.push(await compare(root, folder))
    return Math.max(...codes)
  } catch (error) {
    process.stderr.write(
      `breaking: ${ref} could not be compared: ${error instanceof Error ? error.message : error}\n`,
    )
    return 2
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function nothingChanged(root: string): number {
  process.stderr.write(`${root}.yaml is the same.\n`)
  return 0
}

async function compare(root: string, folder: string): Promise<number> {
  // Loaded late: it takes most of the time where nothing is compared.
  const { bundleInto } = await import('@partner-payments/spec/build')
  const [base, revision] = [join(folder, `${root}.base.json`), join(folder, `${root}.json`)]
  await bundleInto(join(folder, `${root}.yaml`), base)
  await bundleInto(join(spec, `${root}.yaml`), revision)
  // Most changes leave one of the two contracts unchanged, and a comparison takes seconds.
  if (readFileSync(base).equals(readFileSync(revision))) return nothingChanged(root)
  const args = ['diff', base, revision, '--config', join(SPEC, 'redocly.diff.yaml')]
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  return (
    spawnSync(process.execPath, [REDOCLY, ...args], { stdio: 'inherit', env, timeout: 60_000 }).status ?? 2
  )
}

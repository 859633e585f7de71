import { execSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type Bench,
  compareRuns,
  parseRun,
  type Row,
  render,
  renderComparison,
} from '@partner-payments/bench'
import { readScriptArguments } from './arguments.ts'
import { runTurbo } from './turbo.ts'

const root = resolve(import.meta.dirname, '..')

const { only, json, earlier } = readScriptArguments(
  'bench',
  {
    about: 'Measures speed and weight against named peers, in packages/*/bench.',
    options: {
      only: {
        value: 'text',
        help: 'only files whose name or title contains the text',
        default: '',
      },
      json: { help: 'print JSON' },
      against: {
        value: 'file',
        help: 'compare with an earlier run, which --json printed on the same machine',
      },
    },
    examples: ['--only webhooks', '--json'],
    exitCodes:
      '0 measured, 1 cannot install or build, or a row lost more than 15 % with --against, 2 wrong arguments',
  },
  ({ values: { only, json, against } }) => ({
    only,
    json,
    earlier: against === undefined ? undefined : readRun(against),
  }),
)

// Results alone are on stdout.
execSync('pnpm --dir scripts/tools install --frozen-lockfile', { cwd: root, stdio: [0, 2, 2] })
const code = await runTurbo(['run', 'build', 'emit'])
if (code !== 0) process.exit(1)
const rows = await runAll(only)

if (rows.length === 0) {
  console.error(`bench: no benchmark matches ${JSON.stringify(only)}; omit --only to run them all`)
  process.exit(2)
}
console.log(json ? JSON.stringify(rows, null, 2) : render(rows))
if (earlier) {
  const comparison = compareRuns(earlier, rows)
  console.error(renderComparison(comparison))
  if (comparison.lost.length > 0) process.exitCode = 1
}

/** Reads an earlier run before anything is measured, so that a wrong path costs no ten minutes. */
function readRun(file: string): Row[] {
  try {
    return parseRun(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(`cannot read --against ${file}: ${(error as Error).message}`)
  }
}

/**
 * Runs the benchmarks whose file or title contains `only`, one after the other. Returns the rows of
 * all of them.
 */
async function runAll(only: string): Promise<Row[]> {
  const rows: Row[] = []
  for (const file of globSync('packages/*/bench/*.bench.ts', { cwd: root }).sort()) {
    const { bench } = (await import(resolve(root, file))) as { bench: Bench }
    if (!`${file} ${bench.title}`.includes(only)) continue
    console.error(`${bench.title} (${file}) ...`)
    rows.push(...(await bench.run()))
  }
  return rows
}

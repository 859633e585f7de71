import { execSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Bench, type Row, render } from '@partner-payments/bench'
import { readArguments } from './arguments.ts'
import { runTurbo } from './turbo.ts'

const root = resolve(import.meta.dirname, '..')

const { only, json } = readArguments(
  {
    name: 'bench',
    about: 'Measures speed and weight against named peers, in packages/*/bench.',
    usage: '[flags]',
    flags: { '--only TEXT': 'only files whose name or title contains the text', '--json': 'print JSON' },
    examples: ['--only webhooks', '--json'],
    exitCodes: '0 measured, 1 cannot install or build, 2 wrong arguments',
  },
  { options: { json: { type: 'boolean' }, only: { type: 'string', default: '' } } },
  ({ values }) => values,
)
// Results alone are on stdout.
execSync('pnpm --dir scripts/tools install --frozen-lockfile', { cwd: root, stdio: [0, 2, 2] })
if ((await runTurbo(['run', 'build', 'emit'])) !== 0) process.exit(1)
const rows = await runAll(only)
if (rows.length > 0) console.log(json ? JSON.stringify(rows, null, 2) : render(rows))
else {
  console.error(`bench: no benchmark matches ${JSON.stringify(only)}; omit --only to run them all`)
  process.exitCode = 2
}

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

import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Bench, type Row, render } from './table.ts'

const root = resolve(import.meta.dirname, '..')

const values = readFlags()

if (values.help) {
  console.log('bench [--only <part of a file name or title>] [--json]')
} else {
  const rows = await runAll(values.only)
  if (rows.length === 0) console.error(`no benchmark matches ${JSON.stringify(values.only)}`)
  if (rows.length === 0) process.exitCode = 2
  else console.log(values.json ? JSON.stringify(rows, null, 2) : render(rows))
}

function readFlags() {
  try {
    return parseArgs({
      options: {
        json: { type: 'boolean' },
        only: { type: 'string', default: '' },
        help: { type: 'boolean' },
      },
    }).values
  } catch (error) {
    console.error(`bench: ${(error as Error).message}`)
    return process.exit(2)
  }
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

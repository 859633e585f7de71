import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readArguments } from './arguments.ts'
import aims from './size-aims.json' with { type: 'json' }

/** Lines of each kind, then all lines and files. */
const NONE = { source: 0, tests: 0, tools: 0, lines: 0, files: 0 }

type Size = typeof NONE
type Measure = keyof Size

/** An area or several, with what they measure and what they should measure at most. */
interface Aim {
  readonly areas: string
  readonly measure: Measure
  readonly now: number
  readonly aim: number
}

/** The size of each package and folder by its path, and of all as `sum`. */
export function sizesOf(root: string): Map<string, Size> {
  const sum = { ...NONE }
  const sizes = new Map<string, Size>()
  for (const file of trackedFiles(root)) {
    const lines = readFileSync(join(root, file), 'utf8').match(/\n/g)?.length ?? 0
    const area = /^packages\/[^/]+|^[^/]+(?=\/)/.exec(file)?.[0] ?? '(files)'
    const size = sizes.get(area) ?? { ...NONE }
    sizes.set(area, size)
    for (const counted of [size, sum]) {
      counted[kindOf(file)] += lines
      counted.lines += lines
      counted.files++
    }
  }
  return sizes.set('sum', sum)
}

function trackedFiles(root: string): string[] {
  const list = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.vue'], { cwd: root, encoding: 'utf8' })
  return list.split('\n').filter((file) => file !== '' && existsSync(join(root, file)))
}

/** Tools are the scripts, and what a package has outside `src` and `test`: its build, benchmarks and scripts. */
function kindOf(file: string): Measure {
  if (file.includes('/test/')) return 'tests'
  return /^scripts\/|^packages\/[^/]+\/(?!src\/)/.test(file) ? 'tools' : 'source'
}

/** The aims beside the sizes. */
export function aimsOf(sizes: ReadonlyMap<string, Size>): Aim[] {
  return Object.entries(aims).flatMap(([areas, row]) =>
    Object.entries(row).map(([name, aim]) => {
      const measure = name as Measure
      const now = areas.split(', ').reduce((sum, area) => sum + (sizes.get(area)?.[measure] ?? 0), 0)
      return { areas, measure, now, aim }
    }),
  )
}

/** What is above its aim, if the sum is; else undefined. */
export function complaintOf(all: readonly Aim[]): string | undefined {
  const above = all.filter(({ now, aim }) => now > aim)
  if (!above.some(({ areas }) => areas === 'sum')) return undefined
  const lines = above.map(({ areas, measure, now, aim }) => {
    return `  ${now - aim} ${unitOf(measure)} of ${areas}: expected ${aim}, got ${now}\n`
  })
  return `size: the sum is above the aims of scripts/size-aims.json. Remove:\n${lines.join('')}`
}

function unitOf(measure: Measure): string {
  return measure === 'lines' || measure === 'files' ? measure : `lines of ${measure}`
}

function tableOf(sizes: ReadonlyMap<string, Size>): string {
  const rows = [...sizes].map(([area, size]) => [area, ...Object.values(size)])
  const width = Math.max(...[...sizes.keys()].map((area) => area.length))
  return [['', ...Object.keys(NONE)], ...rows]
    .map(([area, ...cells]) => `${area}`.padEnd(width) + cells.map((cell) => `${cell}`.padStart(8)).join(''))
    .join('\n')
}

if (import.meta.main) {
  const json = readArguments(
    {
      name: 'size',
      about: `Prints the lines and files of TypeScript and Vue in each package and folder. If the sum is above the aims of
scripts/size-aims.json, it says on stderr what is above its aim.`,
      usage: '[flags]',
      flags: { '--json': 'print JSON, with the aims' },
      examples: ['', '--json'],
      exitCodes: '0 the sum reaches its aims, 1 it is above one of them, 2 wrong arguments',
    },
    { options: { json: { type: 'boolean', default: false } } },
    ({ values }) => values.json,
  )
  const sizes = sizesOf(join(import.meta.dirname, '..'))
  const all = aimsOf(sizes)
  const report = { areas: Object.fromEntries(sizes), aims: all }
  process.stdout.write(`${json ? JSON.stringify(report, null, 2) : tableOf(sizes)}\n`)
  const complaint = complaintOf(all)
  if (complaint) process.stderr.write(complaint)
  process.exitCode = complaint ? 1 : 0
}

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readArguments } from './arguments.ts'
import aims from './size-aims.json' with { type: 'json' }

const KINDS = ['source', 'tests', 'other'] as const

type Kind = (typeof KINDS)[number]
type Size = Record<Kind, { files: number; lines: number; aim?: number }>

/** The size of each package and folder by its path, and of all as `sum`. */
export function sizesOf(root: string): Map<string, Size> {
  const sum = emptySize()
  const sizes = new Map<string, Size>()
  for (const file of trackedFiles(root)) {
    const lines = readFileSync(join(root, file), 'utf8').match(/\n/g)?.length ?? 0
    const area = /^packages\/[^/]+|^[^/]+(?=\/)/.exec(file)?.[0] ?? '(files)'
    const size = sizes.get(area) ?? emptySize(area)
    sizes.set(area, size)
    for (const { [kindOf(file)]: counted } of [size, sum]) {
      counted.files++
      counted.lines += lines
    }
  }
  return sizes.set('sum', sum)
}

function trackedFiles(root: string): string[] {
  const list = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.vue'], { cwd: root, encoding: 'utf8' })
  return list.split('\n').filter((file) => file !== '' && existsSync(join(root, file)))
}

/** What a package has outside `src` and `test` (its benchmarks and scripts) is `other`. */
function kindOf(file: string): Kind {
  if (file.includes('/test/')) return 'tests'
  return /^packages\/[^/]+\/(?!src\/)/.test(file) ? 'other' : 'source'
}

function emptySize(area = ''): Size {
  const { source, tests } = Object(Object(aims)[area])
  const none = { files: 0, lines: 0 }
  return { source: { ...none, aim: source }, tests: { ...none, aim: tests }, other: { ...none } }
}

function tableOf(sizes: ReadonlyMap<string, Size>): string {
  const head = ['', ...KINDS.flatMap((kind) => [kind, 'files', 'aim'])].slice(0, -1)
  const rows = [...sizes].map(([area, size]) => [
    area,
    ...KINDS.flatMap((kind) => [size[kind].lines, size[kind].files, size[kind].aim ?? '']).slice(0, -1),
  ])
  const width = Math.max(...rows.map(([area]) => String(area).length))
  return [head, ...rows]
    .map(([area, ...cells]) => `${area}`.padEnd(width) + cells.map((cell) => `${cell}`.padStart(8)).join(''))
    .join('\n')
}

if (import.meta.main) {
  const json = readArguments(
    {
      name: 'size',
      about: `Prints the files and lines of TypeScript and Vue in each package and folder, beside the aims of
scripts/size-aims.json. It does not fail when an aim is missed.`,
      usage: '[flags]',
      flags: { '--json': 'print JSON' },
      examples: ['', '--json'],
      exitCodes: '0 done, 2 wrong arguments',
    },
    { options: { json: { type: 'boolean', default: false } } },
    ({ values }) => values.json,
  )
  const sizes = sizesOf(join(import.meta.dirname, '..'))
  process.stdout.write(`${json ? JSON.stringify(Object.fromEntries(sizes), null, 2) : tableOf(sizes)}\n`)
}

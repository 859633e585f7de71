// Measures what test/gate.json does not contain yet, and saves each entry. To measure one again, delete its line.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { readArguments } from '../../../scripts/arguments.ts'
import type { Entry } from '../test/gate/gate.ts'
import { type Subject, subjects } from '../test/gate/subjects.ts'

const FILE = new URL('../test/gate.json', import.meta.url)

interface Gate {
  /** The first commit whose checker was measured. */
  readonly commit: string
  readonly entries: readonly Entry[]
}

const values = readArguments(
  {
    name: 'gate.ts',
    command: 'npx -y pnpm@12 exec node scripts/gate.ts',
    about:
      'Records in test/gate.json what the checker names of each mutant and of each correct variation, or compares with it.',
    usage: '[flags]',
    flags: {
      '--verify': 'compare with what was recorded',
      '--only TEXT,...': 'only mutants and variations whose id contains one of the texts',
      '--every N': 'only every Nth of them',
      '--from M': 'begin with the Mth, counted from 0',
    },
    examples: ['--verify --every 20', '--verify --only variations/ --every 10 --from 3'],
    exitCodes:
      '0 done, 1 nothing names a mutant that was named, or a correct variation gets a new failure, 2 wrong arguments',
  },
  {
    options: {
      verify: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      every: { type: 'string', default: '1' },
      from: { type: 'string', default: '0' },
    },
  },
  ({ values }) => {
    if (!(Number(values.every) >= 1))
      throw new Error(`--every must be a number from 1, got "${values.every}"`)
    if (!chosen(subjects, values).length)
      throw new Error(
        `no mutant or variation is chosen by --only "${values.only}" --every ${values.every} --from ${values.from}`,
      )
    return values
  },
)
const { entries } = gateOf()
const counts: Record<string, number> = {}

if (values.verify) for (const entry of chosen(entries, values)) await reported(entry.id, () => verify(entry))
else
  for (const subject of chosen(subjects, values))
    if (isMissing(subject)) await reported(subject.id, () => record(subject))
console.log(JSON.stringify(counts))

interface Choice {
  readonly only: string
  readonly every: string
  readonly from: string
}

function chosen<T extends { readonly id: string }>(
  all: readonly T[],
  { only, every, from }: Choice,
): readonly T[] {
  const wanted = only.split(',')
  return all
    .filter(({ id }) => wanted.some((it) => id.includes(it)))
    .filter((_, i) => i % Number(every) === Number(from))
}

interface Outcome {
  readonly outcome: string
  readonly texts: readonly string[]
}

async function record({ record }: Subject): Promise<Outcome> {
  const { entry, outcome, texts = [] } = await record()
  save(entry)
  return { outcome, texts: [`by ${entry.by}: ${entry.requests} requests, ${entry.seconds} s`, ...texts] }
}

async function verify(entry: Entry): Promise<Outcome> {
  const subject = subjects.find(({ id }) => id === entry.id)
  if (!subject) throw new Error('it does not exist any more; delete its line if that is meant')
  const { outcome, texts } = await subject.verify(entry)
  if (outcome === 'regression') process.exitCode = 1
  return { outcome, texts }
}

function isMissing({ id }: Subject): boolean {
  return !entries.some((it) => it.id === id)
}

/** An error ends only its mutant or variation. */
async function reported(id: string, work: () => Promise<Outcome>): Promise<void> {
  const { outcome, texts } = await work().catch((error) => {
    process.exitCode = 1
    return { outcome: 'error', texts: [String(error)] }
  })
  counts[outcome] = (counts[outcome] ?? 0) + 1
  process.stderr.write(
    `${outcome.padEnd(10)} ${id}\n${texts.map((it) => `    ${it.slice(0, 300)}\n`).join('')}`,
  )
}

function gateOf(): Gate {
  if (existsSync(FILE)) return JSON.parse(readFileSync(FILE, 'utf8'))
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim()
  return { commit, entries: [] }
}

/** A line for each entry, sorted, without its empty fields. */
function save(entry: Entry): void {
  const { commit, entries } = gateOf()
  const sorted = [...entries, entry].sort((a, b) => (a.id < b.id ? -1 : 1))
  const lines = sorted.map((it) => JSON.stringify(it, kept))
  const text = `{"commit":"${commit}","entries":[\n${lines.join(',\n')}\n]}\n`
  const unfinished = new URL('gate.json.tmp', FILE)
  writeFileSync(unfinished, text)
  renameSync(unfinished, FILE)
}

function kept(key: string, value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 && key !== 'named' ? undefined : value
}

// Reads the recordings of a folder, and compares what the rules name with test/gate.json.
//   node scripts/compare.ts FOLDER [--only <part of an id>,...] [--all]
// Prints the mutants that nothing names, with --all every mutant, and what correct services get.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readContract } from '../src/next/contract/contract.ts'
import { readEvents } from '../src/next/read.ts'
import { basic, CREDENTIALS } from '../test/faulty/fixtures.ts'
import type { Entry } from '../test/gate/gate.ts'
import { isNamed, mutants } from '../test/gate/mutants.ts'
import { namedBy } from '../test/gate/named.ts'
import { readRecording } from '../test/recording/file.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' }, all: { type: 'boolean', default: false } },
})
const [folder = '.'] = positionals
const gate: { entries: Entry[] } = JSON.parse(
  readFileSync(new URL('../test/gate.json', import.meta.url), 'utf8'),
)
const contract = readContract()
const credentials = Object.values(CREDENTIALS).map(basic)
const counts: Record<string, number> = {}

for (const file of readdirSync(folder).filter((it) => it.endsWith('.jsonl.gz'))) {
  const id = file.replace('.jsonl.gz', '').replaceAll('__', '/')
  if (!values.only.split(',').some((it) => id.includes(it))) continue
  const events = readRecording(join(folder, file))
  const { findings } = readEvents(events, { contract, credentials, isComplete: true, lagMs: 0 })
  report(id, namedBy(findings))
}
console.log(JSON.stringify(counts))

function report(id: string, named: readonly string[]): void {
  const mutant = mutants.find((it) => it.id === id)
  const old = gate.entries.find((it) => it.id === id)?.named ?? []
  const isFailed = named.some((it) => it.startsWith('failure'))
  const correct = isFailed ? 'correct, failure' : named.length > 0 ? 'correct, deviation' : 'correct'
  const elsewhere = named.length > 0 ? 'elsewhere' : 'lost'
  const outcome = mutant ? (isNamed(mutant, named) ? 'named' : elsewhere) : correct
  counts[outcome] = (counts[outcome] ?? 0) + 1
  if (values.all || !['named', 'correct'].includes(outcome))
    console.log(`${outcome.padEnd(18)} ${id}\n    old: ${old.join(', ')}\n    new: ${named.join(', ')}`)
}

// Records runs of the checker on the sandbox, on mutants and on variations, as histories of JSON lines.
//   node scripts/record.ts --to FOLDER [--only <part of an id>,...] [--rules <part of a rule>,...] [--every 2 [--from 1]]
// A mutant is run with the selection that named it in test/gate.json, a correct service with everything.
// --rules chooses the mutants that only these rules name. Skips what the folder has.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Entry } from '../test/gate/gate.ts'
import { firstSelection } from '../test/gate/gate.ts'
import { mutants, tolerated } from '../test/gate/mutants.ts'
import { partsOf } from '../test/gate/named.ts'
import { writeRecording } from '../test/recording/file.ts'
import { recordRun } from '../test/recording/record.ts'
import { openService } from '../test/variations/service.ts'
import { variations } from '../test/variations/variations.ts'

const { values } = parseArgs({
  options: {
    to: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    rules: { type: 'string', default: '' },
    every: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
  },
})
const gate: { entries: Entry[] } = JSON.parse(
  readFileSync(new URL('../test/gate.json', import.meta.url), 'utf8'),
)
const named = new Map(gate.entries.map((it) => [it.id, it]))

const subjects = [
  { id: 'sandbox', run: async () => recordRun(await openService({})) },
  ...mutants
    .filter(({ id }) => isOfRules(id))
    .map((mutant) => ({ id: mutant.id, run: () => runMutant(mutant) })),
  ...tolerated.map(({ id, open }) => ({ id, run: async () => recordRun(await open()) })),
  ...variations.map(({ id, service }) => ({
    id: `variations/${id}`,
    run: async () => recordRun(await openService(service), service.values ? { values: service.values } : {}),
  })),
]
const chosen = subjects
  .filter(({ id }) => values.only.split(',').some((it) => id.includes(it)))
  .filter((_, i) => i % Number(values.every) === Number(values.from))

if (values.to === '' || chosen.length === 0) {
  console.error(values.to === '' ? '--to needs a folder' : `nothing is chosen by --only "${values.only}"`)
  process.exitCode = 2
} else mkdirSync(values.to, { recursive: true })
for (const { id, run } of values.to === '' ? [] : chosen) {
  const file = join(values.to, `${id.replaceAll('/', '__')}.jsonl.gz`)
  if (existsSync(file)) continue
  try {
    const { events } = await run()
    writeRecording(file, events)
    console.log(`${id}: ${events.length} events`)
  } catch (error) {
    process.exitCode = 1
    console.error(`${id}: ${error}`)
  }
}

/** Whether the rules that name a mutant are all among those that were asked for. */
function isOfRules(id: string): boolean {
  const rules = named.get(id)?.named.map((line) => partsOf(line).rule) ?? []
  const wanted = values.rules.split(',')
  return (
    values.rules === '' || (rules.length > 0 && rules.every((rule) => wanted.some((it) => rule.includes(it))))
  )
}

async function runMutant(mutant: (typeof mutants)[number]) {
  const own = firstSelection(mutant)
  const { only, operations } = named.get(mutant.id)?.by === own.name ? own : {}
  return recordRun(await mutant.open(), { ...(only && { only }), ...(operations && { operations }) })
}

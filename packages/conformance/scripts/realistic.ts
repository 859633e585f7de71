// Runs the checker against each realistic mutant, and says which it notices.
//   node scripts/realistic.ts [--foreign] [--only <part of an id, or an operation>,...] [--every 2 [--from 1]]
//     [--quick] [--json]
// Named: a new finding at the operation of the mutant; noticed: one elsewhere; missed: none. A finding is new where the
// service without the mutant does not show it. With --quick, by the rules of its own operations alone. With --foreign, of
// another service, whose contract has neither links nor examples. A finding on a service without a mutant is a false
// alarm. With --json, a line for each mutant.
import { parseArgs } from 'node:util'
import { configuration } from '../bench/configuration.ts'
import { type Noticed, noticedBy, PARTS } from '../bench/noticed.ts'
import { clinicMutants, configurationOfClinic, openClinic } from '../test/foreign/clinic/mutants.ts'
import { openMutant, realistic } from '../test/mutants/realistic.ts'

interface Subject {
  readonly id: string
  readonly describe: string
  readonly operation: string
  readonly also?: readonly string[]
  readonly expects: string
}

/** Runs that together are the whole checker; the ones that are likelier to name the mutant first. */
type Runs = (subject?: Subject) => readonly (() => Promise<Noticed[]>)[]

const { values } = parseArgs({
  options: {
    foreign: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    every: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const [subjects, runs]: readonly [readonly Subject[], Runs] = values.foreign
  ? [clinicMutants, runsOfClinic]
  : [realistic, runsOfOwn]
const wanted = values.only.split(',')
const chosen = subjects
  .filter(({ id, operation }) => wanted.some((it) => id.includes(it) || operation === it))
  .filter((_, i) => i % Number(values.every) === Number(values.from))

const alarms: Noticed[] = []
for (const run of values.quick ? [] : runs()) alarms.push(...(await run()))
const known = new Set(alarms.map(({ id }) => id))
for (const it of alarms) process.stderr.write(`false alarm: ${lineOf(it)}\n`)

const counts: Record<Outcome, number> = { named: 0, noticed: 0, missed: 0 }
for (const [i, subject] of chosen.entries()) {
  const began = performance.now()
  const findings = await noticed(subject)
  const outcome = outcomeOf(subject, findings)
  counts[outcome] += 1
  const seconds = Math.round((performance.now() - began) / 1000)
  const place = `${i + 1}/${chosen.length} ${outcome.padEnd(7)}`
  process.stderr.write(`${place} ${subject.id} at ${subject.operation} (${seconds} s)\n`)
  for (const it of findings.slice(0, 4)) process.stderr.write(`    ${lineOf(it)}\n`)
  if (values.json) console.log(JSON.stringify({ outcome, ...subject, findings }))
}
console.log(JSON.stringify({ mutants: chosen.length, ...counts, falseAlarms: alarms.length }))

type Outcome = 'named' | 'noticed' | 'missed'

/** Stops with the run that names it. */
async function noticed(subject: Subject): Promise<Noticed[]> {
  const findings: Noticed[] = []
  for (const run of runs(subject).slice(0, values.quick ? 1 : undefined)) {
    findings.push(...(await run()).filter(({ id }) => !known.has(id)))
    if (outcomeOf(subject, findings) === 'named') break
  }
  return findings
}

function runsOfOwn(subject?: Subject): ReturnType<Runs> {
  const { deliveries, others } = PARTS
  const run =
    (only: readonly string[], more: object = {}) =>
    async () => {
      const { sandbox, fetch } = await openMutant(realistic.find(({ id }) => id === subject?.id))
      return noticedBy(fetch, { ...configuration, only, ...more }).finally(sandbox.close)
    }
  if (!subject || subject.operation === 'deliveries') return [run(deliveries), run(others)]
  // Most are named by the rules of their own operations, which take a fraction of the time.
  const operations = [subject.operation, ...(subject.also ?? [])]
  return [run(others, { operations }), run(others), run(deliveries)]
}

function runsOfClinic(subject?: Subject): ReturnType<Runs> {
  return [() => noticedBy(openClinic(subject?.id), configurationOfClinic)]
}

function outcomeOf({ operation, also = [] }: Subject, findings: readonly Noticed[]): Outcome {
  const isNamed = findings.some(
    (it) =>
      (operation === 'deliveries' && it.isOfDeliveries) ||
      operation === it.operation ||
      also.some((id) => id === it.operation),
  )
  return isNamed ? 'named' : findings.length > 0 ? 'noticed' : 'missed'
}

function lineOf({ kind, rule, operation, message }: Noticed): string {
  return `${kind} ${rule}@${operation}: ${message.slice(0, 200)}`
}

// Runs the plans of the next engine on mutants and variations, and compares what its rules name with test/gate.json.
//   node scripts/gate-next.ts [--only <part of an id>,...] [--rules <part of an old rule>,...] [--plans <id>,...]
//                             [--every 2 [--from 1]] [--correct] [--all]
// --rules: mutants that only these old rules name. --plans: only these plans. --correct: the services that are right, each of
// which must get no failure. Prints what nothing names (lost), what is named at another operation (elsewhere), and failures
// of right services; with --all everything.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { plans } from '../src/next/plans/index.ts'
import { type RunOptions, run } from '../src/next/run.ts'
import { startReceiver } from '../src/next/send/receiver.ts'
import { fetchTransport } from '../src/next/send/transport.ts'
import type { Entry } from '../test/gate/gate.ts'
import { isNamed, type Mutant, mutants, tolerated } from '../test/gate/mutants.ts'
import { namedBy, partsOf } from '../test/gate/named.ts'
import { openService } from '../test/variations/service.ts'
import { variations } from '../test/variations/variations.ts'

const text = { type: 'string', default: '' } as const
const { values } = parseArgs({
  options: {
    only: text,
    rules: text,
    plans: text,
    every: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    correct: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
  },
})
const gate: { entries: Entry[] } = JSON.parse(
  readFileSync(new URL('../test/gate.json', import.meta.url), 'utf8'),
)
const before = new Map(gate.entries.map((it) => [it.id, it.named]))
const counts: Record<string, number> = {}
const times: number[] = []

const correct = [
  ...tolerated,
  ...variations.map(({ id, service }) => ({ id: `variations/${id}`, open: () => openService(service) })),
]
interface Subject extends Partial<Omit<Mutant, 'open'>> {
  readonly id: string
  open(): Promise<Pick<Awaited<ReturnType<Mutant['open']>>, 'fetch' | 'close'>>
}
const subjects: readonly Subject[] = values.correct ? correct : mutants.filter(isOfRules)
const chosen = subjects
  .filter(({ id }) => values.only.split(',').some((it) => id.includes(it)))
  .filter((_, i) => i % Number(values.every) === Number(values.from))

for (const subject of chosen) {
  const named = await namedOf(subject)
  const old = before.get(subject.id) ?? []
  const outcome = outcomeOf(subject, named, old)
  counts[outcome] = (counts[outcome] ?? 0) + 1
  if (values.all || !/^(named|correct|never named)$/.test(outcome))
    console.log(
      `${outcome.padEnd(10)} ${subject.id}\n    old: ${old.join(', ')}\n    new: ${named.join(', ')}`,
    )
}
console.log(
  JSON.stringify({ ...counts, secondsPerRun: times.reduce((sum, it) => sum + it, 0) / times.length / 1000 }),
)

async function namedOf({ open, responseWithinMs }: Subject): Promise<string[]> {
  const [service, receiver] = await Promise.all([open(), startReceiver({ timeoutMs: 8_000 })])
  const began = performance.now()
  const options: RunOptions = {
    target: 'sandbox',
    receiver,
    transport: fetchTransport(service.fetch),
    partner: { clientKey: 'partner', clientSecret: 'secret' },
    other: { clientKey: 'other', clientSecret: 'secret' },
    timeMs: 300,
    ...(responseWithinMs !== undefined && { responseWithinMs }),
    lagMs: 250,
    ...(values.plans && { plans: plans.filter(({ id }) => values.plans.split(',').includes(id)) }),
  }
  try {
    return namedBy((await run(options)).findings)
  } finally {
    times.push(performance.now() - began)
    await service.close()
    await receiver.close()
  }
}

function outcomeOf(subject: Subject, named: readonly string[], old: readonly string[]): string {
  if (values.correct) return named.some((it) => it.startsWith('failure')) ? 'FAILURE' : 'correct'
  if (isNamed({ operations: [], isOfDeliveries: false, ...subject }, named)) return 'named'
  if (named.length > 0) return 'elsewhere'
  return old.length > 0 ? 'LOST' : 'never named'
}

/** Whether the old rules that name a mutant are all among those that were asked for. */
function isOfRules({ id }: Pick<Mutant, 'id'>): boolean {
  const rules = before.get(id)?.map((line) => partsOf(line).rule) ?? []
  const wanted = values.rules.split(',')
  return (
    values.rules === '' || (rules.length > 0 && rules.every((rule) => wanted.some((it) => rule.includes(it))))
  )
}

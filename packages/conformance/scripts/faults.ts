// Runs the checker against every copy of the sandbox that is wrong in one way, and says which it names.
//   node scripts/faults.ts [--only <part of an id or a kind>] [--json]
// Killed: a finding whose law may name the fault, at its operation. Noticed: another finding. Missed: none.
import { parseArgs } from 'node:util'
import { check } from '../src/index.ts'
import type { Fault } from '../test/faulty/fault.ts'
import { faults } from '../test/faulty/faults.ts'
import { startFaulty } from '../test/faulty/start.ts'

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, json: { type: 'boolean', default: false } },
})
const chosen = faults.filter(({ id, kind }) => `${kind}/${id}`.includes(values.only))
const results: { id: string; kind: string; outcome: string; laws: string; named: string }[] = []

for (const [i, fault] of chosen.entries()) {
  const outcome = await tryFault(fault)
  results.push(outcome)
  process.stderr.write(
    `${i + 1}/${chosen.length} ${outcome.outcome.padEnd(8)} ${fault.kind}/${fault.id} ${outcome.outcome === 'killed' ? '' : `wanted ${outcome.laws}; named ${outcome.named || 'nothing'}`}\n`,
  )
}
const count = (outcome: string) => results.filter((it) => it.outcome === outcome).length
const summary = {
  faults: results.length,
  killed: count('killed'),
  noticed: count('noticed'),
  missed: count('missed'),
}
console.log(JSON.stringify(values.json ? { ...summary, results } : summary))

async function tryFault(fault: Fault) {
  const { url, close } = await startFaulty(fault.id)
  try {
    const { findings } = await check({
      url,
      target: 'sandbox',
      strict: true,
      credentials: { clientKey: 'partner', clientSecret: 'secret' },
      other: { clientKey: 'other', clientSecret: 'secret' },
      only: [...fault.law],
      timeMs: 500,
    })
    const isNamed = findings.some((it) => fault.law.includes(it.law as never) && matches(fault, it.operation))
    const outcome = isNamed ? 'killed' : findings.length > 0 ? 'noticed' : 'missed'
    const named = [...new Set(findings.map((it) => `${it.law}@${it.operation}`))].slice(0, 6).join(' ')
    return { id: fault.id, kind: fault.kind, outcome, laws: fault.law.join(' '), named }
  } finally {
    await close()
  }
}

function matches({ operation, elsewhere = [] }: Fault, found: string | undefined): boolean {
  return operation === undefined || found === operation || elsewhere.some((it) => it === found)
}

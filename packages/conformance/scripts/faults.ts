// Runs the checker against every copy of the sandbox that is wrong in one way, and says which it names.
//   node scripts/faults.ts [--only <part of an id or a kind>] [--every 2 [--from 1]] [--quick] [--json]
// --quick sends only the operations of each fault, and all of them where that does not name it.
// Killed: a finding whose rule may name the fault, at its operation. Noticed: another finding. Missed: none.
import { parseArgs } from 'node:util'
import { type Seeded, trySeeded } from '../bench/seeded.ts'
import { faults } from '../test/faulty/faults.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    every: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const chosen = faults
  .filter(({ id, kind }) => `${kind}/${id}`.includes(values.only))
  .filter((_, i) => i % Number(values.every) === Number(values.from))
const results: Seeded[] = []

for (const [i, fault] of chosen.entries()) {
  const first = await trySeeded(fault, values.quick)
  const it = values.quick && first.outcome !== 'killed' ? await trySeeded(fault) : first
  results.push(it)
  const more = it.outcome === 'killed' ? '' : `wanted ${it.wanted}; named ${it.named || 'nothing'}`
  process.stderr.write(
    `${i + 1}/${chosen.length} ${it.outcome.padEnd(8)} ${fault.kind}/${fault.id} ${more}\n`,
  )
}
const count = (outcome: Seeded['outcome']) => results.filter((it) => it.outcome === outcome).length
const summary = {
  faults: results.length,
  killed: count('killed'),
  noticed: count('noticed'),
  missed: count('missed'),
}
console.log(JSON.stringify(values.json ? { ...summary, results } : summary))

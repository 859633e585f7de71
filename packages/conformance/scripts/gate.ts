// Runs the checker on services that are wrong and on services that are right, and prints what it
// says wrongly. npx -y pnpm@12 exec node scripts/gate.ts [--only <part of an id>,...] [--right |
// --wrong] [--every 4 [--from 1]] Exits with 1 if nothing names a wrong service, or a right one
// gets a failure or a wrong verdict.
import { parseArgs } from 'node:util'
import { right, wrong } from '../test/gate.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    right: { type: 'boolean', default: false },
    wrong: { type: 'boolean', default: false },
    every: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
  },
})
const all = [...(values.right ? [] : wrong), ...(values.wrong ? [] : right)]
const chosen = all
  .filter(({ id }) => values.only.split(',').some((it) => id.includes(it)))
  .filter((_, i) => i % Number(values.every) === Number(values.from))
const began = performance.now()
let bad = 0
for (const [i, { id, run }] of chosen.entries()) {
  const said = await run().catch((error) => [String(error)])
  if (said.length > 0) bad++
  console.log(`${i + 1}/${chosen.length} ${said.length > 0 ? 'BAD ' : 'good'} ${id}`)
  for (const it of said) console.log(`    ${it.slice(0, 300)}`)
}
console.log(
  `${chosen.length - bad} of ${chosen.length} good, ${((performance.now() - began) / 1000).toFixed(0)} s`,
)
if (bad > 0 || chosen.length === 0) process.exitCode = 1

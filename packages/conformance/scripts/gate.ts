// Runs the checker on services that are wrong and on services that are right, and prints what it
// says wrongly.
//
//   npx -y pnpm@12 exec node scripts/gate.ts \
//     [--only <part of an id>,...] [--right | --wrong] [--every 4 [--from 1]]
//
// Exits with 1 if nothing names a wrong service, or a right one gets a failure or a wrong verdict.
import { parseArgs } from 'node:util'
import { right, type Subject, wrong } from '../test/gate.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    right: { type: 'boolean', default: false },
    wrong: { type: 'boolean', default: false },
    every: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
  },
})
const services: Subject[] = []
if (!values.right) services.push(...wrong)
if (!values.wrong) services.push(...right)

const partsOfIds = values.only.split(',')
const named = services.filter(({ id }) => partsOfIds.some((part) => id.includes(part)))
const chosen = named.filter((_, i) => i % Number(values.every) === Number(values.from))

const began = performance.now()
let bad = 0
for (const [i, { id, run }] of chosen.entries()) {
  const mistakes = await run().catch((error) => [String(error)])
  const isGood = mistakes.length === 0
  if (!isGood) bad++
  console.log(`${i + 1}/${chosen.length} ${isGood ? 'good' : 'BAD '} ${id}`)
  for (const mistake of mistakes) console.log(`    ${mistake.slice(0, 300)}`)
}
const seconds = ((performance.now() - began) / 1000).toFixed(0)
console.log(`${chosen.length - bad} of ${chosen.length} good, ${seconds} s`)
if (bad > 0 || chosen.length === 0) process.exitCode = 1

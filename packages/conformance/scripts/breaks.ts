// Breaks each formal field of spec/behaviour for one side, and prints whether a finding names it.
//
//   npx -y pnpm@12 exec node scripts/breaks.ts \
//     --side conformance|sandbox [--only <part of a break>,...] [--every 4 [--from 1]] [--list]
//
// Exits with 1 if nothing names a break.
import { parseArgs } from 'node:util'
import { inWords } from '../test/breaks/breaks.ts'
import { judge, type Side } from '../test/breaks/broken.ts'
import { OF_SIDE } from '../test/breaks/of-side.ts'

const { values } = parseArgs({
  options: {
    side: { type: 'string', default: 'conformance' },
    only: { type: 'string', default: '' },
    every: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    list: { type: 'boolean', default: false },
  },
})
const parts = values.only.split(',')
const side = values.side as Side
const named = OF_SIDE[side].filter((one) => parts.some((part) => inWords(one).includes(part)))
const chosen = named.filter((_, i) => i % Number(values.every) === Number(values.from))

let unnamed = 0
if (values.list) {
  for (const one of chosen) console.log(inWords(one))
} else {
  for await (const { broken, isNamed } of judge(side, chosen)) {
    if (!isNamed) unnamed++
    console.log(`${isNamed ? 'named  ' : 'UNNAMED'} ${inWords(broken)}`)
  }
}
console.log(`${chosen.length} breaks, ${unnamed} unnamed`)
if (unnamed > 0 || chosen.length === 0) process.exitCode = 1

// Breaks each formal field of spec/behaviour for one side, and prints whether a finding names it.
import { readArguments, readInteger } from '@partner-payments/command'
import { inWords } from '../test/breaks/breaks.ts'
import { judge } from '../test/breaks/broken.ts'
import { OF_SIDE } from '../test/breaks/of-side.ts'

const settings = readArguments(
  {
    about: 'Breaks each formal field of spec/behaviour for one side.',
    options: {
      side: {
        value: 'side',
        help: 'who reads the broken field',
        choices: ['conformance', 'sandbox'],
        default: 'conformance',
      },
      only: { value: 'parts', help: 'breaks that have one of these parts', default: '' },
      every: {
        value: 'number',
        help: 'only every n-th break',
        read: readInteger(1_000),
        default: 1,
      },
      from: {
        value: 'number',
        help: 'where --every begins',
        read: readInteger(1_000),
        default: 0,
      },
      list: { help: 'print the breaks' },
    },
    examples: ['--side sandbox --every 4', '--list'],
    exitCodes: '0 each break is named by a finding, 1 one is not, 2 wrong arguments',
  },
  process.argv.slice(2),
  { name: 'npx -y pnpm@12 exec node scripts/breaks.ts', toSettings: ({ values }) => values },
)
if (typeof settings === 'number') process.exit(settings)

const parts = settings.only.split(',')
const { side } = settings
const named = OF_SIDE[side].filter((one) => parts.some((part) => inWords(one).includes(part)))
const chosen = named.filter((_, i) => i % settings.every === settings.from)

let unnamed = 0
if (settings.list) {
  for (const one of chosen) console.log(inWords(one))
} else {
  for await (const { broken, isNamed } of judge(side, chosen)) {
    if (!isNamed) unnamed++
    console.log(`${isNamed ? 'named  ' : 'UNNAMED'} ${inWords(broken)}`)
  }
}
console.log(`${chosen.length} breaks, ${unnamed} unnamed`)
if (unnamed > 0 || chosen.length === 0) process.exitCode = 1

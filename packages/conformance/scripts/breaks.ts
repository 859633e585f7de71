// Breaks each formal field of spec/behaviour for one side, and prints whether a finding names it.
import { readArguments } from '@partner-payments/command'
import { inWords } from '../test/breaks/breaks.ts'
import { judge } from '../test/breaks/broken.ts'
import { OF_SIDE } from '../test/breaks/of-side.ts'
import { CHOICE, choose } from './choice.ts'

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
      ...CHOICE,
      list: { help: 'print the breaks' },
    },
    examples: ['--side sandbox --every 4', '--list'],
    exitCodes: '0 each break is named by a finding, 1 one is not, 2 wrong arguments',
  },
  process.argv.slice(2),
  { name: 'npx -y pnpm@12 exec node scripts/breaks.ts', toSettings: ({ values }) => values },
)
if (typeof settings === 'number') process.exit(settings)

const { side } = settings
const chosen = choose(OF_SIDE[side], inWords, settings)

let unnamed = 0
if (settings.list) {
  for (const one of chosen) console.log(inWords(one))
  console.log(`${chosen.length} breaks`)
} else {
  for await (const { broken, isNamed } of judge(side, chosen)) {
    if (!isNamed) unnamed++
    console.log(`${isNamed ? 'named  ' : 'UNNAMED'} ${inWords(broken)}`)
  }
  console.log(`${chosen.length} breaks, ${unnamed} unnamed`)
}
if (unnamed > 0 || chosen.length === 0) process.exitCode = 1

// Runs the checker on services that are wrong and on services that are right, and prints what it
// says wrongly.
import { readArguments } from '@partner-payments/command'
import { right, type Subject, wrong } from '../test/gate.ts'
import { CHOICE, choose } from './choice.ts'

const settings = readArguments(
  {
    about: 'Runs the checker on services that are wrong, and on services that are right.',
    options: {
      right: { help: 'only services that are right', excludes: ['wrong'] },
      wrong: { help: 'only services that are wrong' },
      ...CHOICE,
    },
    examples: ['--right --every 4', '--wrong --only deliveries'],
    exitCodes:
      '0 each is judged rightly, 1 nothing names a wrong one, or a right one gets a failure or a wrong verdict, 2 wrong arguments',
  },
  process.argv.slice(2),
  { name: 'npx -y pnpm@12 exec node scripts/gate.ts', toSettings: ({ values }) => values },
)
if (typeof settings === 'number') process.exit(settings)

const services: Subject[] = []
if (!settings.right) services.push(...wrong)
if (!settings.wrong) services.push(...right)

const chosen = choose(services, ({ id }) => id, settings)

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

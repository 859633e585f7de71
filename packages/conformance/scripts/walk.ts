import { readArguments } from '../../../scripts/arguments.ts'
import { differences, walk } from '../test/variations/journey.ts'
import { variations } from '../test/variations/variations.ts'

const wanted = readArguments(
  {
    name: 'walk.ts',
    command: 'npx -y pnpm@12 exec node scripts/walk.ts',
    about:
      'Walks through each variation without the checker, and shows that it breaks no fact and differs from the sandbox.',
    usage: '[id ...]',
    flags: { id: 'a variation, whose lines that differ are printed' },
    examples: [
      '',
      variations
        .slice(0, 2)
        .map(({ id }) => id)
        .join(' '),
    ],
    exitCodes: '0 done, 1 a variation breaks a fact, 2 wrong arguments',
  },
  { allowPositionals: true },
  ({ positionals }) => {
    const unknown = positionals.filter((id) => !variations.some((it) => it.id === id))
    if (unknown.length > 0) throw new Error(`there is no variation "${unknown.join('", "')}"`)
    return positionals
  },
)
const unmodified = await walk({})

for (const { id, service } of variations.filter(({ id }) => wanted.length === 0 || wanted.includes(id))) {
  const journey = await walk(service)
  const lines = differences(unmodified, journey)
  if (journey.broken.length > 0) process.exitCode = 1
  console.log(`${id}: ${lines.length} lines differ`)
  for (const it of journey.broken) console.log(`  BREAKS A FACT: ${it}`)
  if (wanted.length > 0) console.log(lines.join('\n'))
}

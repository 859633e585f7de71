import { readArguments } from '../../../scripts/arguments.ts'
import { configuration } from '../bench/configuration.ts'
import { startSandbox } from '../bench/target.ts'
import { check } from '../src/index.ts'

const seeds = readArguments(
  {
    name: 'false-alarms.ts',
    command: 'npx -y pnpm@12 exec node scripts/false-alarms.ts',
    about: 'Runs the checker on the sandbox with many seeds, and reports each finding as a false alarm.',
    usage: '[flags]',
    flags: { '--seeds N': 'the seeds from 1 to N (20)' },
    examples: ['', '--seeds 3'],
    exitCodes: '0 no finding, 1 findings, 2 wrong arguments',
  },
  { options: { seeds: { type: 'string', default: '20' } } },
  ({ values: { seeds } }) => {
    if (!/^[1-9]\d{0,3}$/.test(seeds))
      throw new Error(`--seeds must be a number from 1 to 9999, got "${seeds}"`)
    return Number(seeds)
  },
)

for (let seed = 1; seed <= seeds; seed++) {
  const { url, close } = await startSandbox()
  const { findings, ms } = await check({ ...configuration, url, seed })
  await close()
  if (findings.length > 0) process.exitCode = 1
  console.log(`seed ${seed} ${Math.round(ms)} ms ${findings.map(({ id }) => id).join(' ') || 'none'}`)
}

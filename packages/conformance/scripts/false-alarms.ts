// Runs the checker on correct services, and reports each finding as a false alarm.
//   node scripts/false-alarms.ts [--seeds 20]
// Exits with 1 if there are any. A deviation that a variant is allowed to show does not count.
import { parseArgs } from 'node:util'
import { configuration } from '../bench/configuration.ts'
import { startSandbox } from '../bench/target.ts'
import { check } from '../src/index.ts'
import { startTolerated } from '../test/faulty/start.ts'
import { tolerated } from '../test/faulty/tolerated.ts'

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '20' } } })
let alarms = 0

for (let seed = 1; seed <= Number(values.seeds); seed++)
  await tried(`seed ${seed}`, await startSandbox(), { seed })
for (const { id, mayDeviate = false } of tolerated) await tried(id, await startTolerated(id), { mayDeviate })
console.log(JSON.stringify({ seeds: Number(values.seeds), variants: tolerated.length, alarms }))
process.exitCode = alarms > 0 ? 1 : 0

async function tried(
  name: string,
  { url, close }: { readonly url: string; close(): Promise<void> },
  { mayDeviate = false, ...options }: { seed?: number; mayDeviate?: boolean },
): Promise<void> {
  const { findings, ms } = await check({ ...configuration, ...options, url })
  await close()
  const unexpected = findings.filter(({ kind }) => kind === 'failure' || !mayDeviate)
  alarms += unexpected.length
  process.stderr.write(`${name} ${Math.round(ms)} ms ${unexpected.map(({ id }) => id).join(' ') || 'none'}\n`)
}

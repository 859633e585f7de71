// Runs the checker on services that are right, and tells every alarm as a false one.
//   node scripts/false-alarms.ts [--seeds 20]
// Exit code 1 where there is one. A deviation that a variant may show counts for nothing.
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
  const told = findings.filter(({ kind }) => kind === 'failure' || !mayDeviate)
  alarms += told.length
  process.stderr.write(`${name} ${Math.round(ms)} ms ${told.map(({ id }) => id).join(' ') || 'none'}\n`)
}

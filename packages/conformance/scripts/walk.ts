// Walks through each variation without the checker, and shows that it breaks no fact and differs from the sandbox.
//   node scripts/walk.ts [ID ...]
// With ids, prints the lines that differ. Exits with 1 if a variation breaks a fact.
import { differences, walk } from '../test/variations/journey.ts'
import { variations } from '../test/variations/variations.ts'

const wanted = process.argv.slice(2)
const unknown = wanted.filter((id) => !variations.some((it) => it.id === id))
if (unknown.length > 0) throw new Error(`there is no variation "${unknown.join('", "')}"`)
const unmodified = await walk({})

for (const { id, service } of variations.filter(({ id }) => wanted.length === 0 || wanted.includes(id))) {
  const journey = await walk(service)
  const lines = differences(unmodified, journey)
  if (journey.broken.length > 0) process.exitCode = 1
  console.log(`${id}: ${lines.length} lines differ`)
  for (const it of journey.broken) console.log(`  BREAKS A FACT: ${it}`)
  if (wanted.length > 0) console.log(lines.join('\n'))
}

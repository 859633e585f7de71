// Reads recorded histories with the rules, and prints what they find.
//   node scripts/read.ts FILE ... [--json] [--incomplete]
import { parseArgs } from 'node:util'
import { readContract } from '../src/next/contract/contract.ts'
import { readEvents } from '../src/next/read.ts'
import { basic, CREDENTIALS } from '../test/faulty/fixtures.ts'
import { readRecording } from '../test/recording/file.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false }, incomplete: { type: 'boolean', default: false } },
})
const contract = readContract()
const credentials = Object.values(CREDENTIALS).map(basic)

for (const file of positionals) {
  const events = readRecording(file)
  const began = process.cpuUsage()
  const { findings, verdicts, cases } = readEvents(events, {
    contract,
    credentials,
    isComplete: !values.incomplete,
    lagMs: 0,
  })
  const { user } = process.cpuUsage(began)
  if (values.json) {
    const lines = findings.map(({ kind, rule, operation = 'all' }) => `${kind} ${rule}@${operation}`)
    console.log(JSON.stringify({ file, named: [...new Set(lines)], ms: user / 1000 }))
    continue
  }
  console.log(`${file}: ${events.length} events in ${Math.round(user / 1000)} ms`)
  for (const { kind, rule, operation, message, count, severity, cites, evidence } of findings)
    console.log(
      `  ${severity} ${kind} ${rule}@${operation} ×${count} ${JSON.stringify(cites)}\n    ${message} [${evidence.type === 'exchange' ? `${evidence.request.method} ${evidence.request.path} ${evidence.sentAt}` : evidence.url}]`,
    )
  console.log([...cases].map(([rule, { passed, failed }]) => `  ${rule} ${passed}+${failed}`).join('\n'))
  console.log(
    `  confirmed: ${verdicts.filter(({ verdict }) => verdict === 'confirmed').map(({ question }) => question)}`,
  )
}

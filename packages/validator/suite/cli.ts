import { tableOf } from './report.ts'
import { runSuite } from './run.ts'
import { UNSUPPORTED } from './unsupported.ts'

const [clone] = process.argv.slice(2)

if (clone === undefined) {
  console.error('Usage: suite <clone of the JSON Schema Test Suite>')
  process.exitCode = 2
} else {
  const { lines, unexpected } = tableOf(runSuite(clone), UNSUPPORTED)
  console.log(lines.join('\n'))
  for (const it of unexpected) console.error(it)
  process.exitCode = unexpected.length > 0 ? 1 : 0
}

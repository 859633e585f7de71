// Checks a sandbox in this process, and prints the findings as JSON.
import { checkService } from '../services/check.ts'

const result = await checkService({}, { timeMs: 300 })
console.log(
  JSON.stringify({
    requests: result.requests,
    interrupted: result.interrupted,
    entriesWithoutCase: result.entriesWithoutCase,
    findings: result.findings,
  }),
)

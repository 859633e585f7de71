// Checks a sandbox in this process, and prints the findings as JSON.
import { check, createFetchTransport } from '../../src/index.ts'
import { partner as credentials, other } from '../service.ts'
import { openService } from '../services/service.ts'

const { fetch, close } = await openService({})
const result = await check({
  target: 'sandbox',
  url: 'http://127.0.0.1',
  credentials,
  other,
  transport: createFetchTransport(fetch),
  timeMs: 300,
})
await close()
console.log(
  JSON.stringify({
    requests: result.requests,
    interrupted: result.interrupted,
    entriesWithoutCase: result.entriesWithoutCase,
    findings: result.findings,
  }),
)

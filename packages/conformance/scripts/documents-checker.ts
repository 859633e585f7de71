// A run of scripts/documents.ts: node documents-checker.ts FILE URL SECONDS MINUTES RULES. Prints the result and its memory.
import { readFileSync } from 'node:fs'
import { keepHeapSmall } from '../src/cli/process.ts'
import { check } from '../src/index.ts'
import { createHttpTransport } from '../src/transport/transport.ts'

keepHeapSmall()
const [file = '', url = '', seconds = '1', minutes = '20', rules = ''] = process.argv.slice(2)
const result = await check({
  url,
  contract: JSON.parse(readFileSync(file, 'utf8')) as object,
  target: 'mock',
  timeMs: Number(seconds) * 1000,
  signal: AbortSignal.timeout(Number(minutes) * 60_000),
  credentials: {
    clientKey: 'key-of-documents',
    clientSecret: 'secret-of-documents',
    token: 'token-of-documents',
  },
  // Prism never responds to some requests, and the checker would wait ten seconds for each.
  transport: createHttpTransport(new URL(url), { timeoutMs: 3_000 }),
  ...(rules !== '' && { only: rules.split(',') }),
})
process.stdout.write(JSON.stringify({ result, maxRSS: process.resourceUsage().maxRSS }))

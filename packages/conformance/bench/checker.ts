// A whole run in a process of its own, as the command's is: node checker.ts <url> [document]. Prints what it took as JSON.
import { readFileSync } from 'node:fs'
import { keepHeapSmall } from '../src/cli/process.ts'
import { check } from '../src/index.ts'

keepHeapSmall()
const [url = '', document] = process.argv.slice(2)
const { ms, requests, cases, findings } = await check({
  url,
  ...(document !== undefined && { contract: JSON.parse(readFileSync(document, 'utf8')) }),
  target: 'sandbox',
  credentials: { clientKey: 'partner', clientSecret: 'secret' },
  other: { clientKey: 'other', clientSecret: 'secret' },
})
const { maxRSS } = process.resourceUsage()
console.log(JSON.stringify({ ms, requests, cases, findings: findings.map(({ id }) => id), maxRSS }))

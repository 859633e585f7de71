// A whole run in a process of its own, as the command's is: node checker.ts <url>. Prints what it took as JSON.
import { keepHeapSmall } from '../src/cli/process.ts'
import { check } from '../src/index.ts'

keepHeapSmall()
const [url = ''] = process.argv.slice(2)
const { ms, requests, cases, findings } = await check({
  url,
  target: 'sandbox',
  credentials: { clientKey: 'partner', clientSecret: 'secret' },
  other: { clientKey: 'other', clientSecret: 'secret' },
})
const { maxRSS: kilobytes } = process.resourceUsage()
console.log(JSON.stringify({ ms, requests, cases, findings: findings.length, kilobytes }))

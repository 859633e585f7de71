// A sandbox on the state of FILE or DATABASE_URL, which runs until it is killed. Prints its URL on stdout.
import { flushCompileCache } from 'node:module'
import { serve } from '../src/index.ts'

const { FILE: file, DATABASE_URL: databaseUrl } = process.env
const { url } = await serve({ port: 0, file, databaseUrl, limitsRates: false, settleAfterMs: 20 })
console.log(url)
// A killed process writes no compile cache on exit, and the next start should be fast.
flushCompileCache()

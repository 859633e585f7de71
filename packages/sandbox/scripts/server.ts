// A sandbox on a state, which runs until it is killed: node server.ts <options of the state as JSON>. Prints its URL.
import { flushCompileCache } from 'node:module'
import { serve } from '../src/index.ts'

const where = JSON.parse(process.argv[2] ?? '{}')
const { url } = await serve({ ...where, port: 0, limitsRates: false, settleAfterMs: 20 })
console.log(url)
// A killed process writes no compile cache on exit, and the next start should be fast.
flushCompileCache()

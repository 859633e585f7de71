// A sandbox on the state that FILE or DATABASE_URL names, until it is killed. Says its URL on stdout.
import { flushCompileCache } from 'node:module'
import { serve } from '../../src/index.ts'

const { FILE: file, DATABASE_URL: databaseUrl } = process.env
const { url } = await serve({ port: 0, file, databaseUrl, limitsRates: false, settleAfterMs: 20 })
console.log(url)
// What is killed writes no cache when it ends, and the next one is to start sooner.
flushCompileCache()

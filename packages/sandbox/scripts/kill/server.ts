// A sandbox on the state that FILE or DATABASE_URL names, until it is killed. Says its URL on stdout.
import { flushCompileCache } from 'node:module'
import { createApp, listen } from '../../src/index.ts'

const { FILE: file, DATABASE_URL: databaseUrl } = process.env
const { fetch } = await createApp({ file, databaseUrl, limitsRates: false, settleAfterMs: 20 })
const { url } = await listen({ fetch, port: 0, host: '127.0.0.1' })
console.log(url)
// What is killed writes no cache when it ends, and the next one is to start sooner.
flushCompileCache()

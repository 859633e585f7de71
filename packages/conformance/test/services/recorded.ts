import { appendFileSync } from 'node:fs'
import { watchFetch } from '../../src/watch.ts'
import { mutantsOf } from '../mutants/index.ts'
import { recorded } from '../mutants/recorded.ts'
import { openService } from './service.ts'

/**
 * Stands in for `createApp` of the sandbox in the tests of an app: with the mutant `MUTANT`, and
 * all traffic judged. Each sandbox adds a line of JSON to the file `RESULTS`.
 */
export async function createApp() {
  const mutant = mutantsOf(recorded).find(({ says }) => says === process.env.MUTANT)
  const { app, fetch, close } = await openService(mutant?.service ?? {})
  const send: typeof globalThis.fetch = (input, init) => fetch(new Request(input, init))
  const watched = watchFetch(send, { baseUrl: 'http://localhost', isComplete: true })
  return {
    ...app,
    fetch: watched,
    async close() {
      const { requests, findings } = await watched.result()
      const shortened = findings.map(({ rule, operation, message }) => ({
        rule,
        operation,
        message,
      }))
      const line = JSON.stringify({ requests, findings: shortened })
      appendFileSync(String(process.env.RESULTS), `${line}\n`)
      await close()
    },
  }
}

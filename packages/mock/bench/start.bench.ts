import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Bench, freePort, medians, rowsOf } from '@partner-payments/bench'

const fileOf = (specifier: string) => fileURLToPath(import.meta.resolve(specifier))
const OURS = 'packages/mock'
const PRISM = "Prism's own command"

const COMMANDS: Readonly<Record<string, (port: string) => string[]>> = {
  [OURS]: (port) => [fileURLToPath(new URL('../src/cli.ts', import.meta.url)), '--port', port],
  [PRISM]: (port) => [
    fileURLToPath(new URL('../node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url)),
    'mock',
    ...['--port', port],
    fileOf('@partner-payments/spec/openapi.json'),
  ],
}
const ROUNDS = 5
const LIMIT_MS = 20_000

/** How long a mock takes from the start of its process to its first response. A round before fills the caches. */
export const bench: Bench = {
  title: 'mock: start',
  run: async () => rowsOf('mock: first response', 's', await medians(COMMANDS, firstResponse, ROUNDS)),
}

/** Seconds from the start of the process to a response of 200. */
async function firstResponse(argsOf: (port: string) => string[]): Promise<number> {
  const port = String(await freePort())
  const began = performance.now()
  const child = spawn(process.execPath, argsOf(port), { stdio: 'ignore' })
  try {
    while (!(await responds(port))) {
      if (child.exitCode !== null || performance.now() - began > LIMIT_MS)
        throw new Error(`no response from ${child.spawnargs.join(' ')}`)
      await sleep(5)
    }
    return (performance.now() - began) / 1000
  } finally {
    if (child.kill()) await once(child, 'exit')
  }
}

async function responds(port: string): Promise<boolean> {
  const url = `http://127.0.0.1:${port}/mobile-bff/v1/partner/user`
  const init = { headers: { authorization: 'Bearer any' }, signal: AbortSignal.timeout(LIMIT_MS) }
  const response = await fetch(url, init).catch(() => undefined)
  await response?.arrayBuffer()
  return response?.status === 200
}

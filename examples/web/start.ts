/**
 * `pnpm example [--port 4030]`: the page and its back end, beside a sandbox of the service.
 * Exit codes: 0 stopped by a signal, 1 it could not start, 2 the command line is wrong.
 */
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { serve } from '@hono/node-server'
import { createBackEnd } from './server.ts'
import { startService } from './service.ts'
import { createSettlements } from './settlements.ts'

const port = readPort()
const backEnd = Promise.withResolvers<ReturnType<typeof createBackEnd>>()
// It listens first: the webhook that is registered with the service names its port.
const server = serve({
  fetch: async (request) => (await backEnd.promise).fetch(request),
  port,
  hostname: '127.0.0.1',
}) as Server
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(0))
await start().catch((error: Error) => stopWith(1, error))

async function start(): Promise<void> {
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const service = await startService(url)
  const settlements = createSettlements()
  backEnd.resolve(
    createBackEnd({
      ...service,
      page: fileURLToPath(new URL('dist', import.meta.url)),
      settlementOf: settlements.of,
      onEvent(event) {
        settlements.record(event)
        say(`received ${event.type}`)
      },
    }),
  )
  say(greeting(url, service.baseUrl))
}

function readPort(): number {
  try {
    const { values } = parseArgs({ options: { port: { type: 'string', default: '4030' } } })
    if (/^\d{1,5}$/.test(values.port) && Number(values.port) < 65_536) return Number(values.port)
    throw new Error(`--port must be a whole number from 0 to 65535, got "${values.port}"`)
  } catch (error) {
    return stopWith(2, error as Error)
  }
}

function greeting(url: string, sandbox: string): string {
  return `
  page     ${url}
  sandbox  ${sandbox}

  Open the page: a code to pay is there already. The sandbox has a page too.

  Ctrl-C stops.
`
}

function stopWith(code: number, error: Error): never {
  say(`example: ${error.message}`)
  process.exit(code)
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

/**
 * `pnpm example [--port 4030]`: the page and its back end, beside a mock of the service.
 * Exit codes: 0 stopped by a signal, 1 the port is in use, 2 the command line is wrong.
 */
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { serve } from '@hono/node-server'
import { checkCode, impersonate } from '@partner-payments/client/fixtures'
import { generateSecret } from '@partner-payments/client/webhooks'
import { serve as serveMock } from '@partner-payments/mock'
import { createBackEnd } from './server.ts'

const port = readPort()
const mock = await serveMock({ port: 0 })
const backEnd = createBackEnd({
  baseUrl: mock.url,
  clientKey: 'loja-exemplo',
  clientSecret: randomUUID(),
  webhookSecret: generateSecret(),
  customer: impersonate.request.actForCustomer,
  page: fileURLToPath(new URL('dist', import.meta.url)),
  onEvent: ({ type }) => say(`received ${type}`),
})
const server = serve({ fetch: backEnd.fetch, port, hostname: '127.0.0.1' }, (info) =>
  say(greeting(`http://127.0.0.1:${info.port}`)),
)
server.once('error', (error) => stopWith(1, error))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(0))

function readPort(): number {
  try {
    const { values } = parseArgs({ options: { port: { type: 'string', default: '4030' } } })
    if (/^\d{1,5}$/.test(values.port) && Number(values.port) < 65_536) return Number(values.port)
    throw new Error(`--port must be a whole number from 0 to 65535, got "${values.port}"`)
  } catch (error) {
    return stopWith(2, error as Error)
  }
}

function greeting(url: string): string {
  return `
  page  ${url}
  mock  ${mock.url}

  Paste this code:

  ${checkCode.request.static.emv}

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

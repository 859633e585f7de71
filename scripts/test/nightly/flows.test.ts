import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
} from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Program } from '@partner-payments/programs'
import { serve } from '@partner-payments/sandbox'
import { afterAll, expect, it } from 'vitest'

const FLOWS = fileURLToPath(new URL('../../flows.ts', import.meta.url))
const WORKFLOWS = readdirSync(fileURLToPath(new URL('../../../spec/workflows', import.meta.url)))

function flows(...args: readonly string[]): Program {
  return new Program(process.execPath, [FLOWS, ...args])
}

const sandbox = await serve({ port: 0, checksResponses: true, allowLoopback: true })
afterAll(() => sandbox.close())

it.each([
  { what: 'a mock', args: [] },
  { what: 'a sandbox', args: ['--target', sandbox.url] },
])('runs the six workflows against $what, and all pass', async ({ args }) => {
  const { code, stdout, stderr } = await flows(...args).ended
  const text = stdout + stderr
  expect(text).not.toContain('✗')
  expect(code).toBe(0)
  expect(WORKFLOWS).toHaveLength(6)
  for (const file of WORKFLOWS) expect(text).toContain(`✓ ${file}`)
  // 29 steps, one of which has a response without a body.
  expect(text.match(/✓ schema check/g)).toHaveLength(28)
})

it('fails if a check fails', async () => {
  const ended = await flows('webhook', '--input', 'url=https://other.example/hook').ended
  expect(ended).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('✗ success criteria check'),
  })
})

/** Starts a service that records its requests. */
async function startService(respond: RequestListener) {
  const sent: string[] = []
  const service = createHttpServer((request, response) => {
    sent.push(`${request.method} ${request.url}`)
    respond(request, response)
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  const { port } = service.address() as AddressInfo
  const close = () => {
    service.close()
    service.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}`, sent, close }
}

const QUESTION = expect.stringContaining('GET /_sandbox/about?nonce=')

/** What a sandbox says of itself, with the nonce of the question. */
function describeSandbox({ url = '' }: IncomingMessage): string {
  const [, nonce] = url.split('?nonce=')
  return JSON.stringify({
    service: 'partner-payments-sandbox',
    version: '0.1.0',
    now: '2026-11-21T12:00:00.000Z',
    frozen: false,
    nonce,
  })
}

it('sends nothing but its question to a service that is no sandbox', async () => {
  const service = await startService((_, response) => response.end('{}'))
  const ended = await flows('pay-a-key', '--target', service.url).ended
  service.close()
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('is not known to be') })
  expect(service.sent).toEqual([QUESTION])
})

it('asks again before each change, and sends none to a service that is no sandbox any more', async () => {
  const service = await startService((request, response) => {
    const isFirst = service.sent.length === 1
    response.end(isFirst ? describeSandbox(request) : '{}')
  })
  const ended = await flows('pay-a-key', '--target', service.url).ended
  service.close()
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('is not known to be') })
  expect(service.sent).toEqual([QUESTION, QUESTION])
})

it('passes no token of a live service on, which is behind the same gateway as a sandbox', async () => {
  const service = await startService((request, response) => {
    if (!request.url?.startsWith('/_sandbox/about?')) return response.end('{"access_token":"live"}')
    const about = describeSandbox(request)
    const asksForToken = request.headers.authorization !== undefined
    return response.end(asksForToken ? about.replace('}', ',"issued_token":false}') : about)
  })
  const ended = await flows('pay-a-key', '--target', service.url).ended
  service.close()
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('did not issue the') })
  const changes = service.sent.filter((line) => line.startsWith('POST'))
  expect(changes).toEqual(['POST /mobile-bff/v1/auth/partner/token/'])
})

it('follows no redirect of a sandbox, which may lead to a live service', async () => {
  const live = await startService((_, response) => response.end('{}'))
  const service = await startService((request, response) => {
    if (request.method === 'GET') response.end(describeSandbox(request))
    else response.writeHead(307, { location: `${live.url}/pay` }).end()
  })
  const { code } = await flows('pay-a-key', '--target', service.url).ended
  service.close()
  live.close()
  expect(code).toBe(1)
  expect(live.sent).toEqual([])
})

it('ends if the response to its question has no end', async () => {
  const service = await startService((_, response) => {
    response.on('error', () => undefined)
    const write = () => {
      if (!response.destroyed) response.write(' '.repeat(100_000), () => setImmediate(write))
    }
    write()
  })
  const ended = await flows('pay-a-key', '--target', service.url).ended
  service.close()
  expect(ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('more than 2000000 bytes'),
  })
})

it('sends what is meant for a sandbox through no proxy', async () => {
  const proxy = await startService((_, response) => response.writeHead(502).end())
  const env = { ...process.env, HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url }
  const args = [FLOWS, 'pay-a-key', '--target', sandbox.url]
  const { code } = await new Program(process.execPath, args, { env }).ended
  proxy.close()
  expect(code).toBe(0)
  expect(proxy.sent).toEqual([])
})

it('leaves no process behind when it is stopped while the service does not respond', async () => {
  // Read the data, or the end of the connection would not be noticed.
  const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  const running = flows('pay-a-key', '--target', `http://127.0.0.1:${port}`, '--allow-payments')
  const [socket] = (await once(silent, 'connection')) as [Socket]
  await running.stop('SIGTERM')
  // A process that still runs would keep the connection open.
  await expect.poll(() => socket.destroyed || socket.readableEnded).toBe(true)
  silent.close()
})

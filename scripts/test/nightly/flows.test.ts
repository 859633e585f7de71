import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Program } from '@partner-payments/bench'
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

it('sends nothing but its question to a service that is no sandbox', async () => {
  const sent: string[] = []
  const service = createHttpServer(({ method, url }, response) => {
    sent.push(`${method} ${url}`)
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  const { port } = service.address() as AddressInfo
  const ended = await flows('pay-a-key', '--target', `http://127.0.0.1:${port}`).ended
  service.close()
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('is not known to be') })
  expect(sent).toEqual(['GET /_sandbox/about'])
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

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serve } from '@partner-payments/sandbox'
import { afterAll, expect, it } from 'vitest'

const FLOWS = fileURLToPath(new URL('../../flows.ts', import.meta.url))
const WORKFLOWS = readdirSync(fileURLToPath(new URL('../../../spec/workflows', import.meta.url)))

async function flows(...args: readonly string[]) {
  const run = promisify(execFile)(process.execPath, [FLOWS, ...args])
  const { stdout, stderr } = await run.catch((failure) => failure)
  return { code: run.child.exitCode, text: `${stdout}${stderr}` }
}

const sandbox = await serve({ port: 0, checksResponses: true, allowLoopback: true })
afterAll(() => sandbox.close())

it.each([
  ['a mock', []],
  ['a sandbox', ['--target', sandbox.url]],
])('runs the six workflows against %s, and all pass', async (_, args) => {
  const { code, text } = await flows(...args)
  expect(text).not.toContain('✗')
  expect(code).toBe(0)
  expect(WORKFLOWS).toHaveLength(6)
  for (const file of WORKFLOWS) expect(text).toContain(`✓ ${file}`)
  // 29 steps, one of which has a response without a body.
  expect(text.match(/✓ schema check/g)).toHaveLength(28)
})

it('fails if a check fails', async () => {
  const { code, text } = await flows('webhook', '--input', 'url=https://other.example/hook')
  expect(text).toContain('✗ success criteria check')
  expect(code).toBe(1)
})

it('leaves no process behind when it is stopped while the service does not respond', async () => {
  // Read the data, or the end of the connection would not be noticed.
  const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  const child = spawn(process.execPath, [FLOWS, 'pay-a-key', '--target', `http://127.0.0.1:${port}`])
  const [socket] = (await once(silent, 'connection')) as [Socket]
  child.kill('SIGTERM')
  await once(child, 'exit')
  // A process that still runs would keep the connection open.
  await expect.poll(() => socket.destroyed || socket.readableEnded).toBe(true)
  silent.close()
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const start = fileURLToPath(new URL('../start.ts', import.meta.url))

/** Runs the command until it prints what is waited for, then ends it. */
async function run(args: string[], awaited = /Ctrl-C/) {
  const child = spawn(process.execPath, [start, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
    if (awaited.test(said)) child.kill()
  })
  const [code] = await once(child, 'exit')
  return { code, said }
}

test('says where the page is, and ends when it is told to', async () => {
  const { code, said } = await run(['--port', '0'])
  expect(said).toMatch(/page {5}http:\/\/127\.0\.0\.1:\d+\n/)
  expect(code).toBe(0)
})

test('says that a port is in use', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const { code, said } = await run(['--port', `${port}`])
  expect([code, said]).toEqual([1, expect.stringContaining('EADDRINUSE')])
  other.close()
})

test('refuses a flag that it does not have', async () => {
  expect((await run(['--ports', '1'])).code).toBe(2)
})

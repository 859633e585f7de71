import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** A mock of the service on a free port. */
export async function startMock(): Promise<{ url: string; close(): Promise<void> }> {
  const port = await freePort()
  const prism = spawn(
    path('../../packages/mock/node_modules/.bin/prism'),
    ['mock', '-p', String(port), path('../../spec/dist/openapi.json')],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await new Promise<void>((resolve, reject) => {
    prism.once('exit', (code) => reject(new Error(`prism ended with ${code}`)))
    prism.stdout.on('data', (data) => String(data).includes('listening') && resolve())
  })
  const close = () =>
    new Promise<void>((resolve) => {
      prism.removeAllListeners('exit').once('exit', () => resolve())
      prism.kill()
    })
  return { url: `http://127.0.0.1:${port}`, close }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

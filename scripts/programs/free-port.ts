import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

// The system gives the ports above to outgoing connections and to servers on port 0 (from 32768 on
// Linux), so one of them could take such a port before a program of a test listens on it.
const LOWEST_PORT = 20_000
const HIGHEST_PORT = 32_000
const MAX_TRIES = 100

/**
 * A port on 127.0.0.1 that was free just now: the requested one, or any. Rejects with `EADDRINUSE`
 * if the requested one is in use.
 */
export async function freePort(requested?: number): Promise<number> {
  if (requested !== undefined) return requireFree(requested)

  for (let tries = 1; ; tries++) {
    const port = LOWEST_PORT + Math.floor(Math.random() * (HIGHEST_PORT - LOWEST_PORT))
    try {
      return await requireFree(port)
    } catch (error) {
      if (tries === MAX_TRIES) throw error
    }
  }
}

/** The port, or the one that the system chooses for 0. */
async function requireFree(requested: number): Promise<number> {
  const server = createServer().listen(requested, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  return port
}

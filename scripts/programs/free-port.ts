import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/**
 * A port on 127.0.0.1 that was free just now: any one, or that one. Rejects with `EADDRINUSE` if it
 * is in use.
 */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  return port
}

import { once } from 'node:events'
import { type AddressInfo, createServer as createSocket } from 'node:net'
import { createServer } from 'vitepress'

/** `sandbox` is where requests of the console go, so that page and sandbox have one origin. `port` 0 takes a free one. */
export type DevOptions = { docs: string; sandbox: string; port?: number; host?: string }

/** A running server: where it is, and how to stop it. */
export type DocsServer = { url: string; close(): Promise<void> }

/**
 * Serves the pages in `.pages` for development. Each open page follows a change of its file.
 *
 * @throws (rejects) with an Error of `code` EADDRINUSE where the port is in use
 */
export async function serveDocs(options: DevOptions): Promise<DocsServer> {
  const { docs, sandbox, port = 0, host = '127.0.0.1' } = options
  // Vite takes no port 0, and names no code where one is in use.
  const socket = createSocket().listen(port, host)
  await once(socket, 'listening')
  const own = (socket.address() as AddressInfo).port
  await once(socket.close(), 'close')
  const proxy = { '/mobile-bff': { target: sandbox, changeOrigin: true } }
  const server = await createServer(docs, { port: own, host, strictPort: true, proxy })
  await server.listen()
  return {
    url: `http://${host}:${own}`,
    async close() {
      const closed = server.httpServer && once(server.httpServer, 'close')
      // It settles only after work that it has cancelled, so not always.
      server.close().catch(() => {})
      await closed
    },
  }
}

import { once } from 'node:events'
import { createServer } from 'vitepress'
import { SANDBOX_PATHS } from '../.vitepress/like-built.ts'

/**
 * Serves the pages in `.pages` for development. Each open page follows a change of its file.
 *
 * @param options.sandbox where requests of “Try it” go, so that page and sandbox have one origin
 * @returns where the server is, and how to stop it
 * @throws (rejects) with an Error where the port is in use
 */
export async function serveDocs(options: { docs: string; sandbox: string; port: number }) {
  const { docs, sandbox, port } = options
  const host = '127.0.0.1'
  const proxy = { [SANDBOX_PATHS]: { target: sandbox, changeOrigin: true } }
  const server = await createServer(docs, { port, host, strictPort: true, proxy })
  await server.listen()
  return {
    url: `http://${host}:${port}`,
    async close(): Promise<void> {
      const closed = server.httpServer && once(server.httpServer, 'close')
      // Not awaited: it waits for work that it has cancelled, which may never end.
      server.close().catch(() => {})
      await closed
    },
  }
}

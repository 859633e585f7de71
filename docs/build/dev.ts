import { once } from 'node:events'
import { createServer } from 'vitepress'
import { SANDBOX_PATHS } from '../.vitepress/like-built.ts'

/** `sandbox` is where requests of “Try it” go, so that page and sandbox have one origin. */
export type DevOptions = { docs: string; sandbox: string; port: number }

/** A running server: where it is, and how to stop it. */
export type DocsServer = { url: string; close(): Promise<void> }

/**
 * Serves the pages in `.pages` for development. Each open page follows a change of its file.
 *
 * @throws (rejects) with an Error where the port is in use
 */
export async function serveDocs({ docs, sandbox, port }: DevOptions): Promise<DocsServer> {
  const host = '127.0.0.1'
  const proxy = { [SANDBOX_PATHS]: { target: sandbox, changeOrigin: true } }
  const server = await createServer(docs, { port, host, strictPort: true, proxy })
  await server.listen()
  return {
    url: `http://${host}:${port}`,
    async close() {
      const closed = server.httpServer && once(server.httpServer, 'close')
      // It settles only after work that it has cancelled, so not always.
      server.close().catch(() => {})
      await closed
    },
  }
}

import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { serve as serveSandbox } from '@partner-payments/sandbox'
import { Hono } from 'hono'

const dist = fileURLToPath(new URL('../dist', import.meta.url))

/** The built site, and behind it a sandbox, on one origin, as `pnpm dev` serves them. */
export async function serveSite() {
  const sandbox = await serveSandbox({ port: 0, allowLoopback: true })
  const app = new Hono()
  app.all('/mobile-bff/*', ({ req }) => fetch(new Request(sandbox.url + req.path, req.raw)))
  app.get('/sandbox.html', ({ redirect }) => redirect(sandbox.url))
  app.get('/sandbox.json', ({ json }) => json({ url: sandbox.url }))
  app.use(serveStatic({ root: dist }))
  app.notFound(async ({ html }) => html(await readFile(join(dist, '404.html'), 'utf8'), 404))
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    sandbox: sandbox.url,
    async close() {
      await Promise.all([new Promise((resolve) => server.close(resolve)), sandbox.close()])
    },
  }
}

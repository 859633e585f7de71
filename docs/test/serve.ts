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

/** Serves on a free port of this machine. */
export async function listen(fetch: (request: Request) => Response | Promise<Response>) {
  const server = serve({ fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** The built site, and behind it a sandbox, on one origin, as `pnpm dev` serves them. */
export async function serveSite() {
  const sandbox = await serveSandbox({ port: 0, allowLoopback: true })
  const app = new Hono()
  app.all('/mobile-bff/*', ({ req }) => fetch(new Request(sandbox.url + req.path, req.raw)))
  app.get('/sandbox.html', ({ redirect }) => redirect(sandbox.url))
  app.get('/sandbox.json', ({ json }) => json({ url: sandbox.url }))
  app.use(serveStatic({ root: dist }))
  app.notFound(async ({ html }) => html(await readFile(join(dist, '404.html'), 'utf8'), 404))
  const { url, close } = await listen(app.fetch)
  return { url, sandbox: sandbox.url, close: () => Promise.all([close(), sandbox.close()]) }
}

import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serve } from '@hono/node-server'
import { serve as serveSandbox } from '@partner-payments/sandbox'
import { Hono } from 'hono'

const dist = fileURLToPath(new URL('../dist', import.meta.url))
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/** The built site, and behind it a sandbox, on one origin, as `pnpm dev` serves them. */
export async function serveSite() {
  const sandbox = await serveSandbox({ port: 0, allowLoopback: true })
  const app = new Hono()
  app.all('/mobile-bff/*', ({ req }) => fetch(new Request(sandbox.url + req.path, req.raw)))
  app.get('/sandbox.html', ({ redirect }) => redirect(sandbox.url))
  app.get('/sandbox.json', ({ json }) => json({ url: sandbox.url }))
  app.get('*', async ({ req, body }) => {
    const path = req.path.endsWith('/') ? `${req.path}index.html` : req.path
    const file = await readFile(join(dist, path)).catch(() => undefined)
    const shown = file ?? (await readFile(join(dist, '404.html')))
    return body(new Uint8Array(shown), file ? 200 : 404, {
      'content-type': TYPES[file ? extname(path) : '.html'] ?? 'text/plain; charset=utf-8',
    })
  })
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the site has no address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    sandbox: sandbox.url,
    async close() {
      await Promise.all([new Promise((resolve) => server.close(resolve)), sandbox.close()])
    },
  }
}

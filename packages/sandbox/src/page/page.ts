import { Hono } from 'hono'
import { type Asset, readAssets } from './assets.ts'

/** The page can load only its own files, run only its own scripts, and is never framed. */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** Serves the page at `/` and its files below `/assets/`. */
export function createPage(): Hono {
  const app = new Hono()
  // Read on first use: most sandboxes, above all in tests, never serve the page.
  let assets: ReturnType<typeof readAssets> | undefined
  const named = (name: string) => {
    assets ??= readAssets()
    return fileResponse(assets.get(name))
  }
  app.get('/', (c) => named('index.html') ?? c.notFound())
  app.get('/assets/:name', (c) => named(c.req.param('name')) ?? c.notFound())
  return app
}

function fileResponse(asset: Asset | undefined): Response | undefined {
  return asset && new Response(asset.body, { headers: { ...HEADERS, 'content-type': asset.type } })
}

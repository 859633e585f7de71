import { Hono } from 'hono'
import { type Asset, readAssets } from './assets.ts'

/** A page that can load nothing but its own files, run nothing but its own scripts, and sit in no frame. */
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

/** The page for people, at `/`, and what it is made of, below `/assets/`. */
export function createPage(): Hono {
  const app = new Hono()
  // Most who start a sandbox, tests above all, never look at it.
  let assets: ReturnType<typeof readAssets> | undefined
  const named = (name: string) => {
    assets ??= readAssets()
    return answer(assets.get(name))
  }
  app.get('/', (c) => named('index.html') ?? c.notFound())
  app.get('/assets/:name', (c) => named(c.req.param('name')) ?? c.notFound())
  return app
}

function answer(asset: Asset | undefined): Response | undefined {
  return asset && new Response(asset.body, { headers: { ...HEADERS, 'content-type': asset.type } })
}

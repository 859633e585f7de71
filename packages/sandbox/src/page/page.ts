import { readdirSync, readFileSync } from 'node:fs'
import * as module from 'node:module'
import { Hono } from 'hono'

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

/** A file for the browser. */
export interface Asset {
  readonly type: string
  readonly body: string
}

const FOLDER = new URL('./browser/', import.meta.url)
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
}

/** The browser's files by name: as packed, or from source with the types stripped. */
export function readAssets(): ReadonlyMap<string, Asset> {
  return new Map(readdirSync(FOLDER).map(assetOf))
}

function assetOf(file: string): [string, Asset] {
  const text = readFileSync(new URL(file, FOLDER), 'utf8')
  const name = file.replace(/\.ts$/, '.js')
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  return [name, { type, body: name === file ? text : scriptOf(text) }]
}

/** Strips types and renames imports to `.js`. */
function scriptOf(source: string): string {
  return withoutTypes(source).replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'")
}

/** Without the warning of Node that this is experimental. */
function withoutTypes(source: string): string {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return module.stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = emitWarning
  }
}

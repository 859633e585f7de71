import { readdirSync, readFileSync } from 'node:fs'
// Named, the function would have to be there in a Node that only says that it is too old.
import * as module from 'node:module'
import { extname } from 'node:path'
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

/** Serves the page of the sandbox: its HTML at `/`, and its scripts and styles below `/assets`. */
export function createPage(): Hono {
  const app = new Hono()
  // Read on first use: most sandboxes, above all in tests, never serve the page.
  let assets: ReturnType<typeof readAssets> | undefined
  function respondWith(name: string): Response | undefined {
    assets ??= readAssets()
    const asset = assets.get(name)
    if (!asset) return undefined
    return new Response(asset.body, { headers: { ...HEADERS, 'content-type': asset.type } })
  }

  app.get('/', (c) => respondWith('index.html') ?? c.notFound())
  app.get('/assets/:name', (c) => respondWith(c.req.param('name')) ?? c.notFound())
  return app
}

export interface Asset {
  readonly type: string
  readonly body: string
}

const FOLDER = new URL('./browser/', import.meta.url)
const SCRIPT = 'text/javascript; charset=utf-8'
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': SCRIPT,
  '.mjs': SCRIPT,
  '.ts': SCRIPT,
}
/** The libraries of the page, and their files in the browser. A tarball has these files. */
const LIBRARIES: Readonly<Record<string, string>> = {
  htm: 'htm.js',
  'htm/preact': 'htm-preact.js',
  preact: 'preact.js',
  'preact/hooks': 'preact-hooks.js',
}
/** The file of the sandbox that the page reads too, and its name in the browser. */
const SHARED = { id: '../../seed/first-partner.ts', name: 'first-partner.js' }
const LICENSES =
  '/*! Preact (MIT, preactjs.com) and htm (Apache-2.0, github.com/developit/htm) by Jason Miller */\n'

/** The browser's files by name: as packed, or from source with the types stripped. */
export function readAssets(): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>()
  for (const name of readdirSync(FOLDER)) {
    assets.set(name.replace(/\.ts$/, '.js'), readAsset(new URL(name, FOLDER)))
  }
  const isPacked = assets.has('preact.js')
  if (isPacked) return assets

  // In the repository, the shared file and the libraries are elsewhere.
  assets.set(SHARED.name, readAsset(new URL(SHARED.id, FOLDER)))
  for (const [id, name] of Object.entries(LIBRARIES)) {
    const { type, body } = readAsset(new URL(import.meta.resolve(id)))
    assets.set(name, { type, body: LICENSES + body })
  }
  return assets
}

/** Reads one file for the browser. Types are stripped from TypeScript. */
function readAsset(file: URL): Asset {
  const text = readFileSync(file, 'utf8')
  const extension = extname(file.pathname)
  const type = TYPES[extension] ?? 'application/octet-stream'
  if (type !== SCRIPT) return { type, body: text }

  const script = extension === '.ts' ? module.stripTypeScriptTypes(text) : text
  return { type, body: withPaths(script) }
}

/**
 * A script with its imports as the browser resolves them: `from 'htm/preact'` becomes
 * `from './htm-preact.js'`, and `from './api.ts'` becomes `from './api.js'`.
 */
function withPaths(source: string): string {
  return source.replaceAll(
    /(from ?['"])([\w./-]+)(?=['"])/g,
    (_, from: string, id: string) => from + pathOf(id),
  )
}

/** The path of an imported module in the browser: of a library, the shared file, or a file here. */
function pathOf(id: string): string {
  const library = LIBRARIES[id]
  if (library !== undefined) return `./${library}`
  if (id === SHARED.id) return `./${SHARED.name}`
  return id.replace(/\.ts$/, '.js')
}

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Plugin } from 'vitepress'

/**
 * The paths that a development server passes on to the sandbox, as Vite matches them. Without dots
 * and encodings, in which a server behind could read another path, such as `/_sandbox/state`, which
 * only this machine may call.
 */
export const SANDBOX_PATHS = '^/mobile-bff/[\\w/-]+(\\?.*)?$'

/** Responds to a request, or calls the next handler. */
type Handler = (
  request: IncomingMessage & { readonly originalUrl?: string | undefined },
  response: ServerResponse,
  next: () => void,
) => unknown

/**
 * Lets a development server respond as a host of the built site does: with the Markdown of a page
 * where a reader asks for it, and with 404 for a page that does not exist. `sandbox.html` leads to
 * the page of the sandbox behind the server, and `sandbox.json` names its address. No other site
 * may show a page in a frame.
 */
export function likeBuilt(): Plugin {
  return {
    name: 'like-built',
    // Before VitePress, which returns its one page for every path.
    enforce: 'pre',
    /** Adds the handlers. What this returns is called once Vite has added its own. */
    configureServer({ middlewares, config: { root, server } }) {
      middlewares.use(protect)
      const sandbox = readTarget(server.proxy?.[SANDBOX_PATHS])
      if (sandbox) middlewares.use(leadToSandbox(sandbox))
      middlewares.use(sendMarkdown(root))

      // After the handlers of files: what they have left is a page, or nothing.
      return () => middlewares.use(refuseUnknownPages(root))
    },
  }
}

/** Lets no other site show a page in a frame, or open a file in the editor of this machine. */
const protect: Handler = ({ url = '' }, response, next) => {
  response.setHeader('content-security-policy', "frame-ancestors 'none'")
  response.setHeader('x-frame-options', 'DENY')
  if (/__open-in-editor/i.test(url)) response.writeHead(404).end()
  else next()
}

function leadToSandbox(address: string): Handler {
  return ({ url }, response, next) => {
    if (url === '/sandbox.html') response.writeHead(302, { location: address }).end()
    else if (url === '/sandbox.json') response.end(JSON.stringify({ url: address }))
    else next()
  }
}

/**
 * Creates the handler that sends the Markdown of a page to a reader who opens its address, such as
 * `/guides/pay.md`. Requests of Vite for the same address are passed on.
 */
function sendMarkdown(root: string): Handler {
  return async ({ url = '', headers }, response, next) => {
    const isReader = headers['sec-fetch-dest'] === 'document'
    const isPage = /^[\w/-]+\.md$/.test(url)
    if (!isReader || !isPage) return next()

    const text = await readFile(join(root, url), 'utf8').catch(() => undefined)
    if (!text) return next()
    response.setHeader('content-type', 'text/plain; charset=utf-8').end(text)
  }
}

/** Makes the response to a page that does not exist a 404. VitePress would set 200 later. */
function refuseUnknownPages(root: string): Handler {
  return ({ originalUrl = '/' }, response, next) => {
    if (!existsSync(join(root, pageOf(originalUrl))))
      Object.defineProperty(response, 'statusCode', { get: () => 404, set: () => {} })
    next()
  }
}

/** The target of a proxy that `serveDocs` has set, if there is one. */
function readTarget(proxy: unknown): string | undefined {
  if (typeof proxy !== 'object' || proxy === null || !('target' in proxy)) return undefined
  return typeof proxy.target === 'string' ? proxy.target : undefined
}

/** The Markdown file of an address. */
function pageOf(url: string): string {
  const { pathname } = new URL(url, 'http://localhost')
  const name = pathname.replace(/\/$/, '/index').replace(/\.html$/, '')
  return `${name}.md`
}

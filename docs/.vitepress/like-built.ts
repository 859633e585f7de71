import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vitepress'

/**
 * The paths that a development server passes on to the sandbox, as Vite matches them. Without dots
 * and encodings, in which a server behind could read another path, such as `/_sandbox/state`, which
 * only this machine may call.
 */
export const SANDBOX_PATHS = '^/mobile-bff/[\\w/-]+(\\?.*)?$'

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
    configureServer({ middlewares, config: { root, server } }) {
      const sandbox = addressOf(server.proxy?.[SANDBOX_PATHS])
      middlewares.use(({ url = '' }, response, next) => {
        response.setHeader('content-security-policy', "frame-ancestors 'none'")
        response.setHeader('x-frame-options', 'DENY')
        // Vite would open a file in the editor of this machine, for a page of any site.
        if (/__open-in-editor/i.test(url)) response.writeHead(404).end()
        else next()
      })
      middlewares.use(async ({ url = '', headers }, response, next) => {
        if (sandbox && url === '/sandbox.html')
          return response.writeHead(302, { location: sandbox }).end()
        if (sandbox && url === '/sandbox.json')
          return response.end(JSON.stringify({ url: sandbox }))

        const isReader = headers['sec-fetch-dest'] === 'document'
        const isPage = /^[\w/-]+\.md$/.test(url)
        if (!isReader || !isPage) return next()

        const text = await readFile(join(root, url), 'utf8').catch(() => undefined)
        if (!text) return next()
        response.setHeader('content-type', 'text/plain; charset=utf-8').end(text)
      })

      // What the handlers of files have left is a page, or nothing. VitePress sets 200 itself.
      return () =>
        middlewares.use(({ originalUrl = '/' }, response, next) => {
          if (!existsSync(join(root, pageOf(originalUrl))))
            Object.defineProperty(response, 'statusCode', { get: () => 404, set: () => {} })
          next()
        })
    },
  }
}

/** The target of a proxy that `serveDocs` has set, if there is one. */
function addressOf(proxy: unknown): string | undefined {
  if (typeof proxy !== 'object' || proxy === null || !('target' in proxy)) return undefined
  return typeof proxy.target === 'string' ? proxy.target : undefined
}

/** The Markdown file of an address. */
function pageOf(url: string): string {
  const { pathname } = new URL(url, 'http://localhost')
  const name = pathname.replace(/\/$/, '/index').replace(/\.html$/, '')
  return `${name}.md`
}

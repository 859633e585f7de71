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
 * the page of the sandbox behind the server, and `sandbox.json` names its address.
 */
export function likeBuilt(): Plugin {
  return {
    name: 'like-built',
    // Before VitePress, which returns its one page for every path.
    enforce: 'pre',
    configureServer({ middlewares, config: { root, server } }) {
      const { target } = Object(server.proxy?.[SANDBOX_PATHS])
      middlewares.use(async ({ url = '', headers }, response, next) => {
        if (url === '/sandbox.html' && target)
          return response.writeHead(302, { location: target }).end()
        if (url === '/sandbox.json' && target) return response.end(JSON.stringify({ url: target }))
        const isPage = /^[\w/-]+\.md$/.test(url) && headers['sec-fetch-dest'] === 'document'
        const text = isPage && (await readFile(join(root, url), 'utf8').catch(() => undefined))
        if (!text) return next()
        response.setHeader('content-type', 'text/plain; charset=utf-8').end(text)
      })
      // What the handlers of files have left is a page, or nothing. VitePress sets 200 itself.
      return () =>
        middlewares.use(({ originalUrl = '/' }, response, next) => {
          const name = new URL(originalUrl, 'http://localhost').pathname
            .replace(/\/$/, '/index')
            .replace(/\.html$/, '')
          if (!existsSync(join(root, `${name}.md`)))
            Object.defineProperty(response, 'statusCode', { get: () => 404, set: () => {} })
          next()
        })
    },
  }
}

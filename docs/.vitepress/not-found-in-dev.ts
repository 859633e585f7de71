import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vitepress'

/** Lets a development server return 404 with the page "not found", as a host of the built site does, instead of 200. */
export function returnsNotFound(): Plugin {
  return {
    name: 'not-found-in-dev',
    // Before VitePress, whose handler returns its one page for every path.
    enforce: 'pre',
    configureServer({ middlewares, config }) {
      // What the handlers of files have left is a page, or nothing.
      return () =>
        middlewares.use((request, response, next) => {
          const { pathname } = new URL(request.originalUrl ?? '/', 'http://localhost')
          if (!isPage(config.root, pathname)) fixStatus(response, 404)
          next()
        })
    },
  }
}

function isPage(root: string, path: string): boolean {
  const name = path.replace(/\/$/, '/index').replace(/\.html$/, '')
  return existsSync(join(root, `${name}.md`))
}

/** VitePress sets 200 itself. */
function fixStatus(response: object, status: number): void {
  Object.defineProperty(response, 'statusCode', { get: () => status, set: () => {} })
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vitepress'

/** Lets a development server return a page as Markdown where a reader asks for it, as the built site does. */
export function readsMarkdown(): Plugin {
  return {
    name: 'markdown-in-dev',
    configureServer: ({ middlewares, config }) => {
      middlewares.use(async ({ url = '', headers }, response, next) => {
        const isPage = /^[\w/-]+\.md$/.test(url) && headers['sec-fetch-dest'] === 'document'
        const text = isPage && (await readFile(join(config.root, url), 'utf8').catch(() => undefined))
        if (!text) return next()
        response.setHeader('content-type', 'text/plain; charset=utf-8').end(text)
      })
    },
  }
}

import { defineConfig } from 'vitepress'
import { address, base } from './address.ts'
import { createPageHead, HEAD, TITLE } from './head.ts'
import { likeBuilt } from './like-built.ts'
import { markdown } from './markdown.ts'
import { nav, sidebar } from './navigation.ts'
import { changeHtml } from './page-html.ts'
import { createSearchText, orderResults, writeIndex } from './search-text.ts'
import { site } from './site-data.ts'

/** Search engines want whole addresses, which only the host of the site has. */
const sitemap = address ? { sitemap: { hostname: address.href } } : {}

export default defineConfig({
  title: TITLE,
  description: 'The contract of a partner payments API, and what is built from it',
  base,
  srcDir: '.pages',
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  metaChunk: true,
  ignoreDeadLinks: [/reference(\.html)?/],
  router: { prefetchLinks: false },
  ...sitemap,
  head: HEAD,
  transformHead: createPageHead,
  transformHtml: changeHtml,
  markdown,
  vite: {
    plugins: [likeBuilt(), orderResults(), writeIndex()],
    // Vite serves every other file of the clone. A remote in `.git/config` may have a token.
    server: { fs: { deny: ['.env', '.env.*', '*.{crt,pem,key}', '**/.git/**', '.npmrc'] } },
    // The reference is a program of its own, which no bundler needs to read.
    // “Try it” loads openapi-fetch with the client; a first optimization would reload the page.
    optimizeDeps: { entries: [], exclude: ['openapi-fetch'] },
  },
  themeConfig: {
    logo: '/logo.svg',
    outline: { level: [2, 3], label: 'On this page' },
    nav,
    sidebar,
    search: {
      provider: 'local',
      options: {
        _render: createSearchText(site.pages),
        // VitePress passes on every option, although its types name three.
        miniSearch: { options: { storeFields: ['title', 'titles', 'text'] } as object },
      },
    },
    notFound: {
      linkText: 'Go to the first page',
      linkLabel: 'Go to the first page',
      quote:
        'The page may have moved. The search finds guides, operations, fields and error codes.',
    },
    footer: {
      message:
        'Where the source document is silent, the contract makes assumptions, which are marked.',
    },
  },
})

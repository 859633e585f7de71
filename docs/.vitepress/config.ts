import { readFileSync } from 'node:fs'
import { defineConfig, type HeadConfig } from 'vitepress'
import { type Assumptions, drawMarks, withLegend } from '../build/marks.ts'
import type { Page } from '../build/pages.ts'
import { labelAnchors } from './anchor-labels.ts'
import { likeBuilt } from './like-built.ts'
import { createSearchText, orderResults, writeIndex } from './search-text.ts'

interface Site {
  readonly version: string
  /** Undefined once it is released. */
  readonly nextVersion?: string
  readonly pages: Omit<Page, 'text'>[]
  readonly assumptions: Assumptions
}

const site: Site = JSON.parse(readFileSync(new URL('../.pages/site.json', import.meta.url), 'utf8'))

/**
 * Where the site is published, if known: canonical links and the site map need the whole address.
 */
const address = process.env.DOCS_URL && new URL(process.env.DOCS_URL)
const base = address ? address.pathname : '/'

const OPERATIONS = { text: 'Operations and resources', link: '/operations/' }
const EVENTS = { text: 'Events', link: '/events/' }
const ERRORS = { text: 'Error codes', link: '/behaviour/errors' }
const FIELDS = { text: 'Fields', link: '/fields' }
const QUESTIONS = { text: 'Open questions', link: '/open-questions' }
const RULES = {
  text: 'Rules of the checker',
  link: '/rules/',
  collapsed: true,
  items: createItems('rules').filter(({ link }) => link !== '/rules/'),
}
const GUIDES = [
  ...withRules(sidebar('guides', 'Start')),
  { text: 'Contract', items: [OPERATIONS, EVENTS, ERRORS, QUESTIONS] },
]
const REFERENCE = [
  { text: 'Reference', items: [OPERATIONS, FIELDS, QUESTIONS] },
  ...sidebar('operations'),
  ...sidebar('events', 'Events'),
  ...sidebar('resources', 'Resources'),
  ...sidebar('errors', 'Errors'),
]

const TITLE = 'Partner payments'

/** Behind the version of the header, which takes HTML. Where the header is narrow, it says less. */
const UNRELEASED = '<span class="unreleased">, not released</span>'

/**
 * Nothing is loaded but what the site carries, so that no reader is observed. `connect-src` is for
 * the search and “Try it”.
 */
const CONTENT_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'"

/** The page for addresses that do not exist, which is otherwise drawn by JavaScript. */
const NOT_FOUND = `<noscript><main class="vp-doc not-found">
<h1>Page not found</h1>
<p>The page may have moved. Continue at one of these:</p>
<ul>
<li><a href="${base}">The first page</a></li>
<li><a href="${base}guides/getting-started.html">Getting started</a></li>
<li><a href="${base}operations/">All operations</a></li>
<li><a href="${base}behaviour/errors.html">Error codes</a></li>
<li><a href="${base}guides/what-the-service-does-not-have.html">What the service does not have</a></li>
</ul>
</main></noscript>`

const PRELOADED_PROGRAM = /^ *<link rel="modulepreload".*\n/gm

/** Before a page is drawn. */
const SHOW_ASSUMPTIONS = `document.documentElement.classList.toggle('show-assumptions', localStorage.getItem('show-assumptions') === 'yes')`

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
  transformHead({ page, title, description }) {
    const tags = [
      meta('title', title),
      meta('description', description),
      meta('type', 'website'),
      meta('site_name', TITLE),
    ]
    if (address) tags.push(...canonical(page))
    return tags
  },
  transformHtml(html, file) {
    if (file.endsWith('404.html')) return html.replace('<div id="app">', `${NOT_FOUND}$&`)
    // On a slow network, the table of operations should not wait for programs.
    if (file.endsWith('reference.html')) return html.replaceAll(PRELOADED_PROGRAM, '')
    return undefined
  },
  head: [
    ['meta', { 'http-equiv': 'Content-Security-Policy', content: CONTENT_POLICY }],
    ['link', { rel: 'icon', href: `${base}logo.svg`, type: 'image/svg+xml' }],
    ['script', {}, SHOW_ASSUMPTIONS],
  ],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // By default, Shiki colours no more of a line after half a second, which the first one may
    // take.
    codeTransformers: [
      {
        preprocess(_, options) {
          options.tokenizeTimeLimit = 0
        },
      },
    ],
    config: (markdown) => {
      const { core, renderer } = markdown
      labelAnchors(markdown)
      const { code_inline: code } = renderer.rules
      renderer.rules.code_inline = (...args) => breakable(code?.(...args) ?? '')
      core.ruler.before('normalize', 'marks', (state) => {
        const { relativePath } = state.env as { relativePath: string }
        state.src = drawMarks(withLegend(state.src, relativePath), site.assumptions)
      })
    },
  },
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
    nav: [
      { text: 'Guides', link: '/guides/getting-started', activeMatch: '/guides/' },
      {
        text: 'Reference',
        activeMatch: '/operations/|/events/|/fields|/behaviour/|/rules/',
        items: [
          OPERATIONS,
          EVENTS,
          FIELDS,
          ERRORS,
          { text: 'Resources', link: '/operations/#resources' },
          QUESTIONS,
          { text: RULES.text, link: RULES.link },
          { text: 'openapi.json', link: `${base}openapi.json`, target: '_self' },
          { text: 'openapi.yaml', link: `${base}openapi.yaml`, target: '_self' },
        ],
      },
      // VitePress would mark it by the hash, which only the browser knows.
      { text: 'Try it', link: '/operations/createTransfer#try-it', activeMatch: '^try' },
      { text: 'Sandbox', link: '/sandbox.html', target: '_self' },
      {
        text: site.nextVersion ? `${site.nextVersion}${UNRELEASED}` : `v${site.version}`,
        items: [
          { text: 'Changelog', link: '/changelog' },
          { text: 'Upgrading', link: '/guides/upgrading' },
        ],
      },
    ],
    sidebar: {
      '/guides/': GUIDES,
      '/operations/': REFERENCE,
      '/events/': REFERENCE,
      '/fields': REFERENCE,
      '/behaviour/': REFERENCE,
      '/open-questions': REFERENCE,
      '/rules/': GUIDES,
    },
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

/** Lets the names in code break between their words, and an option not after its first hyphens. */
function breakable(html: string): string {
  const inWords = html.replaceAll(/[_.](?=\w)|[a-z](?=[A-Z])|\/(?=\w)(?!code>)/g, '$&<wbr>')
  return inWords.replaceAll(/(?<![\w-])--?\w+/g, '<span class="option">$&</span>')
}

function meta(name: string, content: string): HeadConfig {
  return ['meta', { property: `og:${name}`, content }]
}

function canonical(page: string): HeadConfig[] {
  const path = page.replace(/\.md$/, '.html').replace(/(^|\/)index\.html$/, '$1')
  const { href } = new URL(path, address)
  return [['link', { rel: 'canonical', href }], meta('url', href)]
}

/** The pages of a section, by their groups where they have such. */
function sidebar(name: string, title = '') {
  const groups = Object.groupBy(selectPages(name), ({ group }) => group ?? title)
  return Object.entries(groups).map(([text, pages = []]) => ({
    text,
    items: pages.map(createItem),
  }))
}

/** Adds the rules below the guide of the checker. */
function withRules(groups: ReturnType<typeof sidebar>) {
  return groups.map(({ text, items }) => {
    const hasChecker = items.some(({ link }) => link === '/guides/checking-a-service')
    return { text, items: hasChecker ? [...items, RULES] : items }
  })
}

function createItems(section: string) {
  return selectPages(section).map(createItem)
}

function selectPages(name: string) {
  return site.pages.filter(({ section }) => section === name)
}

function createItem({ title, path }: Pick<Page, 'title' | 'path'>) {
  return { text: title, link: writeLink(path) }
}

function writeLink(path: string): string {
  return `/${path.replace(/(index)?\.md$/, '')}`
}

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { CONTENT_POLICY } from '../.vitepress/policy.ts'
import type { Contract } from './contract.ts'

/**
 * The reference page: Redoc around the decorated contract, in one file that asks nothing of any network.
 *
 * Redoc's own build takes most of a second and depends on its version and options alone. So it is built once around
 * an empty contract and kept; each page is that shell with the contract put in, which Redoc renders in the browser.
 */
export async function referencePage(contract: Contract): Promise<string> {
  return [
    [HEAD, await head()],
    [TOP, HEADER],
    [DEFINITION, `const __redoc_definition = ${scriptJson(contract)};`],
  ].reduce((page, [mark, text]) => replaceOnce(page, mark, text), await readShell())
}

/** The page of the console, which `browser/try.js` fills. */
export async function consolePage(): Promise<string> {
  const page = await readFile(here('browser/try.html'), 'utf8')
  return replaceOnce(replaceOnce(page, HEAD, await head()), TOP, HEADER)
}

async function head(): Promise<string> {
  const styles = await Promise.all(
    ['static', 'marks'].map((name) => readFile(here(`style/${name}.css`), 'utf8')),
  )
  return `<meta http-equiv="Content-Security-Policy" content="${CONTENT_POLICY}">
<link rel="icon" href="data:,">
<script>${THEME}</script>
<script src="assumptions.js"></script>
<style>${styles.join('')}</style>`
}

/** The colours that a reader chose on the other pages, for these pages and for Redoc. */
const THEME = `(() => {
  const chosen = localStorage.getItem('vitepress-theme-appearance') ?? 'auto'
  const isDark = chosen === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark'
  document.documentElement.classList.toggle('dark', isDark)
  localStorage.setItem('redoc.colorMode', isDark ? 'dark' : 'light')
})()`

/** The bar of the pages that VitePress does not make. */
const HEADER = `<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="index.html">Partner payments</a>
<nav aria-label="Site"><a href="guides/getting-started.html">Guides</a><a href="reference.html">Reference</a><a href="behaviour/errors.html">Errors</a><a href="try.html">Try it</a><a href="open-questions.html">Open questions</a></nav>
<button type="button" class="assumptions-switch" data-assumptions>Show assumptions</button>
</header>`

const HEAD = '<!-- head of the page -->'
const TOP = '<!-- top of the page -->'
const DEFINITION = 'const __redoc_definition = {};'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const cli = createRequire(import.meta.url).resolve('@redocly/cli/package.json')

let kept: Promise<string> | undefined

function readShell(): Promise<string> {
  kept ??= loadShell()
  return kept
}

async function loadShell(): Promise<string> {
  const inputs = ['reference.hbs', '../redocly.yaml', 'reference.ts'].map(here)
  const texts = await Promise.all([cli, ...inputs].map((file) => readFile(file, 'utf8')))
  const key = createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 16)
  const file = here(`../node_modules/.cache/redoc-${key}.html`)
  return readFile(file, 'utf8').catch(() => makeShell(file))
}

/** Made in a folder of its own and then moved, since another process may be making or reading the same file. */
async function makeShell(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true })
  const folder = await mkdtemp(`${file}.`)
  try {
    const shell = await renderShell(folder)
    const made = join(folder, 'shell.html')
    await writeFile(made, shell)
    await rename(made, file)
    return shell
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function renderShell(folder: string): Promise<string> {
  const empty = join(folder, 'empty.json')
  const html = join(folder, 'redoc.html')
  await writeFile(
    empty,
    JSON.stringify({ openapi: '3.1.0', info: { title: TITLE, version: '0' }, paths: {} }),
  )
  const args = ['build-docs', empty, '--inlineBundle', '--template', here('reference.hbs'), '--output', html]
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  await promisify(execFile)(process.execPath, [join(dirname(cli), 'bin/cli.js'), ...args], {
    cwd: here('..'),
    env,
    timeout: 60_000,
  })
  return emptyShell(await readFile(html, 'utf8'))
}

const TITLE = 'Reference - Partner payments'

/** Takes the empty contract out again, and the vendor's logo, which Redoc would fetch. */
function emptyShell(html: string): string {
  return html
    .replace(/<div id="redoc">.*<\/div>/, '<div id="redoc"></div>')
    .replace(/const __redoc_definition = .*;/, DEFINITION)
    .replaceAll(/https:\/\/cdn\.redoc\.ly\/redoc\/[a-z-]+\.svg/g, LOGO)
}

/** Redoc drops a logo that does not load, so this one has to be an image with a size. */
const LOGO = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="42" height="16"><text x="0" y="12" font-family="sans-serif" font-size="12" fill="#4666d8">Redoc</text></svg>',
)}`

/** A closing tag inside a string would end the script. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

function replaceOnce(text: string, mark = '', replacement = ''): string {
  const at = text.indexOf(mark)
  if (at < 0) throw new Error(`Redoc's page has no "${mark}": its template has changed`)
  return text.slice(0, at) + replacement + text.slice(at + mark.length)
}

import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import chromium from '@sparticuz/chromium'
import axe from 'axe-core'
import { type Browser, type Page, chromium as playwright } from 'playwright-core'
import { beforeAll, beforeEach } from 'vitest'

export type { Browser, Page, Route } from 'playwright-core'

/** Opens a new page before each test of a file, all in one browser, and passes it to `use`. */
export function usePages(use: (page: Page) => void | Promise<void>): void {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
    return () => browser.close()
  })
  beforeEach(async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    await use(page)
    return () => context.close()
  })
}

/**
 * Launches a headless Chromium: that of an npm package on Linux x64, elsewhere an installed Chrome,
 * whose path CHROME_PATH can set.
 */
async function launch(): Promise<Browser> {
  const { CHROME_PATH } = process.env
  if (CHROME_PATH) return playwright.launch({ executablePath: CHROME_PATH })
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return playwright.launch({ channel: 'chrome' })
  // A single process exits with its first context, disabled web security also disables CSP, and the
  // pages need no 3D.
  const args = chromium.args.filter((arg) => !UNWANTED.has(arg) && !isAbout3d(arg))
  args.push('--disable-gpu')
  return playwright.launch({ executablePath: await unpacked(), args })
}

const UNWANTED: ReadonlySet<string> = new Set([
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
])

function isAbout3d(arg: string): boolean {
  return arg.includes('gl') || arg.includes('gpu') || arg.includes('swiftshader')
}

/**
 * Collects what a page does and should not: requests to another host than its own, errors in the
 * console, exceptions. The returned list grows.
 */
export function watchComplaints(page: Page, url: string): string[] {
  const complaints: string[] = []
  const origins = [`${url}/`, 'data:', 'blob:']
  page.on('request', (request) => {
    const address = request.url()
    const isOwn = origins.some((origin) => address.startsWith(origin))
    if (!isOwn) complaints.push(`asked for ${address}`)
  })
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${page.url()} ${message.text()}`)
  })
  page.on('pageerror', (error) => {
    complaints.push(`${page.url()} ${error}`)
  })
  return complaints
}

/** The serious and critical violations that axe finds in a page as it is now. */
export async function seriousViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(`axe.run().then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)).join(' ')))`)
}

const UNPACK = "await (await import('@sparticuz/chromium')).default.executablePath()"

/**
 * Of this clone: in a folder for temporary files, another user could put a program under the name
 * that is expected.
 */
const CACHE = join(import.meta.dirname, '../../node_modules/.cache')

/**
 * Returns the path of Chromium, and unpacks it on first use. Test files may call this concurrently:
 * each unpacks into its own folder and renames it when complete, so none starts a partial copy.
 *
 * @param within The folder that the unpacked one is kept in. Other users must not be able to write
 *   there.
 */
export async function unpacked(within = CACHE): Promise<string> {
  await mkdir(within, { recursive: true })
  const home = join(within, `chromium-${version()}`)
  const executable = join(home, 'chromium')
  if (!existsSync(executable)) await unpackChromium(home)
  return executable
}

/** Unpacks Chromium into a folder, unless another process was faster. */
async function unpackChromium(home: string): Promise<void> {
  const folder = await mkdtemp(`${home}-`)
  // Chromium unpacks to the folder for temporary files, which is set per process.
  const env = { ...process.env, TMPDIR: folder }
  const args = ['--input-type=module', '--eval', UNPACK]
  await promisify(execFile)(process.execPath, args, { env, cwd: import.meta.dirname })
  await rename(folder, home).catch(async (error) => {
    await rm(folder, { recursive: true })
    // Another process was faster.
    if (!existsSync(home)) throw error
  })
}

function version(): string {
  const manifest = new URL('../package.json', import.meta.resolve('@sparticuz/chromium'))
  return JSON.parse(readFileSync(manifest, 'utf8')).version
}

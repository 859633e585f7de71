import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'
import { unpacked } from './unpacked.ts'

/**
 * Launches a headless Chromium: the npm package on Linux x64, else an installed Chrome, whose path CHROME_PATH can set.
 *
 * @example
 * const browser = await launch()
 * const page = await browser.newPage()
 */
export async function launch(): Promise<Browser> {
  const { CHROME_PATH } = process.env
  if (CHROME_PATH) return playwright.launch({ executablePath: CHROME_PATH })
  if (process.platform !== 'linux' || process.arch !== 'x64') return playwright.launch({ channel: 'chrome' })
  // A single process exits with its first context, disabled web security also disables CSP, and the pages need no 3D.
  const unwanted = /^--(single-process|no-zygote|disable-web-security)$|gl|gpu|swiftshader/
  const args = [...chromium.args.filter((arg) => !unwanted.test(arg)), '--disable-gpu']
  return playwright.launch({ executablePath: await unpacked(), args })
}

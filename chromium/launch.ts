import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'
import { unpacked } from './unpacked.ts'

/**
 * A headless Chromium: the one from npm on Linux x64, else an installed Chrome, which CHROME_PATH may name.
 *
 * @example
 * const browser = await launch()
 * const page = await browser.newPage()
 */
export async function launch(): Promise<Browser> {
  const { CHROME_PATH } = process.env
  if (CHROME_PATH) return playwright.launch({ executablePath: CHROME_PATH })
  if (process.platform !== 'linux' || process.arch !== 'x64') return playwright.launch({ channel: 'chrome' })
  // A single process ends with its first context, without web security no policy holds, and pages need no 3D.
  const unwanted = /^--(single-process|no-zygote|disable-web-security)$|gl|gpu|swiftshader/
  const args = [...chromium.args.filter((arg) => !unwanted.test(arg)), '--disable-gpu']
  return playwright.launch({ executablePath: await unpacked(), args })
}

import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

/** A headless Chromium: the one from npm on Linux x64, else an installed Chrome, which CHROME_PATH may name. */
export async function launch(): Promise<Browser> {
  const { CHROME_PATH } = process.env
  if (CHROME_PATH) return playwright.launch({ executablePath: CHROME_PATH })
  if (process.platform !== 'linux' || process.arch !== 'x64') return playwright.launch({ channel: 'chrome' })
  // In a single process the browser ends with its first context, and without web security the policy of a page is idle.
  const unwanted = ['--single-process', '--no-zygote', '--disable-web-security']
  const args = chromium.args.filter((arg) => !unwanted.includes(arg))
  return playwright.launch({ executablePath: await chromium.executablePath(), args })
}

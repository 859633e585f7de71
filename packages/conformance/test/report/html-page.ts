import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, type BrowserContext, launch, type Page } from '@partner-payments/testing'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { locateBySources } from '../../src/cli/spec.ts'
import { renderHtml } from '../../src/report/html.ts'
import type { Result } from '../../src/report/result.ts'

const folder = mkdtempSync(join(tmpdir(), 'report-'))
export const file = join(folder, 'report.html')
const locate = locateBySources({ '/components/schemas/KeyCheck': 'schemas/keys.yaml:6' })
export let browser: Browser
export let context: BrowserContext
export let page: Page
export let complaints: string[]

/** Opens a browser for the tests of a file, and a page for each. Reports what a page loads or complains of. */
export function usePages(): void {
  beforeAll(async () => {
    browser = await launch()
  })
  beforeEach(async () => {
    context = await browser.newContext()
    page = await context.newPage()
    complaints = []
    page.on('request', (request) => isLocal(request.url()) || complaints.push(request.url()))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('dialog', (dialog) => complaints.push(dialog.message()))
  })
  afterEach(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true })
  })
}

/** Opens the report of a run. */
export async function show(run: Result): Promise<void> {
  writeFileSync(file, renderHtml(run, { locate }))
  await page.goto(pathToFileURL(file).href)
}

const isLocal = (url: string) => /^(file|data):/.test(url)

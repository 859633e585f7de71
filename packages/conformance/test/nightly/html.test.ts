import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, type Page, usePages } from '@partner-payments/testing'
import { afterAll, afterEach, expect, test } from 'vitest'
import { locateBySources } from '../../src/cli/spec.ts'
import { renderHtml } from '../../src/report/html.ts'
import type { Result } from '../../src/report/result.ts'
import { finding, fullResult, hostileResult, manyFindings, result } from '../report/results.ts'

const folder = mkdtempSync(join(tmpdir(), 'report-'))
const file = join(folder, 'report.html')
const url = pathToFileURL(file).href
/** What the report loads: itself, and images within it. */
const OWN_PROTOCOLS: ReadonlySet<string> = new Set(['file:', 'data:'])
let page: Page
/** What a page loads or complains of. */
let complaints: string[]

usePages((opened) => {
  page = opened
  complaints = []
  page.on('request', (request) => {
    const { protocol } = new URL(request.url())
    if (!OWN_PROTOCOLS.has(protocol)) complaints.push(request.url())
  })
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('dialog', (dialog) => complaints.push(dialog.message()))
})
afterEach(() => expect(complaints).toEqual([]))
afterAll(() => rmSync(folder, { recursive: true }))

/** Opens the report of a run. */
async function show(run: Result, hash = ''): Promise<void> {
  const locate = locateBySources({ '/components/schemas/KeyCheck': 'schemas/keys.yaml:6' })
  writeFileSync(file, renderHtml(run, { locate }))
  await page.goto(url + hash)
}

const textOf = (selector: string) => page.locator(selector).first().textContent()
/** Visible findings, whether their group is open or not. */
const shown = () => page.locator('li.finding:not([hidden])').count()

test('it begins with the summary sentence, the numbers, and a link to each section', async () => {
  await show(fullResult())
  expect(await textOf('h1.outcome-failed')).toMatch(/fails: 1 failure/)
  expect(await textOf('.figures')).toContain('Inconclusive1')
  const links = await page
    .locator('nav a')
    .evaluateAll((elements) => elements.map((element) => element.getAttribute('href')))
  expect(links).toEqual(['#findings', '#rules', '#questions', '#coverage'])
  for (const link of links) expect(await page.locator(`h2${link}`).count()).toBe(1)
  await show(result({ interrupted: 'Ctrl-C' }))
  expect(await textOf('h1.outcome-interrupted')).toContain('interrupted')
})

test('it shows message, location, command and exchange of a finding', async () => {
  await show(fullResult())
  const { message, advice, id, contract, evidence } = finding()
  const parts = [
    message,
    advice,
    id,
    contract,
    'spec/schemas/keys.yaml:6',
    evidence.curl,
    evidence.response,
  ]
  for (const part of parts) expect(await textOf('article')).toContain(part)
})

test('it has rows of rules, questions and coverage, and inconclusive never looks like passed', async () => {
  await show(fullResult())
  expect(await page.locator('section[aria-labelledby=rules] tbody tr[id]').count()).toBe(5)
  expect(await textOf('tr:has-text("records-gone")')).toContain('inconclusive')
  expect(await page.locator('section[aria-labelledby=rules] details[open]').count()).toBe(0)
  expect(await page.locator('tr:visible', { hasText: 'responses-status' }).count()).toBe(0)
  expect(await textOf('section[aria-labelledby=questions] tbody tr')).toContain(
    'Observed: An amount',
  )
  expect(await page.locator('meter').first().getAttribute('value')).toBe('50')
})

test('it filters by text, kind, rule and operation, and shows the number of matches', async () => {
  await show(manyFindings(100))
  expect(await shown()).toBe(100)
  await page.getByLabel('Kind').selectOption('deviation')
  expect(await shown()).toBe(20)
  await page.getByLabel('Operation').selectOption('checkKey')
  expect(await textOf('output')).toBe('10 of 100 shown')
  await page.getByRole('combobox', { name: 'Rule' }).selectOption('rule-1')
  expect(await shown()).toBe(2)
  await page.getByLabel('Search').fill('f-91')
  expect(await shown()).toBe(1)
  expect(await page.locator('article:visible').count()).toBe(1)
})

test('it groups findings with the same message, and links to each, also from its rule', async () => {
  const findings = ['listUsers', 'getUser'].map((operation) =>
    finding({ id: `a:${operation}:1`, operation }),
  )
  await show(fullResult({ findings }), '#finding-a:getUser:1')
  expect(await page.locator('article').count()).toBe(1)
  expect(await page.locator('[id="finding-a:getUser:1"]').isVisible()).toBe(true)
  await page.locator('article a', { hasText: /^responses-shape$/ }).click()
  expect(page.url()).toMatch(/#rule-responses-shape$/)
  await page.locator('tr a', { hasText: 'responses-shape' }).click()
  expect(page.url()).toMatch(/#finding-a:listUsers:1$/)
})

test('it copies a command offline', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await show(fullResult(), '#finding-responses-shape:checkKey:3a91c0')
  await page.locator('li.finding summary').first().click()
  await page.locator('.command button').first().click()
  await page.locator('button', { hasText: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(finding().evidence.curl)
})

test('it wraps no badge, and leaves room for findings on a phone', async () => {
  await show(fullResult())
  for (const summary of await page.locator('section > details > summary').all())
    await summary.click()
  const heights = await page
    .locator('td .tag:visible')
    .evaluateAll((elements) => elements.map((element) => element.clientHeight))
  expect(heights.length).toBeGreaterThan(4)
  expect(Math.max(...heights)).toBeLessThan(30)
  await page.setViewportSize({ width: 390, height: 844 })
  await show(manyFindings(100))
  expect((await page.locator('form').boundingBox())?.height).toBeLessThan(220)
})

test.each([320, 1280])('it cuts nothing off at %i pixels', async (width) => {
  await page.setViewportSize({ width, height: 800 })
  for (const run of [fullResult(), hostileResult()]) {
    await show(run)
    const isWider = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
    expect(await page.evaluate(isWider)).toBe(false)
  }
})

test('it shows all findings without scripts, and no form', async () => {
  const plain = await (page.context().browser() as Browser).newPage({ javaScriptEnabled: false })
  writeFileSync(file, renderHtml(fullResult()))
  await plain.goto(url)
  expect(await plain.locator('article:visible').count()).toBe(2)
  expect(await plain.locator('form:visible').count()).toBe(0)
  await plain.close()
})

test('it makes no element, attribute or request of hostile text', async () => {
  await show(hostileResult())
  expect(await page.locator('script').count()).toBe(1)
  expect(await page.locator('img, iframe, a:not([href^="#"]), [onerror]').count()).toBe(0)
  expect(await textOf('article')).toContain('<script>alert(1)</script>')
  expect(await page.locator('section').count()).toBe(4)
})

test('it blocks other scripts by its CSP', async () => {
  const html = renderHtml(result()).replace(
    '</body>',
    '<script>document.title = "taken"</script></body>',
  )
  writeFileSync(file, html)
  await page.goto(url)
  expect(await page.title()).toBe('Partner payments: http://127.0.0.1:4020/')
  expect(await page.locator('form').count()).toBe(0)
  expect(complaints.splice(0).join()).toContain('Content Security Policy')
})

import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { renderHtml } from '../../src/report/html.ts'
import { browser, complaints, context, file, page, show, usePages } from '../report/html-page.ts'
import { finding, fullResult, hostileResult, manyFindings, result } from '../report/results.ts'

usePages()

const groups = () => page.locator('article:visible')
/** Visible findings, whether their group is open or not. */
const shown = () => page.locator('li.finding:not([hidden])')
const isWiderThanWindow = () =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth')

test('it has rows of rules, questions and coverage, and inconclusive never looks like passed', async () => {
  await show(fullResult())
  expect(await page.locator('section[aria-labelledby=rules] tbody tr[id]').count()).toBe(5)
  expect(await page.locator('tr', { hasText: 'records-gone' }).first().textContent()).toContain(
    'inconclusive',
  )
  expect(await page.locator('section[aria-labelledby=rules] details[open]').count()).toBe(0)
  expect(await page.locator('tr:visible', { hasText: 'responses-status' }).count()).toBe(0)
  expect(await page.locator('section[aria-labelledby=questions] tbody tr').first().textContent()).toContain(
    'Observed: An amount',
  )
  expect(await page.locator('meter').first().getAttribute('value')).toBe('50')
})

describe('the filter', () => {
  test('it filters by text, kind, rule and operation, and shows the number of matches', async () => {
    await show(manyFindings(100))
    expect(await shown().count()).toBe(100)
    await page.getByLabel('Kind').selectOption('deviation')
    expect(await shown().count()).toBe(20)
    await page.getByLabel('Operation').selectOption('checkKey')
    expect(await page.locator('output').textContent()).toBe('10 of 100 shown')
    await page.getByRole('combobox', { name: 'Rule' }).selectOption('rule-1')
    expect(await shown().count()).toBe(2)
    await page.getByLabel('Search').fill('f-91')
    expect(await shown().count()).toBe(1)
    expect(await groups().count()).toBe(1)
  })

  test('it has no filter without findings', async () => {
    await show(result())
    expect(await page.locator('form').count()).toBe(0)
    expect(await page.locator('main').textContent()).toContain('None.')
  })
})

test('it groups findings with the same message, each with its own anchor', async () => {
  const findings = ['listUsers', 'getUser'].map((operation) => finding({ id: `a:${operation}:1`, operation }))
  await show(result({ findings }))
  expect(await groups().count()).toBe(1)
  const second = page.locator('[id="finding-a:getUser:1"]')
  expect(await second.isVisible()).toBe(false)
  await page.goto(`${pathToFileURL(file).href}#finding-a:getUser:1`)
  expect(await second.isVisible()).toBe(true)
})

test('it links a rule and its findings to each other', async () => {
  await show(fullResult())
  await page.locator('article summary').first().click()
  await page.locator('article a', { hasText: /^responses-shape$/ }).click()
  expect(page.url()).toMatch(/#rule-responses-shape$/)
  await page.locator('tr a', { hasText: 'responses-shape' }).click()
  expect(page.url()).toMatch(/#finding-responses-shape:checkKey:3a91c0$/)
})

test('it links to each section', async () => {
  await show(fullResult())
  const links = await page
    .locator('nav a')
    .evaluateAll((all) => all.map((it) => it.getAttribute('href') ?? ''))
  expect(links).toEqual(['#findings', '#rules', '#questions', '#coverage'])
  for (const link of links) expect(await page.locator(`h2${link}`).count()).toBe(1)
})

test('it copies a command offline', async () => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await show(fullResult())
  await page.goto(`${pathToFileURL(file).href}#finding-responses-shape:checkKey:3a91c0`)
  await page.locator('li.finding summary').first().click()
  await page.locator('.command button').first().click()
  await page.locator('button', { hasText: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(finding().evidence.curl)
})

test('it wraps no badge', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await show(fullResult())
  for (const summary of await page.locator('section > details > summary').all()) await summary.click()
  const heights = await page.locator('td .tag:visible').evaluateAll((all) => all.map((it) => it.clientHeight))
  expect(heights.length).toBeGreaterThan(4)
  expect(Math.max(...heights)).toBeLessThan(30)
})

test('it shows an interrupted run as none that passed', async () => {
  await show(result({ interrupted: 'Ctrl-C' }))
  expect(await page.locator('h1.outcome-interrupted').textContent()).toContain('interrupted')
})

test('it leaves room for findings on a phone', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await show(manyFindings(100))
  const box = await page.locator('form').boundingBox()
  expect(box?.height).toBeLessThan(220)
})

describe.each([
  ['narrow', 320],
  ['wide', 1280],
])('on a %s screen', (_name, width) => {
  test.each(['light', 'dark'] as const)('it cuts nothing off (%s)', async (colorScheme) => {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    for (const run of [fullResult(), hostileResult()]) {
      await show(run)
      expect(await isWiderThanWindow()).toBe(false)
    }
  })
})

test('it shows a thousand findings', async () => {
  await show(manyFindings(1000))
  expect(await page.locator('li.finding').count()).toBe(1000)
})

test('it begins with the summary sentence and the numbers', async () => {
  await show(fullResult())
  expect(await page.locator('h1').textContent()).toMatch(/fails: 1 failure/)
  expect(await page.locator('.figures').textContent()).toContain('Inconclusive1')
})

test('it shows message, location, command and exchange of a finding', async () => {
  await show(fullResult())
  const text = (await page.locator('article').first().textContent()) ?? ''
  const { message, advice, id, contract, evidence } = finding()
  for (const part of [
    message,
    advice,
    id,
    contract,
    'fact: schemas/keys.yaml:6',
    evidence.curl,
    evidence.response,
    'schemas/keys.yaml:6',
  ]) {
    expect(text).toContain(part)
  }
})

test('it shows all findings without scripts, and no form', async () => {
  const plain = await browser.newPage({ javaScriptEnabled: false })
  writeFileSync(file, renderHtml(fullResult()))
  await plain.goto(pathToFileURL(file).href)
  expect(await plain.locator('article:visible').count()).toBe(2)
  expect(await plain.locator('form:visible').count()).toBe(0)
  await plain.close()
})

test('it makes no element, attribute or request of hostile text', async () => {
  await show(hostileResult())
  expect(await page.locator('script').count()).toBe(1)
  expect(await page.locator('img, iframe, a:not([href^="#"]), [onerror]').count()).toBe(0)
  expect(await page.locator('article').first().textContent()).toContain('<script>alert(1)</script>')
  expect(await page.locator('section').count()).toBe(4)
})

test('it blocks other scripts by its CSP', async () => {
  const html = renderHtml(result()).replace('</body>', '<script>document.title = "taken"</script></body>')
  writeFileSync(file, html)
  await page.goto(pathToFileURL(file).href)
  expect(await page.title()).toBe('Partner payments: http://127.0.0.1:4020/')
  expect(complaints.splice(0).join()).toContain('Content Security Policy')
})

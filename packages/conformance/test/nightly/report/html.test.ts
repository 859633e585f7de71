import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { context, file, page, show, usePages } from '../../report/html-page.ts'
import { finding, fullResult, hostileResult, manyFindings, result } from '../../report/results.ts'

usePages()

const groups = () => page.locator('article:visible')
/** Visible findings, whether their group is open or not. */
const shown = () => page.locator('li.finding:not([hidden])')
const isWiderThanWindow = () =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth')

test('rules, questions and coverage have their rows, and inconclusive never looks like passed', async () => {
  await show(fullResult())
  expect(await page.locator('section[aria-labelledby=rules] tbody tr[id]').count()).toBe(5)
  expect(await page.locator('tr', { hasText: 'record-changes' }).textContent()).toMatch(
    /not assessed.*inconclusive/s,
  )
  expect(await page.locator('section[aria-labelledby=rules] details[open]').count()).toBe(0)
  expect(await page.locator('tr:visible', { hasText: 'status-declared' }).count()).toBe(0)
  expect(await page.locator('section[aria-labelledby=questions] tbody tr').first().textContent()).toContain(
    'Observed: An amount',
  )
  expect(await page.locator('meter').first().getAttribute('value')).toBe('50')
})

describe('the filter', () => {
  test('filters by text, kind, rule and operation, and shows the number of matches', async () => {
    await show(manyFindings(100))
    expect(await shown().count()).toBe(100)
    await page.getByLabel('Kind').selectOption('deviation')
    expect(await shown().count()).toBe(20)
    await page.getByLabel('Operation').selectOption('checkKey')
    expect(await page.locator('output').textContent()).toBe('10 of 100 shown')
    await page.getByRole('combobox', { name: 'Rule' }).selectOption('rule-1')
    expect(await shown().count()).toBe(2)
    await page.getByLabel('Search').fill('F-91')
    expect(await shown().count()).toBe(1)
    expect(await groups().count()).toBe(1)
  })

  test('is absent without findings', async () => {
    await show(result())
    expect(await page.locator('form').count()).toBe(0)
    expect(await page.locator('main').textContent()).toContain('None.')
  })
})

test('findings with the same message are one group, each with its own anchor', async () => {
  const findings = ['listUsers', 'getUser'].map((operation) => finding({ id: `a:${operation}:1`, operation }))
  await show(result({ findings }))
  expect(await groups().count()).toBe(1)
  const second = page.locator('[id="finding-a:getUser:1"]')
  expect(await second.isVisible()).toBe(false)
  await page.goto(`${pathToFileURL(file).href}#finding-a:getUser:1`)
  expect(await second.isVisible()).toBe(true)
})

test('a rule and its findings link to each other', async () => {
  await show(fullResult())
  await page.locator('article summary').first().click()
  await page.locator('article a', { hasText: /^response-schema$/ }).click()
  expect(page.url()).toMatch(/#rule-response-schema$/)
  await page.locator('tr a', { hasText: 'response-schema' }).click()
  expect(page.url()).toMatch(/#finding-f-3a91c0$/)
})

test('the table of contents links to each section', async () => {
  await show(fullResult())
  const links = await page
    .locator('nav a')
    .evaluateAll((all) => all.map((it) => it.getAttribute('href') ?? ''))
  expect(links).toEqual(['#findings', '#rules', '#questions', '#coverage'])
  for (const link of links) expect(await page.locator(`h2${link}`).count()).toBe(1)
})

test('a command can be copied offline', async () => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await show(fullResult())
  await page.goto(`${pathToFileURL(file).href}#finding-f-3a91c0`)
  await page.locator('li.finding summary').first().click()
  await page.locator('.command button').first().click()
  await page.locator('button', { hasText: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(finding().evidence.curl)
})

test('badges do not wrap, and bars are aligned', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await show(fullResult())
  for (const summary of await page.locator('section > details > summary').all()) await summary.click()
  const heights = await page.locator('td .tag:visible').evaluateAll((all) => all.map((it) => it.clientHeight))
  expect(heights.length).toBeGreaterThan(4)
  expect(Math.max(...heights)).toBeLessThan(30)
  const left = await page
    .locator('h3 + .scroll meter')
    .evaluateAll((all) => all.map((it) => it.getBoundingClientRect().x))
  expect(new Set(left).size).toBe(1)
})

test('an interrupted run is not shown as a success', async () => {
  await show(result({ interrupted: 'Ctrl-C' }))
  expect(await page.locator('h1.outcome-interrupted').textContent()).toContain('interrupted')
})

test('the filter leaves room for findings on a phone', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await show(manyFindings(100))
  const box = await page.locator('form').boundingBox()
  expect(box?.height).toBeLessThan(220)
})

describe.each([
  ['narrow', 320],
  ['wide', 1280],
])('on a %s screen', (_name, width) => {
  test.each(['light', 'dark'] as const)('nothing is cut off (%s)', async (colorScheme) => {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    for (const run of [fullResult(), hostileResult()]) {
      await show(run)
      expect(await isWiderThanWindow()).toBe(false)
    }
  })
})

test('a thousand findings are all shown', async () => {
  await show(manyFindings(1000))
  expect(await page.locator('li.finding').count()).toBe(1000)
  expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThan(4_000)
})

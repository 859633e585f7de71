import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { renderHtml } from '../../src/report/html.ts'
import { browser, complaints, file, page, show, usePages } from './html-page.ts'
import { finding, fullResult, hostileResult, result } from './results.ts'

usePages()

test('begins with the summary sentence and the numbers', async () => {
  await show(fullResult())
  expect(await page.locator('h1').textContent()).toMatch(/fails: 1 failure/)
  expect(await page.locator('.figures').textContent()).toContain('Inconclusive7')
})

test('a finding shows its message, location, command and exchange', async () => {
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

test('without scripts, all findings are visible and there is no form', async () => {
  const plain = await browser.newPage({ javaScriptEnabled: false })
  writeFileSync(file, renderHtml(fullResult()))
  await plain.goto(pathToFileURL(file).href)
  expect(await plain.locator('article:visible').count()).toBe(2)
  expect(await plain.locator('form:visible').count()).toBe(0)
  await plain.close()
})

test('hostile text stays text: it creates no element, attribute or request', async () => {
  await show(hostileResult())
  expect(await page.locator('script').count()).toBe(1)
  expect(await page.locator('img, iframe, a:not([href^="#"]), [onerror]').count()).toBe(0)
  expect(await page.locator('article').first().textContent()).toContain('<script>alert(1)</script>')
  expect(await page.locator('section').count()).toBe(4)
})

test('the CSP blocks other scripts', async () => {
  const html = renderHtml(result()).replace('</body>', '<script>document.title = "taken"</script></body>')
  writeFileSync(file, html)
  await page.goto(pathToFileURL(file).href)
  expect(await page.title()).toBe('Partner payments: http://127.0.0.1:4020')
  expect(complaints.splice(0).join()).toContain('Content Security Policy')
})

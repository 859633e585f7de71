import { expect, test } from 'vitest'
import {
  address,
  complaints,
  expectAccessible,
  expectToOpen,
  KINDS,
  openPages,
  page,
  site,
} from './browser.ts'

openPages()

test('a page of each kind opens without a request to another host, an error or a breach of its policy, on screens of any width', async () => {
  for (const name of KINDS) await expectToOpen(name)
  expect(complaints).toEqual([])
})

test('axe finds no serious violation in the page of an operation', () =>
  expectAccessible('operations/createTransfer.html', 'light', 1280))

test('the console sends a transfer that moves money', async () => {
  await page.goto(address('try.html?operation=createTransfer'))
  await page.getByText('Test Request').first().click()
  await page.getByRole('button', { name: /^Send\b.*post request/ }).click()
  await page.getByText('201 Created').first().waitFor()
  const state = await (await fetch(`${site.sandbox}/_sandbox/state`)).text()
  expect(state).toContain('"10.50"')
  expect(complaints).toEqual([])
})

test('a request, an error and a breach of policy are noticed', async () => {
  await page.goto(address('index.html'))
  await page.evaluate(
    "document.body.append(Object.assign(new Image(), { src: 'https://example.com/pixel.png' }))",
  )
  await page.evaluate("setTimeout(() => { throw new Error('deliberate') })")
  await expect.poll(() => complaints.join('\n')).toMatch(/Content Security Policy/)
  await expect.poll(() => complaints.join('\n')).toMatch(/deliberate/)
})

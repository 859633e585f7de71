import type { Page } from '@partner-payments/testing'
import { expect, onTestFinished, test } from 'vitest'
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
import { listen } from './serve.ts'

openPages()

test('a page of each kind opens without a request to another host, an error or a breach of its policy, on screens of any width', async () => {
  for (const name of KINDS) await expectToOpen(name)
  expect(complaints).toEqual([])
})

test('a menu closes when a link of it has opened its page, and opens again', async () => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(address('index.html'))
  const menu = page.locator('.VPNavBarMenuGroup', { hasText: 'Changelog' })
  const link = menu.getByRole('link', { name: 'Changelog' })
  await menu.hover()
  await link.click()
  await page.getByRole('heading', { name: 'Unreleased' }).waitFor()
  await link.waitFor({ state: 'hidden' })

  await page.mouse.move(0, 400)
  await menu.hover()
  await link.waitFor()
})

test('Ctrl+K opens the search with Caps Lock too', async () => {
  await page.goto(address('index.html'))
  await page.getByRole('button', { name: 'Search' }).waitFor()
  await page.evaluate(
    "dispatchEvent(new KeyboardEvent('keydown', { key: 'K', ctrlKey: true, cancelable: true }))",
  )
  await page.getByRole('searchbox').waitFor()
})

test('the last column of the errors of a payment fits on a telephone', async () => {
  await page.setViewportSize({ width: 390, height: 900 })
  await page.goto(address('operations/createTransfer.html'))
  const table = "document.querySelector('#errors ~ table')"
  const hiddenWidth = `${table}.scrollWidth - ${table}.clientWidth`
  expect(await page.evaluate(hiddenWidth)).toBe(0)
})

test('axe finds no serious violation in the page of an operation', () =>
  expectAccessible('operations/createTransfer.html', 'light', 1280))

test('“Try it” sends a transfer, and asks before it sends the same body again', async () => {
  const responses: number[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('/pix/out/')) responses.push(response.status())
  })
  await page.goto(address('operations/createTransfer.html'))
  await page.getByText('Try it', { exact: true }).last().click()
  await page.getByRole('button', { name: 'Start' }).click()
  const send = page.getByRole('button', { name: 'Send to the sandbox' })
  await send.click()
  await page.getByText('201 Created').waitFor()
  await page.getByRole('link', { name: 'See it settle' }).waitFor()
  expect(await (await fetch(`${site.sandbox}/_sandbox/state`)).text()).toContain('"10.50"')

  const body = page.getByRole('textbox', { name: 'Body' })
  const valid = JSON.stringify(JSON.parse(await body.inputValue()))
  await body.fill(valid.slice(1))
  await send.click()
  await page.getByText('The body is not valid JSON: ').waitFor()
  await body.fill(valid)
  page.once('dialog', (asked) => asked.dismiss())
  await send.click()
  await page.getByText('Not sent: you sent this body already.').waitFor()
  expect(responses).toEqual([201])
  page.once('dialog', (asked) => asked.accept())
  await send.click()
  await expect.poll(() => responses).toEqual([201, 201])
  expect(complaints).toEqual([])
})

/** Requests to the operations of the sandbox. */
function operationsOf(watched: Page): string[] {
  const sent: string[] = []
  watched.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/mobile-bff/')) sent.push(`${request.method()} ${pathname}`)
  })
  return sent
}

test.each(['getWebhook', 'createTransfer', 'signIn'])(
  '“Try it” of %s sends nothing when a link opens it',
  async (operation) => {
    const sent = operationsOf(page)
    await page.goto(address(`operations/${operation}.html#try-it`))
    const start = page.getByRole('button', { name: 'Start' })
    await start.waitFor()
    await page.waitForLoadState('networkidle')
    expect(sent).toEqual([])
    await start.click()
    await page.getByRole('button', { name: 'Send to the sandbox' }).waitFor()
    await expect.poll(() => sent.length).toBeGreaterThan(0)
  },
)

test('“Try it” sends nothing in a frame of another site', async () => {
  const sent = operationsOf(page)
  const framed = address('operations/getWebhook.html#try-it')
  const html = `<iframe width="1000" height="700" src="${framed}"></iframe>`
  const other = await listen(() => new Response(html, { headers: { 'content-type': 'text/html' } }))
  onTestFinished(async () => void (await other.close()))
  await page.goto(other.url)
  const frame = page.frameLocator('iframe')
  await frame.getByText('This page is in a frame of another page').waitFor()
  expect(await frame.getByRole('button', { name: /Start|Send/ }).count()).toBe(0)
  expect(sent).toEqual([])
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

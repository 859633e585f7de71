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

test('“Try it” sends a transfer, and asks before it sends the same body again', async () => {
  const responses: number[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('/pix/out/')) responses.push(response.status())
  })
  await page.goto(address('operations/createTransfer.html'))
  await page.getByText('Try it', { exact: true }).last().click()
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

test('a request, an error and a breach of policy are noticed', async () => {
  await page.goto(address('index.html'))
  await page.evaluate(
    "document.body.append(Object.assign(new Image(), { src: 'https://example.com/pixel.png' }))",
  )
  await page.evaluate("setTimeout(() => { throw new Error('deliberate') })")
  await expect.poll(() => complaints.join('\n')).toMatch(/Content Security Policy/)
  await expect.poll(() => complaints.join('\n')).toMatch(/deliberate/)
})

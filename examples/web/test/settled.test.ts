import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Browser, launch, type Page } from '@partner-payments/chromium'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

const START = fileURLToPath(new URL('../start.ts', import.meta.url))
let example: ChildProcess
let browser: Browser
let page: Page
let url: string
let complaints: string[]

beforeAll(async () => {
  example = spawn(process.execPath, [START, '--port', '0'], { stdio: ['ignore', 'ignore', 'pipe'] })
  ;[url, browser] = await Promise.all([pageOf(example), launch()])
})
afterAll(async () => {
  example.kill()
  await browser?.close()
})
beforeEach(async () => {
  complaints = []
  page = await browser.newPage()
  page.setDefaultTimeout(15_000)
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await page.goto(url)
})

test('pays the code that is there already, and says when it is settled', async () => {
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByRole('heading', { name: 'Loja Exemplo' }).waitFor()
  await page.getByRole('button', { name: 'Pay R$10.50' }).click()
  await page.locator('[aria-live]').getByText('is settled').waitFor()
  expect(await page.getByRole('button', { name: 'Pay' }).count()).toBe(0)
  expect(complaints).toEqual([])
})

test('takes no text for a code that is none, at the other name of this machine too', async () => {
  await page.goto(url.replace('127.0.0.1', 'localhost'))
  await page.getByLabel('Paste the text').fill('hello')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.locator('[aria-live]').getByText('This is no payment code').waitFor()
  expect(await page.getByRole('button', { name: 'Pay' }).count()).toBe(0)
})

async function pageOf({ stderr }: ChildProcess): Promise<string> {
  if (!stderr) throw new Error('the example has no stderr')
  for await (const line of createInterface(stderr)) {
    const [, found] = /page\s+(http:\S+)/.exec(line) ?? []
    if (found) return found
  }
  throw new Error('the example ended before it said where its page is')
}

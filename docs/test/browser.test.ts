import { pathToFileURL } from 'node:url'
import { type Browser, type BrowserContext, launch, type Page } from '@partner-payments/chromium'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventsOf, type Operation, operationsOf, referenceLink } from '../build/contract.ts'
import { placesOf } from '../build/places.ts'
import { serveDocs } from '../build/serve.ts'
import { questions, readSite, type Site, whole } from './site.ts'

let site: Site
let browser: Browser
let context: BrowserContext
let page: Page
let complaints: string[]

beforeAll(async () => {
  ;[site, browser] = await Promise.all([readSite(), launch()])
})
afterAll(() => browser?.close())

beforeEach(async () => {
  context = await browser.newContext({ offline: true })
  page = await context.newPage()
  page.setDefaultTimeout(60_000)
  complaints = complaintsOf(page)
})
afterEach(() => context.close())

describe('with the network cut', () => {
  const operations = operationsOf(whole)

  test('pages open from their files without a request, an error or a breach of their policy, on screens of any width', async () => {
    const widths = [360, 1280]
    for (const name of [...site.pages.keys()].filter(isTried)) {
      await page.goto(address(name))
      await expect.poll(() => page.evaluate(SHOWS_TITLE), { ...PATIENCE, message: name }).toBe(true)
      // The next page begins at the width that this one ends with: to draw a page anew is most of the work.
      for (const width of widths.reverse()) await expectToFit(name, width)
    }
    expect(complaints).toEqual([])
  })

  test('a reader chooses TypeScript once, and sees the samples of other operations in it', async () => {
    const [first, ...others] = operations.filter((_, index) => index % 6 === 0)
    if (!first) throw new Error('the contract has no operation')
    const section = await openSection(first)
    await section.getByText('curl', { exact: true }).first().dispatchEvent('click')
    await page.getByText('TypeScript', { exact: true }).dispatchEvent('click')
    for (const operation of others) {
      const shown = await openSection(operation)
      await shown.getByText("from '@partner-payments/client'").waitFor()
    }
    expect(complaints).toEqual([])
  })

  test('the reference shows operations with their effects and samples, and every mark of them as our answer', async () => {
    // Redoc draws the members of a schema when they come into view.
    await page.setViewportSize({ width: 1280, height: 5_000 })
    for (const operation of [...operations.filter(isOneOfThree), ...eventsOf(whole)]) {
      const section = await openSection(operation)
      if (operations.includes(operation)) await expectToShow(section, operation)
      const hidden = await hiddenQuestions(section, questionsOf(operation))
      expect(hidden, operation.node.operationId).toEqual([])
    }
  })

  test('a badge in the reference leads to its question', async () => {
    const [operation] = operations
    if (!operation) throw new Error('the contract has no operation')
    const section = await openSection(operation)
    await section.locator('a[href$="#effects"]').click()
    await page.locator('article#effects').waitFor()
    expect(new URL(page.url()).hash).toBe('#effects')
  })

  test('the open questions can be narrowed to one basis', async () => {
    await page.goto(address('open-questions.html'))
    expect(await page.locator('article:visible').count()).toBe(Object.keys(questions).length)
    await page.getByRole('radio', { name: /^open/ }).check()
    const open = Object.keys(questions).filter((id) => questions[id]?.basis === 'open')
    expect(await page.locator('article:visible').evaluateAll((found) => found.map(({ id }) => id))).toEqual(
      open,
    )
  })
})

test.each(['index.html', 'reference.html'])('%s reloads when the server says so', async (name) => {
  const server = await serveDocs({ root: site.out, live: true })
  await context.setOffline(false)
  const subscribed = page.waitForResponse(`${server.url}/__reload`)
  await page.goto(`${server.url}/${name}`)
  await subscribed
  const again = page.waitForEvent('load')
  server.reload()
  await again
  expect(complaints.filter((complaint) => !complaint.includes(server.url))).toEqual([])
  await server.close()
})

test('a request, an error and a breach of policy are noticed', async () => {
  await page.goto(address('index.html'))
  await page.evaluate(
    "document.body.append(Object.assign(new Image(), { src: 'https://example.com/pixel.png' }))",
  )
  await page.evaluate("setTimeout(() => { throw new Error('deliberate') })")
  await expect.poll(() => complaints.join('\n'), PATIENCE).toMatch(/Content Security Policy/)
  await expect.poll(() => complaints.join('\n'), PATIENCE).toMatch(/deliberate/)
})

/** Of what is made in one way a campaign opens all, other runs a part: a browser takes a second for each. */
const IS_CAMPAIGN = Number(process.env.CAMPAIGN ?? 1) > 1
const isOneOfThree = (_: unknown, index: number) => IS_CAMPAIGN || index % 3 === 0
const isTried = (name: string, index: number) => IS_CAMPAIGN || !name.startsWith('rules/') || index % 10 === 0

const PATIENCE = { timeout: 60_000 }

// In a line of its own, since a locator brings a script of 300 kB to each page.
const SHOWS_TITLE = "document.querySelector('h1')?.checkVisibility() ?? false"

function address(name: string): string {
  return `${pathToFileURL(site.out)}/${name}`
}

/** Everything a page should not do: ask a network, fail at a request, write an error, throw. */
function complaintsOf(page: Page): string[] {
  const found: string[] = []
  const isLocal = (url: string) => /^(file|data|blob):/.test(url)
  page.on('request', (request) => isLocal(request.url()) || found.push(`asked for ${request.url()}`))
  page.on('requestfailed', (request) => found.push(`failed: ${request.url().slice(0, 200)}`))
  page.on('console', (message) => message.type() === 'error' && found.push(message.text()))
  page.on('pageerror', (error) => found.push(String(error)))
  return found
}

async function expectToFit(name: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(width)
}

type Section = ReturnType<Page['locator']>

async function expectToShow(section: Section, { node, method }: Operation): Promise<void> {
  const text = await section.textContent()
  expect(text).toContain(`Effect: ${node['x-effect']}, `)
  expect(text).toContain(`curl --fail-with-body --request ${method.toUpperCase()}`)
}

/** An operation in the reference, as a link from elsewhere opens it. */
async function openSection(operation: Operation): Promise<Section> {
  await page.goto(address(referenceLink(operation)))
  const [, route] = referenceLink(operation).split('#')
  const section = page.locator(`[data-section-id="${route}"]`)
  await section.getByRole('heading', { name: operation.node.summary }).waitFor()
  return section
}

/**
 * The questions among `expected` that no link of a section leads to, with every alternative opened. Redoc draws what came
 * into view a while later, so whatever is still hidden is looked for again, with more patience.
 */
async function hiddenQuestions(section: Section, expected: string[]): Promise<string[]> {
  const hidden = new Set(expected)
  for (const patience of [0, 50, 100, 200, 400, 800, 1_600])
    if (hidden.size > 0) await openAll(section, (part) => removeShown(part, hidden, patience))
  return [...hidden]
}

async function openAll(section: Section, look: (part: Section) => Promise<void>): Promise<void> {
  // What is ours among the errors stands above them all.
  const tabs = section.getByRole('tab').filter({ hasNotText: /^[45]\d\d$/ })
  // What a tab shows may bring tabs of its own.
  for (let index = 0; index < (await tabs.count()); index += 1) {
    await tabs.nth(index).dispatchEvent('click')
    await look(section)
  }
  for (const details of await section.getByText('View security details').all()) {
    await details.dispatchEvent('click')
    await look(page.locator('body'))
    await page.keyboard.press('Escape')
  }
}

/** Takes the questions that links of a part lead to out of `hidden`, until none is left or `patience` (ms) is over. */
async function removeShown(part: Section, hidden: Set<string>, patience: number): Promise<void> {
  const end = Date.now() + patience
  while (hidden.size > 0) {
    for (const id of await linkedQuestions(part)) hidden.delete(id)
    if (Date.now() >= end) return
    await page.waitForTimeout(25)
  }
}

async function linkedQuestions(part: Section): Promise<string[]> {
  const links = await part
    .locator('a[href^="open-questions.html#"]')
    .evaluateAll((found) => found.map(String))
  return links.map((href) => new URL(href).hash.slice(1))
}

/** The questions whose marks an operation leads to. Redoc shows no links, so neither their marks. */
function questionsOf({ node }: Operation): string[] {
  return [...placesOf(whole)]
    .filter(([, places]) =>
      places.some(
        ({ operations, isLink }) =>
          !isLink && operations.some((other) => other.node.operationId === node.operationId),
      ),
    )
    .map(([id]) => id)
}

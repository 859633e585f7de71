import { type Page, seriousViolations, usePages, watchComplaints } from '@partner-payments/testing'
import { beforeAll, expect } from 'vitest'
import { serveSite } from './serve.ts'

export let site: Awaited<ReturnType<typeof serveSite>>
export let page: Page
export let complaints: string[]

/** Serves the site to the tests of a file, and opens an empty page before each. */
export function openPages(): void {
  beforeAll(async () => {
    site = await serveSite()
    return site.close
  })
  usePages((opened) => {
    page = opened
    complaints = watchComplaints(page, site.url)
  })
}

/** One page of each kind. */
export const KINDS = [
  'index.html',
  'guides/errors.html',
  'reference.html',
  'operations/createTransfer.html',
  'fields.html',
  'behaviour/errors.html',
  'behaviour/immediateQrCode.html',
  'open-questions.html',
  'rules/refusals.html',
  'changelog.html',
  'operations/createTransfer.html#try-it',
]

/**
 * Expects that a page shows its title, and that nothing is wider than a narrow and a wide screen.
 */
export async function expectToOpen(name: string): Promise<void> {
  await page.goto(address(name))
  await expect.poll(() => page.evaluate(SHOWS_TITLE), { message: name }).toBe(true)
  for (const width of [320, 768, 960, 1280]) await expectToFit(name, width)
}

/** Expects no serious violation of a page at this width. */
export async function expectAccessible(
  name: string,
  colorScheme: 'light' | 'dark',
  width: number,
): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: 900 })
  // An address with the hash of the page that is open would not load it again.
  await page.goto('about:blank')
  await page.goto(address(name))
  await expect.poll(() => page.evaluate(SHOWS_TITLE)).toBe(true)
  await expect.poll(() => page.evaluate(NAMES_SWITCH)).toBe(true)
  if (name.endsWith('#try-it')) await openForm()
  if (name.startsWith('reference'))
    await page.getByText('Loading...').first().waitFor({ state: 'detached' })
  expect(await seriousViolations(page), `${name} ${colorScheme} ${width}`).toEqual([])
}

/** Starts the form of a page, unless the form was open before and has kept its edits. */
async function openForm(): Promise<void> {
  const start = page.getByRole('button', { name: 'Start' })
  const send = page.getByRole('button', { name: 'Send' })
  await start.or(send).waitFor()
  if (await start.isVisible()) await start.click()
  await send.waitFor()
}

/** Opens the form of an operation, which sends nothing before. */
export async function startTryIt(operation: string): Promise<void> {
  await page.goto(address(`operations/${operation}.html#try-it`))
  await page.getByRole('button', { name: 'Start' }).click()
}

export function address(name: string): string {
  return `${site.url}/${name}`
}

async function expectToFit(name: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  expect(await page.evaluate(RIGHT_END), `${name} at ${width} px`).toBeLessThanOrEqual(width)
}

// In a line of its own, since a locator brings a script of 300 kB to each page.
const SHOWS_TITLE = "document.querySelector('h1, .NotFound')?.checkVisibility() ?? false"

// VitePress names the switch of the colours in the browser only.
const NAMES_SWITCH = "document.querySelector('.VPSwitchAppearance')?.title !== ''"

/**
 * How far a page reaches to the right, its header included, which would cut off what has no place.
 */
const RIGHT_END = `(() => {
  const inHeader = Array.from(document.querySelectorAll('.VPNavBar *'))
  const visible = inHeader.filter((element) => element.checkVisibility())
  const ends = visible.map((element) => element.getBoundingClientRect().right)
  return Math.floor(Math.max(document.documentElement.scrollWidth, ...ends))
})()`

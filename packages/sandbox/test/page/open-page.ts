import { type Page, seriousViolations, usePages, watchComplaints } from '@partner-payments/testing'
import { beforeEach, expect } from 'vitest'
import { type Started, start } from '../started.ts'

export let page: Page
export let complaints: string[]
export let sandbox: Started

/** Opens the page of a new sandbox before each test of a file, in one browser. */
export function openPages(): void {
  beforeEach(async () => {
    sandbox = await start()
    return sandbox.cut
  })
  usePages(async (opened) => {
    page = opened
    complaints = watchComplaints(page, sandbox.url)
    await openPage(sandbox.url)
  })
}

export async function openPage(url: string): Promise<void> {
  await page.goto(url)
  await page.getByText('Live', { exact: true }).waitFor()
}

export const section = (name: string) => page.getByRole('region', { name, exact: true })
export const account = (name: string) =>
  section('Accounts').getByRole('listitem').filter({ hasText: name })
export const press = (name: string | RegExp) => page.getByRole('button', { name }).click()

export async function pay(amount: string, description = '') {
  const payee = await sandbox.partner.keys.check('beltrana@example.com')
  return payee.pay({ amount, description }).result()
}

/** Expects no serious violation, and nothing wider than the screen. */
export async function expectAccessible(
  width: number,
  colorScheme: 'light' | 'dark',
): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  expect(await seriousViolations(page)).toEqual([])
}

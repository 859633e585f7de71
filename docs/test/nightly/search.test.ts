import { expect, test } from 'vitest'
import { address, openPages, page } from '../browser.ts'
import { isExpected, readQueries } from '../search-queries.ts'

const groups = await readQueries(new URL('search-queries.yaml', import.meta.url))

openPages()

test.each([
  { group: 0, least: 87, all: 89 },
  { group: 1, least: 20, all: 20 },
  { group: 2, least: 20, all: 21 },
  { group: 3, least: 11, all: 11 },
  { group: 4, least: 16, all: 16 },
  { group: 5, least: 39, all: 40 },
  { group: 6, least: 38, all: 40 },
  { group: 7, least: 37, all: 40 },
  { group: 8, least: 38, all: 40 },
  { group: 9, least: 37, all: 40 },
  { group: 10, least: 37, all: 40 },
])('at least $least of the $all queries find their page first', async ({ group, least, all }) => {
  const queries = Object.entries(groups[group] ?? {})
  expect(queries).toHaveLength(all)
  // The field waits a fifth of a second after each key.
  await page.clock.install()
  await page.goto(address('changelog.html'))
  await page.locator('#local-search button').click()
  const missed: string[] = []
  for (const [query, expected] of queries) {
    await type('')
    await page.locator('#localsearch-list').waitFor({ state: 'detached' })
    await type(query)
    const first = page.locator('a.result').first()
    await first.waitFor({ timeout: 10_000 }).catch(() => {})
    const href = await first.getAttribute('href', { timeout: 1_000 }).catch(() => null)
    const found = href?.slice(1) ?? 'nothing'
    if (!isExpected(found, expected)) missed.push(`${query}: ${found} instead of ${expected}`)
  }
  // The excerpt of the last query's result stands below its title.
  expect(await page.locator('a.result .title.main').first().textContent()).toMatch(/\n.{20,}/)
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(all - least)
})

async function type(text: string): Promise<void> {
  await page.locator('#localsearch-input').fill(text)
  await page.clock.runFor(250)
}

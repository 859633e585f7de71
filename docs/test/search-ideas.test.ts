import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Options } from 'minisearch'
import { expect, test } from 'vitest'
import { withSearchOrder } from '../.vitepress/theme/search.ts'
import SearchIndex from '../.vitepress/theme/search-index.ts'
import { isExpected, readQueries } from './search-queries.ts'

const CHUNKS = fileURLToPath(new URL('../dist/assets/chunks/', import.meta.url))
/** What a reader waits for before the first search. */
const MAX_GZIPPED_BYTES = 130_000

const names = await readdir(CHUNKS)
const file = `${CHUNKS}${names.find((name) => name.startsWith('@localSearchIndex'))}`
const index = SearchIndex.loadJSON((await import(file)).default, options())

/** As VitePress passes them on. */
function options(): Options {
  const { themeConfig } = withSearchOrder({ themeConfig: {} } as never)
  const { miniSearch } = (themeConfig.search as { options: { miniSearch: object } }).options
  const { options, searchOptions } = miniSearch as { options: Options; searchOptions: object }
  return { ...options, searchOptions }
}

const groups = await readQueries(new URL('search-ideas.yaml', import.meta.url))

test.each([
  { group: 0, all: 794, least: 772, leastInThree: 787 },
  { group: 1, all: 278, least: 252, leastInThree: 270 },
  { group: 2, all: 40, least: 37, leastInThree: 39 },
  { group: 3, all: 40, least: 38, leastInThree: 39 },
  { group: 4, all: 40, least: 38, leastInThree: 39 },
  { group: 5, all: 40, least: 38, leastInThree: 39 },
  { group: 6, all: 40, least: 38, leastInThree: 39 },
  { group: 7, all: 185, least: 178, leastInThree: 182 },
  { group: 8, all: 110, least: 106, leastInThree: 110 },
])(
  'at least $least of the $all queries find their page first, and $leastInThree in three results',
  ({ group, all, least, leastInThree }) => {
    const queries = Object.entries(groups[group] ?? {})
    expect(queries).toHaveLength(all)

    const missed = queries.filter(([query, expected]) => !isFound(query, expected, 1))
    const names = missed.map(([query]) => query).join('\n')
    expect(all - missed.length, names).toBeGreaterThanOrEqual(least)

    const inThree = queries.filter(([query, expected]) => isFound(query, expected, 3))
    expect(inThree.length).toBeGreaterThanOrEqual(leastInThree)
  },
)

function isFound(query: string, expected: string | readonly string[], results: number): boolean {
  const found = index.search(query).slice(0, results)
  return found.some(({ id }) => isExpected(addressOf(`${id}`), expected))
}

/** Below the site, with the name of the page: the first one is `/`. */
function addressOf(id: string): string {
  return id
    .slice(1)
    .replace(/^(?=#|$)/, 'index.html')
    .replace(/\/(?=#|$)/, '/index.html')
}

test('the index is small enough to load before the first search', async () => {
  expect(gzipSync(await readFile(file)).length).toBeLessThanOrEqual(MAX_GZIPPED_BYTES)
})

import type { DefaultTheme, SiteData } from 'vitepress'

type Site = SiteData<DefaultTheme.Config>

/** The site with an order of search results. A function of the configuration would need `unsafe-eval` in the browser. */
export function withSearchOrder(site: Site): Site {
  const options = { detailedView: false, miniSearch: { searchOptions: { boostDocument, processTerm } } }
  return { ...site, themeConfig: { ...site.themeConfig, search: { provider: 'local', options } } }
}

const WEIGHTS: readonly [RegExp, number][] = [
  [/\/operations\/guide|\/rules\/|\/changelog/, 0.4],
  [/pix-primer|glossary/, 1],
  [/\/guides\/|\/behaviour\//, 1.3],
  [/\/fields/, 1.2],
]

/** Prefers pages to their sections, and what a caller needs to what explains the contract. */
function boostDocument(id: string, _: string, stored: Record<string, unknown> = {}): number {
  const [, weight = 1] = WEIGHTS.find(([pattern]) => pattern.test(id)) ?? []
  const isPage = Array.isArray(stored.titles) && stored.titles.length === 0
  return isPage ? weight * 1.5 : weight
}

/** Words of questions, which are in every text. */
const STOP_WORDS = new Set('a an do how i is may of the to why'.split(' '))

function processTerm(term: string): string | false {
  const word = term.toLowerCase()
  return !STOP_WORDS.has(word) && word
}

import type { DefaultTheme, SiteData } from 'vitepress'
import { WEAK_WORDS } from './search-vocabulary.ts'
import { isName, isPair, isWhole, stem, wordsOfSearch } from './search-words.ts'

/**
 * What the index has of each section. A keyword is a word that the text need not have; a guide also
 * has the headings and keywords of its sections, for a search of several words.
 */
export const SEARCHED_FIELDS = ['title', 'titles', 'text', 'keywords', 'sections']

/**
 * The site with an order of search results. A function of the configuration would need
 * `unsafe-eval` in the browser.
 */
export function withSearchOrder(site: SiteData<DefaultTheme.Config>): typeof site {
  const searchOptions = {
    boost: { title: 5, titles: 0.5, text: 1.5, keywords: 4, sections: 1.5 },
    // Long keywords say as much as short ones.
    bm25: { k: 1.2, b: 0.1, d: 0.5 },
    boostDocument,
    boostTerm,
    // The words are corrected before: see `search-spelling.ts`.
    fuzzy: false,
    weights: { fuzzy: 0, prefix: 0.1 },
    prefix: isBeginning,
    tokenize: wordsOfSearch,
  }
  // VitePress passes on every option, although its types name three.
  const miniSearch = { options: { fields: SEARCHED_FIELDS } as object, searchOptions }
  const options = { detailedView: false, miniSearch }
  return { ...site, themeConfig: { ...site.themeConfig, search: { provider: 'local', options } } }
}

/**
 * Whether a term may be the beginning of a word: only the last one, which somebody may still type.
 * With one letter, as in “C#”, each word would match.
 */
function isBeginning(term: string, index: number, terms: readonly string[]): boolean {
  const isLast = terms.slice(index + 1).every(isPhrase)
  return isLast && !isPhrase(term) && term.length > 1
}

/** Whether a term stands for what somebody typed as a whole. */
function isPhrase(term: string): boolean {
  return isPair(term) || isWhole(term)
}

const STEMS_OF_WEAK_WORDS = new Set(WEAK_WORDS.map(stem))

/** A whole name, such as `due_date`, says more than its parts, and a digit of a version less. */
function boostTerm(term: string): number {
  if (isName(term)) return 3
  if (/^\d$/.test(term)) return 0.2

  const words = term.split(' ')
  return words.every((word) => STEMS_OF_WEAK_WORDS.has(word)) ? 0.5 : 1
}

const WEIGHTS: readonly [RegExp, number][] = [
  // The contract to download.
  [/^\/#one-contract$/, 2],
  [/\/rules\//, 0.6],
  [/open-questions/, 0.9],
  // What others explain, in short.
  [/em-portugues|before-you-go-live/, 1],
  [/upgrading/, 0.9],
  [/guides\/client/, 1.1],
  [/pix-primer|one-payment/, 1.3],
  [/\/guides\//, 1.65],
  [/\/operations\/#/, 1.5],
  // Who names no verb wants to create.
  [/\/operations\/(?:cancel|delete|get|list|rotate|update)/, 1.1],
  [/\/operations\//, 1.2],
  [/\/events\/#/, 1.5],
  [/\/behaviour\/errors/, 1.3],
  [/\/behaviour\//, 1.1],
]

/** Prefers pages to their sections, and what a caller needs to what explains the contract. */
function boostDocument(id: string, _: string, stored: Record<string, unknown> = {}): number {
  const [, weight = 1] = WEIGHTS.find(([pattern]) => pattern.test(id)) ?? []
  const isPage = Array.isArray(stored.titles) && stored.titles.length === 0
  return isPage ? 1.4 * weight : weight
}

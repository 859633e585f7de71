import type { DefaultTheme, SiteData } from 'vitepress'
import { indexedWord, isName, stem, wordsOfSearch } from './search-words.ts'

/**
 * The site with an order of search results. A function of the configuration would need
 * `unsafe-eval` in the browser.
 */
export function withSearchOrder(site: SiteData<DefaultTheme.Config>): typeof site {
  const searchOptions = {
    boostDocument,
    boostTerm,
    fuzzy: FUZZY,
    weights: { fuzzy: 0.3, prefix: 0.375 },
    prefix: isBeginning,
    processTerm: searchedWords,
    tokenize: wordsOfSearch,
  }
  const options = { detailedView: false, miniSearch: { searchOptions } }
  return { ...site, themeConfig: { ...site.themeConfig, search: { provider: 'local', options } } }
}

/** How many letters of a word may be wrong, as a part of its length: two of “recieve”. */
const FUZZY = 0.25

/** Whether a term may be the beginning of a word: with one letter, as in “C#”, each would match. */
function isBeginning(term: string): boolean {
  return term.length > 1
}

/** A whole name, such as `due_date`, says more than its parts. */
function boostTerm(term: string): number {
  return isName(term) ? 3 : 1
}

const WEIGHTS: readonly [RegExp, number][] = [
  [/\/rules\//, 0.75],
  // What others explain, in short.
  [/pix-primer|em-portugues|before-you-go-live/, 1],
  [/upgrading/, 0.7],
  [/open-questions/, 0.8],
  [/guides\/client/, 1.2],
  [/\/guides\//, 1.5],
  [/\/operations\/#/, 1],
  // Who names no verb wants to create.
  [/\/operations\/(?:cancel|delete|update)/, 1.1],
  [/\/operations\/|\/events\/|\/behaviour\//, 1.3],
  [/\/fields/, 1.2],
]

/** Prefers pages to their sections, and what a caller needs to what explains the contract. */
function boostDocument(id: string, _: string, stored: Record<string, unknown> = {}): number {
  const [, weight = 1] = WEIGHTS.find(([pattern]) => pattern.test(id)) ?? []
  const isPage = Array.isArray(stored.titles) && stored.titles.length === 0
  return isPage ? 1.4 * weight : weight
}

/** What readers say, and the words of the pages for it. */
const SYNONYMS: Readonly<Record<string, string>> = {
  change: 'rotate update',
  customer: 'impersonate',
  generate: 'encode',
  idempotent: 'idempotency once',
  invoice: 'due date charge',
  login: 'sign signin',
  lookup: 'look',
  parse: 'decode',
  remove: 'delete',
  retry: 'retries again',
  reusable: 'static',
}

/** What the index may have for a word of a search. */
function searchedWords(word: string): string[] | false {
  const searched = indexedWord(word)
  if (!searched) return false

  const lowerCase = word.toLowerCase()
  const synonyms = Object.hasOwn(SYNONYMS, lowerCase) ? SYNONYMS[lowerCase] : undefined
  return synonyms ? [searched, ...synonyms.split(' ').map(stem)] : [searched]
}

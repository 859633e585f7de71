import MiniSearch, { type Options, type SearchResult } from 'minisearch'
import { createSpelling } from './search-spelling.ts'

/**
 * How much more the top of a page must say than its best section to come first. The top has the
 * headings and keywords of all sections, so that it nearly always says more than one of them.
 */
const TOP_BEYOND_SECTION = 5

/**
 * Stands for MiniSearch in the search box of VitePress, which corrects no spelling and orders
 * results by nothing but their scores.
 */
export default {
  loadJSON<Section>(json: string, options: Options<Section>) {
    const written = JSON.parse(json)
    const searchOptions = { ...options.searchOptions, processTerm: createSpelling(written) }
    const index = MiniSearch.loadJS(written, { ...options, searchOptions })
    return { search: (text: string) => openWhereAnswered(index.search(text)) }
  },
}

/**
 * The results in an order in which the best section of a page stands before the top of that page,
 * unless the top fits far better. Whoever opens a result then has the answer in view, and not a
 * table of contents.
 */
export function openWhereAnswered(results: readonly SearchResult[]): SearchResult[] {
  const resultsByPage = Map.groupBy(results, ({ id }) => pageOf(id))
  const sectionsByTop = new Map<SearchResult, SearchResult>()
  for (const pageResults of resultsByPage.values()) {
    const top = pageResults.find(isTop)
    const section = pageResults.find((result) => !isTop(result))
    if (top && section && isInFront(section, top)) sectionsByTop.set(top, section)
  }

  const movedSections = new Set(sectionsByTop.values())
  const ordered: SearchResult[] = []
  for (const result of results) {
    if (movedSections.has(result)) continue
    const section = sectionsByTop.get(result)
    if (section) ordered.push(section)
    ordered.push(result)
  }
  return ordered
}

/** Whether a section, which comes after the top of its page, belongs in front of it. */
function isInFront(section: SearchResult, top: SearchResult): boolean {
  return section.score < top.score && section.score * TOP_BEYOND_SECTION > top.score
}

function isTop({ titles }: SearchResult): boolean {
  return Array.isArray(titles) && titles.length === 0
}

function pageOf(id: string): string {
  const [page = ''] = id.split('#')
  return page
}

import { fileURLToPath } from 'node:url'
import MiniSearch from 'minisearch'
import type { DefaultTheme, Plugin } from 'vitepress'
import { escaped, withoutMarks } from '../build/marks.ts'
import type { Page, SearchWords } from '../build/pages.ts'
import { SEARCHED_FIELDS } from './theme/search.ts'
import { indexedWord, wordsOfIndex } from './theme/search-words.ts'

type Render = NonNullable<DefaultTheme.LocalSearchOptions['_render']>
type Env = Parameters<Render>[1]
type Markdown = Parameters<Render>[2]

/** Between a heading and its keywords, until the index has them apart. Neither has it. */
const KEYWORDS = ' ⁝ '

/**
 * Returns a function that makes the HTML of a page for the index of the search, which drops all
 * tags.
 *
 * What another page says better is left out, so that the search does not find it twice. The code
 * that stays is not highlighted: its colours took most of the time.
 *
 * The keywords of the page stand in its first heading, and those of a section in its own: VitePress
 * hands on nothing else. `writeIndex` makes a field of them.
 */
export function createSearchText(pages: readonly Pick<Page, 'path' | 'searchWords'>[]): Render {
  const wordsOfPages = new Map(pages.map(({ path, searchWords }) => [path, searchWords]))
  return (source, env, md) => {
    const path = env.relativePath
    const text = withoutMarks(selectSearchedPart(source, path))
    return withKeywords(renderPlain(md, text, env), path, wordsOfPages.get(path))
  }
}

/**
 * Adds keywords to headings of the HTML of a page, for the search: those of the page to its first
 * heading, and those of a section to the heading of the section. Throws an Error that names the
 * page if a section is not there.
 */
function withKeywords(html: string, path: string, searchWords: SearchWords = {}): string {
  // As `build/pages.ts` writes it.
  const { keywords = '', sectionKeywords = {} } = searchWords
  let extended = html
  if (keywords) extended = extendHeading(extended, '<h1', keywords) ?? extended

  for (const [anchor, sectionWords] of Object.entries(sectionKeywords)) {
    const withWords = extendHeading(extended, ` id="${anchor}"`, sectionWords)
    if (withWords === undefined)
      throw new Error(`${path}: sectionKeywords name "${anchor}", expected the anchor of a heading`)

    extended = withWords
  }
  return extended
}

/** The link to itself with which each heading ends. */
const HEADING_END = '<a class="header-anchor"'

/** Adds words to the end of the first heading from a text on; undefined if there is none. */
function extendHeading(html: string, from: string, words: string): string | undefined {
  const start = html.indexOf(from)
  const end = start < 0 ? -1 : html.indexOf(HEADING_END, start)
  if (end < 0) return undefined
  return html.slice(0, end) + KEYWORDS + words + html.slice(end)
}

/** Renders without highlighting, and gives the highlighter back to the pages of the site. */
function renderPlain(md: Markdown, text: string, env: Env): string {
  const { highlight } = md.options
  md.set({ highlight: writePlainCode })
  try {
    return md.render(text, env)
  } finally {
    md.set({ highlight: highlight ?? null })
  }
}

/**
 * The part of the Markdown of a page that the search finds. What another page says better, or every
 * page says, is left out.
 */
function selectSearchedPart(source: string, path: string): string {
  // The changelog: the versions are left out, which name everything once more.
  if (path === 'changelog.md') {
    const [intro = ''] = source.split(/^## (?:Unreleased|\d)/m)
    return intro
  }

  // Where a field, or the answer to a question, is used: each operation is a page of its own.
  if (path === 'fields.md') return source.replaceAll(USES_OF_FIELD, '')
  if (path === 'open-questions.md') return source.replaceAll(DETAILS, '')

  const [folder] = path.split('/')
  // Guides, resources and errors: their code is left out.
  if (folder === 'guides' || folder === 'behaviour') return withoutCode(source)
  if (folder === 'operations' || folder === 'events') return selectUniqueProse(source)
  if (folder === 'rules' && path !== 'rules/index.md') return selectRules(source)
  return source
}

/** The text of the page of an operation or event that no other page has. */
function selectUniqueProse(source: string): string {
  // What all events share is on their index.
  const proseOfPage = beforeHeading('Order and retries', withoutCode(source))
  // Fields are on the page of all fields.
  const withoutFields = proseOfPage.replaceAll(FIELD, '').replace(OUTLINE, '')
  // The first container has the samples. All below it is left out too: response and errors.
  const [beforeSamples = ''] = withoutFields.split(/:::+/)
  return beforeSamples
}

/**
 * What each rule of a page says, without how it is checked. How to run some alone is the same on
 * each page.
 */
function selectRules(source: string): string {
  const [intro = '', ...rules] = beforeHeading('Run these rules alone', source).split(/^(?=## )/m)
  return [intro, ...rules.map(selectFirstParagraph)].join('')
}

/** The heading of a section and its first paragraph. */
function selectFirstParagraph(section: string): string {
  const [heading = '', paragraph = ''] = section.split('\n\n')
  return `${heading}\n\n${paragraph}\n\n`
}

function beforeHeading(heading: string, source: string): string {
  const [before = ''] = source.split(`\n## ${heading}`)
  return before
}

function withoutCode(source: string): string {
  return source.replaceAll(CODE, '')
}

/** From a fence to the next one with the same indentation. */
const CODE = /^( *)```.*?^\1```$/gms
/** The last line of a field. */
const USES_OF_FIELD = /^In \[`.*$/gm
/** What is folded. */
const DETAILS = /^<details>.*?^<\/details>$/gms
/** The links to the sections of an operation. */
const OUTLINE = /^<nav class="sections".*?^<\/nav>$/ms
/** A field in a list, with all lines below it that are indented. */
const FIELD = /^- \[`.*?(?=^\S)/gms

function writePlainCode(code: string): string {
  return `<pre><code>${escaped(code)}</code></pre>`
}

/** How many characters of a section the search shows below its title. */
const EXCERPT = 93

const SEARCH_INDEX = fileURLToPath(new URL('theme/search-index.ts', import.meta.url))

/**
 * A plugin of Vite that gives the search box of VitePress `search-index.ts` in place of the module
 * `minisearch`: it puts the results in another order.
 */
export function orderResults(): Plugin {
  return {
    name: 'order-results',
    enforce: 'pre',
    resolveId: (module, importer) =>
      module === 'minisearch' && importer?.includes('VPLocalSearchBox') ? SEARCH_INDEX : undefined,
  }
}

/**
 * A plugin of Vite that replaces the index of VitePress by one in which keywords are a field of
 * their own, and words are split as the search splits them.
 */
export function writeIndex(): Plugin {
  return {
    name: 'write-index',
    transform(code, id) {
      if (!/@localSearchIndex\w/.test(id)) return undefined
      // The module exports a string of JSON.
      const indexOfVitePress = JSON.parse(JSON.parse(code.replace(/^export default /, '')))
      const index = createIndex(readSections(indexOfVitePress))
      return `export default ${JSON.stringify(JSON.stringify(index))}`
    },
  }
}

/** A section of a page, by its address, and the headings of the sections that it is in. */
interface Section {
  readonly id: string
  readonly title: string
  readonly titles: readonly string[]
  readonly text: string
  readonly keywords: string
  /** Of a guide as a whole: the headings and keywords of its sections. */
  readonly sections?: string
}

/** Which sections an index has, and what it keeps of them, by numbers of its own. */
interface Index {
  readonly documentIds: Readonly<Record<string, string>>
  readonly storedFields?: Readonly<Record<string, StoredSection>>
}

/** A section whose titles still have keywords. */
interface StoredSection {
  readonly title: string
  readonly titles: readonly string[]
  readonly text?: string
}

/**
 * The sections in an index of VitePress. Their titles have keywords behind a separator there; here
 * these are a field of their own.
 */
function readSections({ documentIds, storedFields = {} }: Index): Section[] {
  return Object.entries(storedFields).map(([number, stored]) => {
    const [title = '', keywords = ''] = stored.title.split(KEYWORDS)
    return {
      id: `${documentIds[number]}`,
      title,
      titles: stored.titles.map(withoutKeywords),
      text: stored.text ?? '',
      keywords,
    }
  })
}

function withoutKeywords(title: string): string {
  const [heading = ''] = title.split(KEYWORDS)
  return heading
}

/** An index of sections with what the search shows of each, in the form of VitePress. */
function createIndex(sections: readonly Section[]): object {
  const index = new MiniSearch<Section>({
    fields: SEARCHED_FIELDS,
    tokenize: (text, field = '') => wordsOfIndex(text, field),
    processTerm: indexedWord,
  })
  index.addAll(withSectionsOfGuides(sections))

  // MiniSearch has given each section a number.
  const json = index.toJSON()
  const idsByNumber = Object.entries(json.documentIds)
  const textsById = new Map(sections.map((section) => [section.id, textsToShow(section)]))
  const storedFields = idsByNumber.map(([number, id]) => [number, textsById.get(id)])
  return { ...json, storedFields: Object.fromEntries(storedFields) }
}

/**
 * Adds to the first section of each guide the headings and keywords of its other sections, so that
 * a search finds the guide as a whole.
 */
function withSectionsOfGuides(sections: readonly Section[]): Section[] {
  const sectionsByPage = Map.groupBy(sections, pageOf)
  return sections.map((section) => {
    const page = pageOf(section)
    const isTopOfGuide = section.titles.length === 0 && page.startsWith(GUIDES)
    if (!isTopOfGuide) return section

    const texts: string[] = []
    for (const { id, title, keywords } of sectionsByPage.get(page) ?? [])
      if (id !== section.id) texts.push(title, keywords)
    return { ...section, sections: texts.join(' ') }
  })
}

const GUIDES = '/guides/'

function pageOf({ id }: Section): string {
  const [page = ''] = id.split('#')
  return page
}

/**
 * What the search shows of a section, with an excerpt below its title: it shows one by itself only
 * where it loads the whole page.
 */
function textsToShow({ title, titles, text }: Section) {
  return { title: `${title}\n${createExcerpt(text)}`, titles }
}

function createExcerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= EXCERPT) return line

  const wholeWords = line.slice(0, EXCERPT).replace(LAST_WORD, '')
  return `${wholeWords}…`
}

/** With the `&` of an entity, such as `&quot;`. */
const LAST_WORD = /&?[^ ]*$/

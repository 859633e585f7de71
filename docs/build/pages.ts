import { readdir, readFile } from 'node:fs/promises'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import { splitDescription } from '@partner-payments/spec/build'
import { parse } from 'yaml'
import {
  type BehaviourInput,
  errorCatalogue,
  resourcePage,
  resourcePath,
} from './behaviour-pages.ts'
import {
  type Contract,
  inline,
  type Operation,
  operationsOf,
  type Questions,
  withShortPaths,
} from './contract.ts'
import { eventPages } from './event-pages.ts'
import { fieldsPage } from './fields.ts'
import { goLivePage } from './go-live-page.ts'
import { placeGuides } from './guide-groups.ts'
import { holidaysPage } from './holidays-page.ts'
import { withCopies } from './linked-programs.ts'
import { hasOwnPage, operationPage, pagesOfOperations } from './operation-pages.ts'
import { operationsIndex } from './operations-index.ts'
import { paymentPage } from './payment-page.ts'
import { questionsPage } from './questions-page.ts'
import type { SampleSources } from './samples.ts'
import { testDataPage } from './test-data-page.ts'
import {
  codeBlock,
  expand,
  include,
  paragraphs,
  requireDirectives,
  type Sources,
  table,
} from './text.ts'

/**
 * A page as Markdown; `section` and `group` say where the navigation has it, `summary` what it is
 * about. The group of an operation is its tag, that of a rule its subject.
 */
export interface Page {
  readonly path: string
  readonly title: string
  readonly summary: string
  readonly section?: string
  readonly group?: string
  readonly text: string
  readonly searchWords?: SearchWords
  /** Front matter for VitePress. */
  readonly options?: Readonly<Record<string, unknown>>
}

/** What people type who look for a page, or for its sections by their anchors. */
export interface SearchWords {
  readonly keywords?: string
  readonly sectionKeywords?: Readonly<Record<string, string>>
}

/** What the site is built from. `guide` is the contract of the short paths. */
export type SiteInput = BehaviourInput & {
  contract: Contract
  guide: Contract
  questions: Questions
}

/**
 * All pages of the site but the reference. Throws an Error that names the file at fault.
 *
 * @param now in milliseconds since 1970; the page of bank holidays shows this year and the next
 */
export async function createPages(input: SiteInput, now: number): Promise<Page[]> {
  const { questions, behaviour } = input
  const contract = withShortPaths(input.contract, input.guide)
  const operationPages = pagesOfOperations(operationsOf(contract, behaviour))
  const sources = { contract, behaviour, operationPages, questions }
  const landing = await readFile(resolveUrl('../home/index.md'), 'utf8')
  const pages = await Promise.all([
    {
      path: 'index.md',
      title: 'Partner payments',
      summary:
        'Pix payments for partners: an OpenAPI contract, a TypeScript client, a mock, a sandbox and a checker.',
      text: await include(landing, resolveUrl('../home/index.md'), sources),
      options: { outline: false, sidebar: false, aside: false },
    },
    createGuides(sources, behaviour, now),
    rulePages(sources),
    createOperationPages(contract, behaviour),
    eventPages(inline(contract), input),
    resourcePages(input),
    {
      path: 'open-questions.md',
      title: 'Open questions',
      summary:
        'Where the source document is silent: each question with its assumption, and what would settle it.',
      text: questionsPage(contract, questions, behaviour),
      options: { aside: false, outline: false },
    },
    {
      path: 'changelog.md',
      title: 'Changelog',
      summary: 'What changed in each version of the contract and its packages.',
      text: changelogForSite(await readRepositoryFile('CHANGELOG.md')),
      options: { sidebar: false },
    },
  ])
  const withWords = withSearchWords(
    pages.flat(),
    parse(await readRepositoryFile('docs/keywords.yaml')),
  )
  return withWords.map((page) => {
    const root = '../'.repeat(page.path.split('/').length - 1)
    return { ...page, text: expand(page.text, { contract, operationPages, questions, root }) }
  })
}

/**
 * Adds the keywords of docs/keywords.yaml to pages. Throws an Error that names an entry without a
 * page.
 */
function withSearchWords(
  pages: readonly Page[],
  table: Readonly<Record<string, SearchWords>>,
): Page[] {
  const paths = new Set(pages.map(({ path }) => path))
  for (const name of Object.keys(table))
    if (!paths.has(`${name}.md`))
      throw new Error(`docs/keywords.yaml: "${name}" is no page, expected one such as fields`)

  return pages.map((page) => {
    const addedWords = table[page.path.replace('.md', '')]
    if (!addedWords) return page

    const keywords = [page.searchWords?.keywords, addedWords.keywords].filter(Boolean).join(', ')
    return { ...page, searchWords: { ...addedWords, keywords } }
  })
}

/** A file of the repository. */
export function readRepositoryFile(path: string): Promise<string> {
  return readFile(resolveUrl(`../../${path}`), 'utf8')
}

function resolveUrl(path: string): URL {
  return new URL(path, import.meta.url)
}

/** What the files of guides and rules may refer to. */
type FileSources = SampleSources & Omit<Sources, 'root'>

/** The guides, of which some are files and some follow from the contract, in the order of the sidebar. */
async function createGuides(
  sources: FileSources,
  behaviour: Behaviour,
  now: number,
): Promise<Page[]> {
  const { contract, questions } = sources
  const inlinedContract = inline(contract)
  const guides = [
    ...(await readPages('guides', sources)),
    holidaysPage(new Date(now).getUTCFullYear()),
    testDataPage(inlinedContract, behaviour),
    paymentPage(inlinedContract, behaviour),
    goLivePage(questions),
  ]
  return placeGuides(guides, parse(await readRepositoryFile('docs/navigation.yaml')))
}

/** The pages of a folder, guides or rules, by the names of their files. */
async function readPages(section: string, sources: FileSources): Promise<Page[]> {
  const entries = await readdir(resolveUrl(`../${section}/`))
  const names = entries.filter((name) => name.endsWith('.md')).sort()
  return Promise.all(names.map((name) => readPage(section, name, sources)))
}

/** Reads the file of a guide or a rule. Throws an Error that names the file. */
async function readPage(section: string, name: string, sources: FileSources): Promise<Page> {
  const file = resolveUrl(`../${section}/${name}`)
  try {
    const source = await readFile(file, 'utf8')
    requireDirectives(source, { ...sources, root: '../' })
    const [, yaml = '', body = ''] = FRONT_MATTER_AND_BODY.exec(source) ?? []
    const front = parse(yaml) ?? {}
    const text = rewriteLinks(await include(body, file, sources))
    return createPage(section, name, front, text)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : cause
    throw new Error(`docs/${section}/${name}: ${message}`, { cause })
  }
}

const FRONT_MATTER_AND_BODY = /^(?:---\n(.*?)\n---\n)?(.*)$/s

interface FrontMatter extends SearchWords {
  readonly title?: string
  readonly summary?: string
  /** Of a rule. */
  readonly subject?: string
}

/**
 * A page of a guide or a rule. Title and summary are those of the front matter (the YAML above the
 * text), or else the heading and the first paragraph of the text. The title of a rule, which has a
 * subject, is the name of its file.
 */
function createPage(section: string, name: string, front: FrontMatter, text: string): Page {
  const { keywords = '', sectionKeywords = {}, subject } = front
  const isRule = subject !== undefined
  const defaultTitle = isRule ? name.replace('.md', '') : findHeading(text)
  const title = front.title ?? defaultTitle
  const summary = front.summary ?? findFirstParagraph(text)
  // A text whose summary is in the front matter begins without a heading.
  const hasHeading = front.summary === undefined
  return {
    path: `${section}/${name}`,
    title,
    summary,
    section,
    ...(isRule && { group: subject }),
    searchWords: { keywords, sectionKeywords },
    text: hasHeading ? text : paragraphs(`# ${title}`, summary, text),
  }
}

function findHeading(text: string): string {
  return `${/^# (.*)$/m.exec(text)?.[1]}`
}

/** The first paragraph that is no heading and no list, in one line. */
function findFirstParagraph(text: string): string {
  const [paragraph] = /^(?![#*]).+(?:\n.+)*/m.exec(text) ?? []
  return `${paragraph?.replaceAll('\n', ' ')}`
}

/**
 * Changes the links of a file, which lead to other files so that they work in a clone, to the
 * addresses of the site.
 */
function rewriteLinks(text: string): string {
  let rewritten = withCopies(text)
  for (const [pattern, replacement] of REWRITES)
    rewritten = rewritten.replaceAll(pattern, replacement)
  return rewritten
}

const REWRITES: readonly [pattern: RegExp | string, replacement: string][] = [
  // What only readers of a clone need.
  [/<!-- clone -->.*?<!-- \/clone -->\n*/gs, ''],
  ['](../rules/)', '](../rules/index.md)'],
  // The site has the rules of a subject on one page: `money-moved` is a section of `money`.
  [/\]\(\.\.\/rules\/(\w+)(-[\w-]+)\.md\)/g, '](../rules/$1.md#$1$2)'],
  ['../../spec/open-questions.yaml', '../open-questions.md'],
  ['](../../spec/openapi.yaml)', '](../openapi.yaml){target="_self"}'],
  // Not pages of VitePress, whose router would look for them.
  [/\]\((\.\.\/(?:reference\.html|receivers\/)[^)]*)\)/g, ']($1){target="_self"}'],
  // The site has no CONTRIBUTING: only the words of the link stay.
  [/\[([^\]]*)\]\(\.\.\/\.\.\/CONTRIBUTING[^)]*\)/g, '$1'],
]

function changelogForSite(text: string): string {
  return text.replaceAll('](docs/guides/', '](guides/')
}

/** The rules of the checker: a page for each subject of home/rules.md, and their index. */
async function rulePages(sources: FileSources): Promise<Page[]> {
  const home = await readFile(resolveUrl('../home/rules.md'), 'utf8')
  const [intro = '', ...sections] = home.split(/^## /m)
  const files = await readPages('rules', sources)
  const subjects = sections.map((section) => readSubject(section, files))
  requireSubjects(files, new Set(subjects.map(({ name }) => name)))

  const index = {
    path: 'rules/index.md',
    title: 'Rules of the checker',
    summary: 'What the checker verifies: all rules, by subject.',
    section: 'rules',
    text: paragraphs(intro.trim(), subjects.map(rulesTable)),
  }
  return [index, ...subjects.map(rulesPage)]
}

interface Subject {
  readonly name: string
  /** What the rules of the subject have in common. */
  readonly about: string
  readonly rules: readonly Page[]
}

/** Reads a section of home/rules.md, whose first line is the heading. */
function readSubject(section: string, files: readonly Page[]): Subject {
  const [name = '', ...about] = section.split('\n')
  const rulePages = files.filter(({ group }) => group === name)
  return { name, about: about.join('\n').trim(), rules: rulePages }
}

/**
 * Throws an Error that names the first rule whose subject is none of these, or that has no summary.
 */
function requireSubjects(files: readonly Page[], subjects: ReadonlySet<string>): void {
  for (const { path, title, group = '', text } of files) {
    const hasSubject = subjects.has(group)
    // `createPage` writes this heading if the front matter has a summary.
    const hasSummary = text.startsWith(`# ${title}\n`)
    if (hasSubject && hasSummary) continue
    throw new Error(
      `docs/${path}: expected front matter with subject (a heading of home/rules.md) and summary`,
    )
  }
}

function rulesTable({ name, about, rules: rulePages }: Subject): string {
  const rows = rulePages.map(({ title, summary }) => [`[${title}](${name}.md#${title})`, summary])
  return table(paragraphs(`## ${name}`, about), ['Rule', 'Checks'], rows)
}

/** The page of one subject: its rules, each as a section, and how to run them alone. */
function rulesPage({ name, about, rules: rulePages }: Subject): Page {
  const summary = `The checker's rules of the subject ${name}: ${rulePages.length} in all. ${about}`
  const flags = `check --target "$TARGET" --only ${name}`
  const commands = [
    codeBlock(`npx -y pnpm@12 ${flags}`, 'sh', 'In a clone'),
    codeBlock(`npx partner-payments ${flags}`, 'sh', 'Installed'),
  ]
  return {
    path: `rules/${name}.md`,
    title: `Rules: ${name}`,
    summary,
    section: 'rules',
    text: paragraphs(
      `# Rules: ${name}`,
      about,
      rulePages.map(({ text }) => text.replace(/^# /, '## ')),
      '## Run these rules alone',
      'After `--only` comes a subject, or one rule or several, with commas between them.',
      paragraphs('::: code-group', commands, ':::'),
    ),
  }
}

/**
 * A page for each operation of the service, after the indexes of fields and operations. The short
 * paths have no pages.
 */
function createOperationPages(contract: Contract, behaviour: Behaviour): Page[] {
  const inlinedContract = inline(contract)
  const operations = operationsOf(inlinedContract, behaviour).filter(hasOwnPage)
  const pages = operations.map((operation) => {
    const { id, path, summary: title, tag } = operation
    const declaredTag = inlinedContract.tags.find(({ name }) => name === tag)
    return {
      path: `operations/${id}.md`,
      title,
      summary: `${id}: ${findFirstStatedLine(operation) || title}`,
      section: 'operations',
      group: declaredTag?.['x-displayName'] ?? tag,
      searchWords: { keywords: path },
      options: { aside: false, outline: 2, pageClass: 'wide' },
      text: operationPage(operation, inlinedContract, behaviour),
    }
  })
  return [createFieldsPage(inlinedContract), operationsIndex(inlinedContract, behaviour), ...pages]
}

/** The first line that the source document states of an operation; empty if it states none. */
function findFirstStatedLine({ description }: Operation): string {
  const [line = ''] = splitDescription(description).stated.split('\n')
  return line.trim()
}

/** The index of all fields. */
function createFieldsPage(contract: Contract): Page {
  const summary =
    'Every field and parameter of the contract, by name: what it means, and where it appears.'
  return {
    path: 'fields.md',
    title: 'Fields',
    summary,
    section: 'fields',
    options: { outline: false },
    text: paragraphs('# Fields', summary, fieldsPage(contract)),
  }
}

/** A page for each resource, and the catalogue of error codes. */
function resourcePages(input: SiteInput): Page[] {
  const pages = Object.entries(input.behaviour.resources ?? {}).map(([name, resource]) => ({
    path: resourcePath(name),
    title: resource.title,
    summary: resource.summary,
    section: 'resources',
    text: resourcePage(name, resource, input),
  }))
  return [...pages, errorsPage(input)]
}

/** The catalogue of error codes. */
function errorsPage(input: SiteInput): Page {
  const title = 'Error codes'
  const summary = 'All error codes: when each is returned, and what to do.'
  const text = paragraphs(`# ${title}`, summary, errorCatalogue(input))
  return {
    path: 'behaviour/errors.md',
    title,
    summary,
    section: 'errors',
    text,
  }
}

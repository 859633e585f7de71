import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { gzipSync } from 'node:zlib'
import { stringify } from 'yaml'
import { inline, operationsOf, withShortPaths } from './contract.ts'
import { decorate } from './decorate.ts'
import { LINKED_PROGRAMS, locateCopy } from './linked-programs.ts'
import { shortAssumptions } from './marks.ts'
import { pagesOfOperations } from './operation-pages.ts'
import { operationTable } from './operations-index.ts'
import { createPages, type Page, readRepositoryFile, type SiteInput } from './pages.ts'
import { redirects } from './redirects.ts'
import { referenceFiles } from './reference.ts'
import { expand } from './text.ts'
import { tryOperations } from './try-it.ts'

/**
 * Files below `docs` that VitePress takes: the pages as Markdown, `public/`, and `site.json` for
 * its configuration.
 */
const PAGES = '.pages'
/** The page that Redoc draws. */
const REFERENCE = 'reference.md'
/** Entries of `.pages` that the built site does not have as Markdown. */
const NOT_PAGES: ReadonlySet<string> = new Set(['public', 'site.json', REFERENCE])

/**
 * Writes the pages of the site as Markdown into `.pages`, for VitePress, and what lies beside them:
 * the reference, what “Try it” loads, and the documents to download. Only files that changed are
 * written, so that a development server takes up nothing else.
 *
 * @param spec the folder of the contract, which was built
 * @returns the contract that they show
 * @throws an Error that names the guide, rule, sample or question at fault; nothing is written then
 */
export async function writePages(docs: string, spec: string): Promise<SiteInput> {
  const input = await readBuilt(spec)
  const pages = await createPages(input, Date.now())
  const texts = Object.fromEntries(pages.map((page) => [page.path, withFrontMatter(page)]))
  const files = await publicFiles(input, pages, docs, join(spec, 'dist'))
  await sync(join(docs, PAGES), {
    ...texts,
    [REFERENCE]: await referencePage(input, files),
    ...files,
    'site.json': await siteJson(pages, input),
  })
  return input
}

/**
 * The JSON that VitePress reads: the pages without their texts for its navigation, and the
 * assumptions for the notes of marks.
 */
async function siteJson(pages: readonly Page[], { questions }: SiteInput): Promise<string> {
  const { version } = JSON.parse(await readRepositoryFile('packages/client/package.json'))
  return JSON.stringify({
    version,
    nextVersion: nextVersionIn(await readRepositoryFile('CHANGELOG.md')),
    pages: pages.map(({ text: _, ...page }) => page),
    assumptions: shortAssumptions(questions),
  })
}

/** The version that the pages describe as long as the changelog has unreleased changes. */
export function nextVersionIn(changelog: string): string | undefined {
  const [, next] = /^## Unreleased\n+The next version is (\d+\.\d+\.\d+)/m.exec(changelog) ?? []
  return next
}

/**
 * Reads the files that the build of the contract wrote. They are not checked here, since the lint
 * of the contract has done so.
 */
export async function readBuilt(spec: string): Promise<SiteInput> {
  const read = async (name: string) =>
    JSON.parse(await readFile(join(spec, `dist/${name}.json`), 'utf8'))
  return {
    contract: await read('openapi'),
    guide: await read('guide'),
    questions: await read('open-questions'),
    behaviour: await read('behaviour'),
    facts: await read('facts'),
  }
}

/** Builds the site from `.pages` into `docs/dist`. The last good build stays if this one fails. */
export async function buildSite(docs: string): Promise<void> {
  const out = join(docs, 'dist')
  const next = `${out}.next-${process.pid}`
  const { build } = await import('vitepress')
  await build(docs, { outDir: next })

  // Each page lies beside its HTML as Markdown.
  const isPage = (file: string) => {
    const [entry = ''] = relative(join(docs, PAGES), file).split(sep)
    return !NOT_PAGES.has(entry)
  }
  await cp(join(docs, PAGES), next, { recursive: true, filter: isPage })
  await rm(out, { recursive: true, force: true })
  await rename(next, out)
}

function withFrontMatter({ title, summary, options, text }: Page): string {
  return `---\n${stringify({ title, description: summary, ...options })}---\n\n${text}\n`
}

/**
 * The files of the site that are no pages, by their paths below `.pages`: the reference, data of
 * “Try it”, downloads, and redirects from old addresses.
 */
async function publicFiles(input: SiteInput, pages: readonly Page[], docs: string, dist: string) {
  const { contract, guide, behaviour } = input
  const files: Record<string, string> = {
    ...(await referenceFiles()),
    'logo.svg': await readRepositoryFile('docs/home/logo.svg'),
    'reference.json': JSON.stringify(decorate(withShortPaths(contract, guide), input)),
    'try.json': JSON.stringify(tryOperations(contract, behaviour)),
    'llms.txt': llmsText(pages),
    'llms-full.txt': pages.map(({ text }) => text).join('\n\n---\n\n'),
    // Where a sandbox is behind the site, it has its own page (`.vitepress/like-built.ts`).
    'sandbox.html': await readRepositoryFile('docs/home/sandbox.html'),
  }
  Object.assign(files, redirects(await listNames(join(docs, 'rules'), '.md')))
  // Programs that a guide only names, so that a reader can download them.
  for (const name of await readdir(join(docs, 'receivers')))
    files[`receivers/${name}`] = await readFile(join(docs, 'receivers', name), 'utf8')
  for (const program of LINKED_PROGRAMS)
    files[locateCopy(program)] = await readRepositoryFile(program)
  for (const name of ['openapi.json', 'openapi.yaml', 'guide.json', 'behaviour.json'])
    files[name] = await readFile(join(dist, name), 'utf8')
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`public/${name}`, text]))
}

/** The names of the files in a folder that end so, without that end. */
async function listNames(folder: string, end: string): Promise<string[]> {
  const names = await readdir(folder)
  const wanted = names.filter((name) => name.endsWith(end))
  return wanted.map((name) => name.slice(0, -end.length))
}

/**
 * The page of the reference. It shows the table of operations until Redoc, which is large, is
 * loaded.
 */
async function referencePage(
  { contract, behaviour, questions }: SiteInput,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const text = await readRepositoryFile(`docs/home/${REFERENCE}`)
  const loaded = ['public/redoc.js', 'public/reference.json'].map((name) => files[name] ?? '')
  const filled = text
    .replace('[size]', megabytes(loaded))
    .replace('[operations]', operationTable(inline(contract), behaviour))
  const operationPages = pagesOfOperations(operationsOf(contract, behaviour))
  return expand(filled, { contract, operationPages, questions, root: '' })
}

/** The size of files as a host compresses them. */
function megabytes(files: readonly string[]): string {
  let bytes = 0
  for (const file of files) bytes += gzipSync(file).length
  return `${(bytes / 1e6).toFixed(1)} MB`
}

/** The index of the pages for language models (llmstxt.org). */
function llmsText(pages: readonly Page[]): string {
  const list = pages.map(({ path, title, summary }) => `- [${title}](${path}): ${summary}`)
  return `# Partner payments

> The contract of a partner payments API (Pix), and what is built from it.

- [openapi.json](openapi.json): the contract, in OpenAPI 3.1
${list.join('\n')}
`
}

/**
 * Makes a folder hold these files and no others. Files that have not changed are not written, so
 * that a development server does not reload them.
 */
async function sync(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true })
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const name = relative(folder, file).replaceAll('\\', '/')
    if (!(name in files)) await rm(file)
  }

  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name)
    const currentText = await readFile(file, 'utf8').catch(() => undefined)
    if (currentText === text) continue
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}

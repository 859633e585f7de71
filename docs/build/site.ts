import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { stringify } from 'yaml'
import { withShortPaths } from './contract.ts'
import { decorate } from './decorate.ts'
import { fileOf, type Page, pagesOf, type SiteInput } from './pages.ts'
import { referenceFiles } from './reference.ts'
import { tryOperations } from './try-it.ts'

/**
 * Files below `docs` that VitePress takes: the pages as Markdown, `public/`, and `site.json` for
 * its configuration.
 */
const PAGES = '.pages'
/** The page that Redoc draws. */
const REFERENCE = 'reference.md'

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
  const pages = await pagesOf(input)
  const { version } = JSON.parse(await fileOf('packages/client/package.json'))
  await sync(join(docs, PAGES), {
    ...Object.fromEntries(pages.map((page) => [page.path, withFrontMatter(page)])),
    [REFERENCE]: await fileOf(`docs/home/${REFERENCE}`),
    ...(await publicFiles(input, pages, join(spec, 'dist'))),
    'site.json': JSON.stringify({ version, pages: pages.map(({ text: _, ...page }) => page) }),
  })
  return input
}

/** What was built of the contract, whose own lint holds the files to these shapes. */
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
    const name = relative(join(docs, PAGES), file)
    return !/^(public|site\.json)/.test(name) && name !== REFERENCE
  }
  await cp(join(docs, PAGES), next, { recursive: true, filter: isPage })
  await rm(out, { recursive: true, force: true })
  await rename(next, out)
}

function withFrontMatter({ title, summary, options, text }: Page): string {
  return `---\n${stringify({ title, description: summary, ...options })}---\n\n${text}\n`
}

/** What lies beside the pages, with the documents that were built to `dist`. */
async function publicFiles(input: SiteInput, pages: readonly Page[], dist: string) {
  const { contract, guide, behaviour } = input
  const list = pages
    .map(({ path, title, summary }) => `- [${title}](${path}): ${summary}`)
    .join('\n')
  const files: Record<string, string> = {
    ...(await referenceFiles()),
    'logo.svg': await fileOf('docs/home/logo.svg'),
    'reference.json': JSON.stringify(decorate(withShortPaths(contract, guide), input)),
    'try.json': JSON.stringify(tryOperations(contract, behaviour)),
    'llms.txt': `# Partner payments\n\n> The contract of a partner payments API (Pix), and what is built from it.\n\n- [openapi.json](openapi.json): the contract, in OpenAPI 3.1\n${list}\n`,
    'llms-full.txt': pages.map(({ text }) => text).join('\n\n---\n\n'),
    // Where a sandbox is behind the site, it has its own page (`.vitepress/like-built.ts`).
    'sandbox.html': await fileOf('docs/home/sandbox.html'),
  }
  for (const name of ['openapi.json', 'openapi.yaml', 'guide.json', 'behaviour.json'])
    files[name] = await readFile(join(dist, name), 'utf8')
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`public/${name}`, text]))
}

/** Makes a folder hold these files and no others, and writes those that changed. */
async function sync(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true })
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const it of entries) {
    const file = join(it.parentPath, it.name)
    if (it.isFile() && !(relative(folder, file).replaceAll('\\', '/') in files)) await rm(file)
  }
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name)
    if ((await readFile(file, 'utf8').catch(() => undefined)) === text) continue
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}

import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { versionOf } from './changelog.ts'
import { operationsOf } from './contract.ts'
import { decorate } from './decorate.ts'
import type { Page } from './page.ts'
import { formerRules, pagesOf, type SiteInput } from './pages.ts'
import { consolePage, referencePage } from './reference.ts'
import { readSamples } from './samples.ts'
import { withShortPaths } from './shortPaths.ts'

/** Files below `docs` that VitePress takes: the pages as Markdown, `public/`, and `site.json` for its configuration. */
const PAGES = '.pages'

/**
 * Writes the pages of the site as Markdown into `.pages`, for VitePress, and what lies beside them: the reference, the
 * console, and the documents to download. Only files that changed are written, so that a development server takes up
 * nothing else.
 *
 * @throws an Error that names the guide, rule, sample or question at fault; nothing is written then
 */
export async function writePages(docs: string, input: SiteInput): Promise<void> {
  const pages = await pagesOf(input)
  const files = new Map([
    ...pages.map((page): [string, string] => [page.path, `${frontMatter(page)}${page.text}\n`]),
    ...(await publicFiles(input, pages)).map(([name, text]): [string, string] => [`public/${name}`, text]),
    ['site.json', json({ version: await versionOf(), pages: pages.map(({ text: _, ...page }) => page) })],
  ])
  await sync(join(docs, PAGES), files)
}

/** Builds the site from `.pages` into `docs/dist`. The last good build stays if this one fails. */
export async function buildSite(docs: string): Promise<void> {
  const out = join(docs, 'dist')
  const next = `${out}.next-${process.pid}`
  const { build } = await import('vitepress')
  await build(docs, { outDir: next })
  await copyMarkdown(join(docs, PAGES), next)
  await rm(`${next}.last`, { recursive: true, force: true })
  await rename(out, `${next}.last`).catch(() => {})
  await rename(next, out)
  await rm(`${next}.last`, { recursive: true, force: true })
}

function frontMatter({ title, summary, options }: Page): string {
  return `---\n${stringify({ title, description: summary, ...options })}---\n\n`
}

async function publicFiles(input: SiteInput, pages: readonly Page[]): Promise<[string, string][]> {
  const { contract, guide } = input
  const whole = withShortPaths(contract, guide)
  const samples = await readSamples(operationsOf(whole))
  const former = Object.entries(await formerRules())
  return [
    ['reference.html', await referencePage(decorate(whole, { ...input, samples }))],
    ['try.html', await consolePage()],
    ...(await Promise.all(
      ['try.js', 'sandbox.js', 'assumptions.js'].map(
        async (name): Promise<[string, string]> => [
          name,
          await readFile(new URL(`browser/${name}`, import.meta.url), 'utf8'),
        ],
      ),
    )),
    [
      'console.js',
      await readFile(new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference')), 'utf8'),
    ],
    ['openapi.json', json(contract)],
    ['openapi.yaml', stringify(contract)],
    ['guide.json', json(guide)],
    ['behaviour.json', json(input.behaviour)],
    ['llms.txt', index(pages)],
    ['llms-full.txt', pages.map(({ text }) => text).join('\n\n---\n\n')],
    // Reports and links may still name a rule that was merged into another.
    ...former.map(([old, id]): [string, string] => [`rules/${old}.html`, redirect(`${id}.html`)]),
  ]
}

function index(pages: readonly Page[]): string {
  const lines = pages.map(({ path, title, summary }) => `- [${title}](${path}): ${summary}`)
  return `# Partner payments\n\n> The contract of a partner payments API (Pix), and what is built from it.\n\n${lines.join('\n')}\n`
}

function redirect(to: string): string {
  return `<!doctype html>\n<title>${to}</title>\n<meta http-equiv="refresh" content="0; url=${to}">\n<a href="${to}">${to}</a>\n`
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** Makes a folder hold these files and no others. */
async function sync(folder: string, files: Map<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true })
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const old = entries.filter((it) => it.isFile()).map((it) => join(it.parentPath, it.name))
  for (const file of old) if (!files.has(file.slice(folder.length + 1).replaceAll('\\', '/'))) await rm(file)
  for (const [name, text] of files) await writeChanged(join(folder, name), text)
}

async function writeChanged(file: string, text: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => undefined)) === text) return
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

/** Each page lies beside its HTML as Markdown. */
async function copyMarkdown(from: string, to: string): Promise<void> {
  await cp(from, to, {
    recursive: true,
    filter: (file) => !file.includes(join(PAGES, 'public')) && !file.endsWith('site.json'),
  })
}

import { readdir, readFile } from 'node:fs/promises'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import { parse } from 'yaml'
import { type BehaviourInput, errorCatalogue, resourcePage } from './behaviour-pages.ts'
import { type Contract, inline, operationsOf, type Questions, withShortPaths } from './contract.ts'
import { eventPages } from './event-pages.ts'
import { fieldsPage } from './fields.ts'
import { operationPage } from './operation-pages.ts'
import { questionsPage } from './questions-page.ts'
import { codeBlock, expand, include, paragraphs, table } from './text.ts'

/**
 * A page as Markdown; `section` and `group` say where the navigation has it, `summary` what it is
 * about.
 */
export interface Page {
  readonly path: string
  readonly title: string
  readonly summary: string
  readonly section?: string
  readonly group?: string
  readonly text: string
  /** Front matter for VitePress. */
  readonly options?: Readonly<Record<string, unknown>>
}

/** What the site is built from. `guide` is the contract of the short paths. */
export type SiteInput = BehaviourInput & {
  contract: Contract
  guide: Contract
  questions: Questions
}

/** All pages of the site but the reference. Throws an Error that names the file at fault. */
export async function pagesOf(input: SiteInput): Promise<Page[]> {
  const { questions, behaviour } = input
  const contract = withShortPaths(input.contract, input.guide)
  const landing = await readFile(here('../home/index.md'), 'utf8')
  const pages = await Promise.all([
    {
      path: 'index.md',
      title: 'Partner payments',
      summary:
        'Pix payments for partners: an OpenAPI contract, a TypeScript client, a mock, a sandbox and a checker.',
      text: await include(landing, here('../home/index.md'), contract),
      options: { outline: false, sidebar: false, aside: false },
    },
    fromFiles('guides', contract),
    rules(contract),
    fromFiles('decisions', contract),
    operations(contract, behaviour),
    eventPages(inline(contract), input),
    resources(input),
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
      text: await fileOf('CHANGELOG.md'),
      options: { sidebar: false },
    },
  ])
  return pages.flat().map((page) => {
    const root = '../'.repeat(page.path.split('/').length - 1)
    return { ...page, text: expand(page.text, { contract, questions, root }) }
  })
}

/** A file of the repository. */
export const fileOf = (path: string) => readFile(here(`../../${path}`), 'utf8')

const here = (path: string) => new URL(path, import.meta.url)

/** The pages of a folder: guides, decisions or rules. */
async function fromFiles(section: string, contract: Contract): Promise<Page[]> {
  const names = (await readdir(here(`../${section}/`)))
    .filter((name) => name.endsWith('.md'))
    .sort()
  const pages = names.map(async (name) => {
    const file = here(`../${section}/${name}`)
    try {
      const source = await readFile(file, 'utf8')
      const [, yaml = '', body = ''] = /^(?:---\n(.*?)\n---\n)?(.*)$/s.exec(source) ?? []
      const front = parse(yaml) ?? {}
      const text = forSite(await include(body, file, contract))
      return { order: Number(front.order ?? 0), page: pageOf(section, name, front, text) }
    } catch (cause) {
      throw new Error(
        `docs/${section}/${name}: ${cause instanceof Error ? cause.message : cause}`,
        { cause },
      )
    }
  })
  return (await Promise.all(pages)).sort((a, b) => a.order - b.order).map(({ page }) => page)
}

/**
 * Front matter of a guide has title and summary, that of a rule subject and summary. A decision has
 * a heading instead.
 */
function pageOf(
  section: string,
  name: string,
  front: Readonly<Record<string, string>>,
  text: string,
): Page {
  const { keywords, subject, group = subject } = front
  const title =
    front.title ?? (subject ? name.replace('.md', '') : `${/^# (.*)$/m.exec(text)?.[1]}`)
  const summary =
    front.summary ?? `${/^(?![#*]).+(?:\n.+)*/m.exec(text)?.[0].replaceAll('\n', ' ')}`
  return {
    path: `${section}/${name}`,
    title,
    summary,
    section,
    ...(group ? { group } : {}),
    ...(keywords ? { options: { keywords } } : {}),
    text: front.summary ? paragraphs(`# ${title}`, summary, text) : text,
  }
}

/**
 * The files link to each other, so that the links work in a clone too; the site has them elsewhere.
 */
function forSite(text: string): string {
  return text
    .replaceAll(/<!-- clone -->.*?<!-- \/clone -->\n*/gs, '')
    .replaceAll('](../rules/)', '](../rules/index.md)')
    .replaceAll('../../spec/open-questions.yaml', '../open-questions.md')
    .replaceAll(/\]\((\.\.\/reference\.html[^)]*)\)/g, ']($1){target="_self"}')
    .replaceAll(/\[([^\]]*)\]\(\.\.\/\.\.\/CONTRIBUTING[^)]*\)/g, '$1')
}

/** The pages of the checker's rules, and their index, whose headings are the subjects. */
async function rules(contract: Contract): Promise<Page[]> {
  const [intro = '', ...subjects] = (await readFile(here('../home/rules.md'), 'utf8')).split(
    /^(?=## )/m,
  )
  const pages = (await fromFiles('rules', contract)).map(({ text, ...page }) => {
    const { path, title, group } = page
    if (!subjects.some((it) => it.startsWith(`## ${group}\n`)) || !text.startsWith(`# ${title}\n`))
      throw new Error(
        `docs/${path}: expected front matter with subject (a heading of home/rules.md) and summary`,
      )
    const run = codeBlock(`partner-payments-check --target "$TARGET" --only ${title}`, 'sh')
    return { ...page, text: paragraphs(text, '## Run it alone', run) }
  })
  const ofSubject = (text: string) => pages.filter(({ group }) => text.startsWith(`## ${group}\n`))
  const tables = subjects.map((text) => {
    const rows = ofSubject(text).map(({ title, summary }) => [`[${title}](${title}.md)`, summary])
    return table(text.trim(), ['Rule', 'Checks'], rows)
  })
  const index = {
    path: 'rules/index.md',
    title: 'Rules of the checker',
    summary: 'What the checker verifies: all rules, by subject.',
    section: 'rules',
    text: paragraphs(intro.trim(), tables),
  }
  return [index, ...subjects.flatMap(ofSubject)]
}

function operations(contract: Contract, behaviour: Behaviour): Page[] {
  const whole = inline(contract)
  const options = { aside: false, outline: false, pageClass: 'wide' }
  const pages = operationsOf(whole).map((operation) => {
    const { operationId: id, summary: title, tags } = operation.node
    const [stated = ''] = String(operation.node.description).split(/\n|Assumed:/)
    return {
      path: `operations/${id}.md`,
      title,
      summary: `${id}: ${stated.trim() || title}`,
      section: 'operations',
      group: whole.tags.find(({ name }) => name === tags[0])?.['x-displayName'] ?? tags[0],
      options,
      text: operationPage(operation, whole, behaviour),
    }
  })
  const fields = {
    path: 'fields.md',
    title: 'Fields',
    summary:
      'Every field and parameter of the contract, by name: what it means, and where it appears.',
    section: 'fields',
    options: { outline: false },
  }
  return [{ ...fields, text: paragraphs('# Fields', fields.summary, fieldsPage(whole)) }, ...pages]
}

function resources(input: SiteInput): Page[] {
  const section = 'resources'
  const pages = Object.entries(input.behaviour.resources ?? {}).map(([name, resource]) => {
    const { title, summary } = resource
    return {
      path: `behaviour/${name}.md`,
      title,
      summary,
      section,
      text: resourcePage(name, resource, input),
    }
  })
  const rows = pages.map(({ path, title, summary }) => [`[${title}](/${path})`, summary])
  const summary =
    'What the service keeps, which states it has, and which rules hold beyond a single request.'
  const text = paragraphs(
    table(`# Resources\n\n${summary}`, ['Resource', 'What it is'], rows),
    'Another page lists the [error codes](errors.md).',
  )
  const index = { path: 'behaviour/index.md', title: 'Resources', summary, section, text }
  return [index, ...pages, errors(input)]
}

function errors(input: SiteInput): Page {
  const title = 'Error codes'
  const summary = 'All error codes: when each is returned, and what to do.'
  const text = paragraphs(`# ${title}`, summary, errorCatalogue(input))
  return { path: 'behaviour/errors.md', title, summary, section: 'errors', text }
}

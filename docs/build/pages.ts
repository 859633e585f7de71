import { readdir, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parse } from 'yaml'
import { changelog } from './changelog.ts'
import { type Contract, operationsOf } from './contract.ts'
import { errorCatalogue } from './error-catalogue.ts'
import type { Questions } from './marks.ts'
import { fieldsPage, operationPage } from './operation-pages.ts'
import type { Page } from './page.ts'
import { placesOf } from './places.ts'
import { questionsPage } from './questions-page.ts'
import { resourcePage } from './resource-page.ts'
import { readSamples } from './samples.ts'
import { withShortPaths } from './shortPaths.ts'
import type { BehaviourInput } from './source.ts'
import { codeBlock, expand, include, table } from './text.ts'

/** What the site is built from. `guide` is the contract of the short paths. */
export type SiteInput = BehaviourInput & { contract: Contract; guide: Contract; questions: Questions }

/** All pages of the site but the reference and the console. Throws an Error that names the file at fault. */
export async function pagesOf(input: SiteInput): Promise<Page[]> {
  const contract = withShortPaths(input.contract, input.guide)
  const whole = { ...input, contract }
  const pages = await Promise.all([
    landing(contract),
    fromFiles('guides', whole),
    rules(whole),
    fromFiles('decisions', whole),
    operations(whole),
    resources(whole),
    questionsPage({ ...whole, places: placesOf(contract) }),
    changelog(),
  ])
  const depth = (path: string) => '../'.repeat(path.split('/').length - 1)
  return pages
    .flat()
    .map((page) => ({ ...page, text: expand(page.text, { ...whole, root: depth(page.path) }) }))
}

const here = (path: string) => new URL(path, import.meta.url)

async function landing(contract: Contract): Promise<Page> {
  const file = here('../home/index.md')
  const text = await include(await readFile(file, 'utf8'), file, contract)
  const options = { outline: false, sidebar: false, aside: false }
  return {
    path: 'index.md',
    title: 'Partner payments',
    summary: 'Where to begin.',
    section: '',
    text,
    options,
  }
}

/** The pages of a folder of Markdown files. Their front matter, where they have one, holds title, order and summary. */
async function fromFiles(section: string, { contract }: SiteInput): Promise<Page[]> {
  return readPages(section, async (file, front, body) => {
    const clean = body.replaceAll(/<!-- clone -->.*?<!-- \/clone -->\n*/gs, '')
    const text = forSite(await include(clean, file, contract))
    const title = String(front.title ?? /^# (.*)$/m.exec(text)?.[1])
    const heading = front.title ? `# ${title}\n\n${front.summary}\n\n` : ''
    return {
      title,
      summary: String(front.summary ?? ''),
      section,
      order: Number(front.order ?? 0),
      text: heading + text,
    }
  })
}

type Front = Record<string, unknown>
type Read = (file: URL, front: Front, body: string, id: string) => Promise<Omit<Page, 'path'>>

async function readPages(folder: string, read: Read): Promise<Page[]> {
  const names = (await readdir(here(`../${folder}/`))).filter((name) => name.endsWith('.md')).sort()
  const pages = names.map(async (name) => {
    const file = here(`../${folder}/${name}`)
    try {
      const [, front = '', body = ''] =
        /^(?:---\n(.*?)\n---\n)?(.*)$/s.exec(await readFile(file, 'utf8')) ?? []
      return {
        path: `${folder}/${name}`,
        ...(await read(file, parse(front) ?? {}, body, basename(name, '.md'))),
      }
    } catch (cause) {
      throw new Error(`docs/${folder}/${name}: ${cause instanceof Error ? cause.message : cause}`, { cause })
    }
  })
  return (await Promise.all(pages)).sort((a, b) => (a.order ?? 0) - (b.order ?? 0))
}

/** The files link to each other, so that the links work in a clone too; the site has them elsewhere. */
function forSite(text: string): string {
  return text
    .replaceAll('](../rules/)', '](../rules/index.md)')
    .replaceAll('../../spec/open-questions.yaml', '../open-questions.md')
    .replaceAll(/\]\((\.\.\/reference\.html[^)]*)\)/g, ']($1){target="_self"}')
    .replaceAll(/\[([^\]]*)\]\(\.\.\/\.\.\/CONTRIBUTING[^)]*\)/g, '$1')
}

/** The phases of the checker, in their order, with what is done in each. */
const PHASES: Readonly<Record<string, string>> = {
  responses: 'Check every response, whatever the request was.',
  'valid requests': 'Send what the contract shows and allows, and expect that it is accepted.',
  'invalid requests': 'Change one keyword of an accepted request, and expect a refusal.',
  records: 'Follow a record from its creation to its end.',
  authorization: 'Try who may do what, and who may not.',
  http: 'Change methods, media types, bodies and paths.',
  random: 'Send random requests that fit the schemas.',
  deliveries: 'Cause events, and check what arrives at a receiver.',
  lists: 'Compare pages and filters of lists.',
  later: 'Move the clock of a sandbox on.',
}

/** The pages of the checker's rules, and their index. */
async function rules(input: SiteInput): Promise<Page[]> {
  const former = Object.groupBy(Object.entries(await formerRules()), ([, id]) => id)
  const pages = await readPages('rules', async (_, { phase, summary }, body, id) => {
    if (typeof phase !== 'string' || !PHASES[phase] || typeof summary !== 'string')
      throw new Error('expected front matter with phase (one of the checker) and summary')
    const olds = (former[id] ?? []).map(([old]) => `\`${old}\``).sort()
    const text = [
      `# ${id}`,
      summary,
      forSite(body),
      '## Run it alone',
      codeBlock(`partner-payments-check --target "$TARGET" --only ${id}`, 'sh'),
      olds.length > 0 ? `It replaces ${olds.join(', ')}; \`--only\` takes these ids too.` : '',
    ]
    const order = Object.keys(PHASES).indexOf(phase)
    return {
      title: id,
      summary,
      section: 'rules',
      group: phase,
      order,
      text: text.filter(Boolean).join('\n\n'),
    }
  })
  return [rulesIndex(pages, input), ...pages]
}

function rulesIndex(pages: readonly Page[], _: SiteInput): Page {
  const phases = Object.entries(PHASES).flatMap(([phase, text]) => {
    const rows = pages
      .filter(({ group }) => group === phase)
      .map(({ title, summary }) => [`[${title}](${title}.md)`, summary])
    return rows.length > 0 ? [`## ${phase}\n\n${text}\n\n${table(['Rule', 'Checks'], rows)}`] : []
  })
  const text = `# Rules of the checker

A finding names the rule that failed. The page of the rule says what it checks, what breaks it, and what to do. A mark
shows what rests on an assumption: a difference from it is a deviation.

${phases.join('\n\n')}`
  return {
    path: 'rules/index.md',
    title: 'Rules of the checker',
    summary: 'All rules by phase.',
    section: 'rules',
    order: -1,
    text,
  }
}

/** Ids that rules had before they were merged. The checker is no dependency of the docs; this file of it has none itself. */
export async function formerRules(): Promise<Readonly<Record<string, string>>> {
  return (await import(here('../../packages/conformance/src/engine/aliases.ts').href)).ALIASES
}

async function operations(input: SiteInput): Promise<Page[]> {
  const { contract } = input
  const samples = await readSamples(operationsOf(contract))
  const sources = { ...input, samples, root: '../' }
  const pages = operationsOf(contract).map((operation) => {
    const { operationId, summary, tags } = operation.node
    const text = operationPage(operation, sources)
    return {
      path: `operations/${operationId}.md`,
      title: summary,
      summary: operationId,
      section: 'operations',
      group: tags[0],
      text,
    }
  })
  const options = { outline: false }
  const fields = {
    path: 'fields.md',
    title: 'Fields',
    summary: 'Every field by name.',
    section: 'operations',
    order: -1,
    options,
  }
  return [...pages, { ...fields, text: fieldsPage({ ...sources, root: '' }) }]
}

function resources(input: SiteInput): Page[] {
  const pages = Object.entries(input.behaviour.resources ?? {}).map(([name, resource]) => {
    const { title, summary } = resource
    const text = `# ${title}\n\n${summary}\n\n${resourcePage(name, resource, input)}`
    return { path: `behaviour/${name}.md`, title, summary, section: 'resources', text }
  })
  const errors = {
    path: 'behaviour/errors.md',
    title: 'Error codes',
    summary: 'All error codes: what leads to each, and what to do.',
    section: 'errors',
  }
  const rows = pages.map(({ path, title, summary }) => [`[${title}](${basename(path)})`, summary])
  const text = `# Resources\n\nWhat the service keeps, which states it has, and which rules hold beyond a single request.\n\n${table(['Resource', 'What it is'], rows)}\n\nThe [error codes](errors.md) have a page of their own.`
  return [
    {
      path: 'behaviour/index.md',
      title: 'Resources',
      summary: 'What the service keeps.',
      section: 'resources',
      order: -1,
      text,
    },
    ...pages,
    { ...errors, text: `# ${errors.title}\n\n${errors.summary}\n\n${errorCatalogue(input)}` },
  ]
}

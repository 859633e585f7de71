import { readdir, readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { type BehaviourInput, errorCatalogue, resourcePage } from './behaviour-pages.ts'
import { changelog } from './changelog.ts'
import { type Contract, inline, operationsOf, type Questions, withShortPaths } from './contract.ts'
import { fieldsPage, operationPage } from './operation-pages.ts'
import { questionsPage } from './questions-page.ts'
import { readSamples } from './samples.ts'
import { codeBlock, expand, include, paragraphs, table } from './text.ts'

/** A page as Markdown; `section` and `group` say where the navigation has it, `summary` what it is about. */
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
export type SiteInput = BehaviourInput & { contract: Contract; guide: Contract; questions: Questions }

/** All pages of the site but the reference and the console. Throws an Error that names the file at fault. */
export async function pagesOf(input: SiteInput): Promise<Page[]> {
  const contract = withShortPaths(input.contract, input.guide)
  const pages = await Promise.all([
    landing(contract),
    fromFiles('guides', contract),
    rules(contract),
    fromFiles('decisions', contract),
    operations(contract, input),
    resources(input),
    questions(contract, input),
    {
      path: 'changelog.md',
      title: 'Changelog',
      summary: 'What changed in each version.',
      options: { sidebar: false },
      text: await changelog(),
    },
  ])
  return pages.flat().map((page) => {
    const root = '../'.repeat(page.path.split('/').length - 1)
    return { ...page, text: expand(page.text, { contract, questions: input.questions, root }) }
  })
}

const here = (path: string) => new URL(path, import.meta.url)

async function landing(contract: Contract): Promise<Page> {
  const file = here('../home/index.md')
  const text = await include(await readFile(file, 'utf8'), file, contract)
  const options = { outline: false, sidebar: false, aside: false }
  return { path: 'index.md', title: 'Partner payments', summary: 'Where to begin.', text, options }
}

type Source = { path: string; id: string; front: Record<string, unknown>; text: string }

/** The pages of a folder, which `make` makes of Markdown files: their front matter, and their text for the site. */
async function readPages(
  folder: string,
  contract: Contract,
  make: (source: Source) => Page,
): Promise<Page[]> {
  const names = (await readdir(here(`../${folder}/`))).filter((name) => name.endsWith('.md')).sort()
  const pages = names.map(async (name) => {
    const file = here(`../${folder}/${name}`)
    try {
      const source = await readFile(file, 'utf8')
      const [, yaml = '', body = ''] = /^(?:---\n(.*?)\n---\n)?(.*)$/s.exec(source) ?? []
      const front = parse(yaml) ?? {}
      const text = forSite(await include(body, file, contract))
      const page = make({ path: `${folder}/${name}`, id: name.replace('.md', ''), front, text })
      return { order: Number(front.order ?? 0), page }
    } catch (cause) {
      throw new Error(`docs/${folder}/${name}: ${cause instanceof Error ? cause.message : cause}`, { cause })
    }
  })
  return (await Promise.all(pages)).sort((a, b) => a.order - b.order).map(({ page }) => page)
}

/** The files link to each other, so that the links work in a clone too; the site has them elsewhere. */
function forSite(text: string): string {
  return text
    .replaceAll(/<!-- clone -->.*?<!-- \/clone -->\n*/gs, '')
    .replaceAll('](../rules/)', '](../rules/index.md)')
    .replaceAll('../../spec/open-questions.yaml', '../open-questions.md')
    .replaceAll(/\]\((\.\.\/reference\.html[^)]*)\)/g, ']($1){target="_self"}')
    .replaceAll(/\[([^\]]*)\]\(\.\.\/\.\.\/CONTRIBUTING[^)]*\)/g, '$1')
}

/** Guides and decisions. Front matter, where there is one, holds title, order and summary. */
function fromFiles(section: string, contract: Contract): Promise<Page[]> {
  return readPages(section, contract, ({ path, front, text }) => {
    const title = String(front.title ?? /^# (.*)$/m.exec(text)?.[1])
    const heading = front.title ? `# ${title}\n\n${front.summary}\n\n` : ''
    return { path, title, summary: String(front.summary ?? ''), section, text: heading + text }
  })
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

/** The pages of the checker's rules, by phase, and their index. */
async function rules(contract: Contract): Promise<Page[]> {
  const former = Object.groupBy(Object.entries(await formerRules()), ([, id]) => id)
  const pages = await readPages('rules', contract, ({ path, id, front: { phase, summary }, text }) => {
    if (typeof phase !== 'string' || !PHASES[phase] || typeof summary !== 'string')
      throw new Error('expected front matter with phase (one of the checker) and summary')
    const olds = (former[id] ?? []).map(([old]) => `\`${old}\``).sort()
    const run = codeBlock(`partner-payments-check --target "$TARGET" --only ${id}`, 'sh')
    const replaced = olds.length > 0 && `It replaces ${olds.join(', ')}; \`--only\` takes these ids too.`
    const whole = paragraphs(`# ${id}`, summary, text, '## Run it alone', run, replaced)
    return { path, title: id, summary, section: 'rules', group: phase, text: whole }
  })
  const phases = Object.entries(PHASES).map(([phase, text]) => {
    const own = pages.filter(({ group }) => group === phase)
    const rows = own.map(({ title, summary }) => [`[${title}](${title}.md)`, summary])
    return { own, text: table(`## ${phase}\n\n${text}`, ['Rule', 'Checks'], rows) }
  })
  const title = 'Rules of the checker'
  const intro = `# ${title}

A finding names the rule that failed. The page of the rule says what it checks, what breaks it, and what to do. A mark
shows what rests on an assumption: a difference from it is a deviation.`
  const text = paragraphs(
    intro,
    phases.map((phase) => phase.text),
  )
  const index = { path: 'rules/index.md', title, summary: 'All rules by phase.', section: 'rules', text }
  return [index, ...phases.flatMap(({ own }) => own)]
}

/** Ids that rules had before they were merged. The checker is no dependency of the docs; this file of it has none itself. */
export async function formerRules(): Promise<Readonly<Record<string, string>>> {
  return (await import(here('../../packages/conformance/src/engine/aliases.ts').href)).ALIASES
}

async function operations(contract: Contract, { behaviour }: SiteInput): Promise<Page[]> {
  const whole = inline(contract)
  const samples = await readSamples(operationsOf(whole))
  const section = 'operations'
  const fields = { path: 'fields.md', title: 'Fields', summary: 'Every field by name.', section: 'fields' }
  const pages = operationsOf(whole).map((operation) => {
    const { operationId, summary, tags } = operation.node
    const text = operationPage(operation, { behaviour, samples })
    return {
      path: `operations/${operationId}.md`,
      title: summary,
      summary: operationId,
      section,
      group: tags[0],
      text,
    }
  })
  return [{ ...fields, options: { outline: false }, text: fieldsPage(whole) }, ...pages]
}

function resources(input: SiteInput): Page[] {
  const pages = Object.entries(input.behaviour.resources ?? {}).map(([name, resource]) => {
    const { title, summary } = resource
    const text = resourcePage(name, resource, input)
    return { path: `behaviour/${name}.md`, title, summary, section: 'resources', text }
  })
  const rows = pages.map(({ path, title, summary }) => [`[${title}](/${path})`, summary])
  const index = table(
    '# Resources\n\nWhat the service keeps, which states it has, and which rules hold beyond a single request.',
    ['Resource', 'What it is'],
    rows,
  )
  const summary = 'All error codes: what leads to each, and what to do.'
  return [
    {
      path: 'behaviour/index.md',
      title: 'Resources',
      summary: 'What the service keeps.',
      section: 'resources',
      text: paragraphs(index, 'The [error codes](errors.md) have a page of their own.'),
    },
    ...pages,
    {
      path: 'behaviour/errors.md',
      title: 'Error codes',
      summary,
      section: 'errors',
      text: paragraphs('# Error codes', summary, errorCatalogue(input)),
    },
  ]
}

function questions(contract: Contract, { questions, behaviour }: SiteInput): Page {
  const path = 'open-questions.md'
  const text = questionsPage(contract, questions, behaviour)
  return {
    path,
    title: 'Open questions',
    summary: 'Where the document is silent.',
    text,
    options: { outline: false },
  }
}

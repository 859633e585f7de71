import { readdir, readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bankHolidays } from '@partner-payments/sandbox/holidays'
import { SPEC } from '@partner-payments/spec/build'
import { beforeAll, expect, test } from 'vitest'
import { errorCatalogue } from '../build/behaviour-pages.ts'
import {
  type Declared,
  declaredIn,
  eventPath,
  inline,
  isEvent,
  referenceLink,
  requireComponent,
} from '../build/contract.ts'
import { createPages } from '../build/pages.ts'
import { nextVersionIn, readBuilt } from '../build/site.ts'
import { testDataPage } from '../build/test-data-page.ts'
import { expand, withSamples } from '../build/text.ts'
import {
  behaviour,
  contract,
  questions,
  questionsOf,
  readSite,
  type Site,
  guide as shortPaths,
  whole,
} from './site.ts'

let site: Site
beforeAll(async () => {
  site = await readSite()
})

const source = new URL('../guides/', import.meta.url)
const guides = (await readdir(source)).filter((file) => file.endsWith('.md'))
const guide = (file: string) => readFile(new URL(file, source), 'utf8')

/** What the browser test finds in the reference, which is made in the browser. */
const inReference = new Set(declaredIn(whole).map(referenceLink))

test('every link of the pages leads to a page, and to an anchor that is there', () => {
  const broken = [...site.pages].flatMap(([name, html]) => {
    const links = linksOf(html).filter((link) => !leadsSomewhere(name, link))
    return links.map((link) => `${name}: ${link}`)
  })
  expect(broken).toEqual([])
})

test.each([
  'nowhere.html',
  '#nowhere',
  '/open-questions.html#nowhere',
  'reference.html#/codes/nowhere',
])('the check of links notices %s', (link) => {
  expect(leadsSomewhere('index.html', link)).toBe(false)
})

test('llms.txt names the contract and every page as Markdown, and llms-full.txt holds their text', async () => {
  const links = (await site.read('llms.txt')).matchAll(/\]\(([^)]+)\)/g)
  const named = Array.from(links, ([, path = '']) => path)
  expect(named.filter((path) => !site.files.has(path))).toEqual([])
  expect(named).toEqual(expect.arrayContaining(['openapi.json', 'operations/createTransfer.md']))
  expect(await site.read('llms-full.txt')).toContain('# Getting started')
})

test('the open questions page has every entry of the register, with its basis', () => {
  const page = site.pages.get('open-questions.html') ?? ''
  for (const [id, { basis }] of Object.entries(questions))
    expect(page).toMatch(
      new RegExp(`<section class="question" data-basis="${basis}"[^>]*><h2 id="${id}"`),
    )
})

test('the page of an operation says which fields belong to one alternative of its request only', async () => {
  const [, request = ''] = (await site.read('operations/createTransfer.md')).split(/^## /m)
  const fields = request.split('\n- ')
  const about = (name: string) => fields.find((field) => field.startsWith(`[\`${name}\`]`))
  expect(about('type')).toContain('one of `emv`, `dict`')
  expect(about('type')).toContain('If `type` is `emv`: Pays a payment code.')
  expect(about('emv')).toContain(
    'string · required · only if `type` is `emv` · 1 to 512 characters',
  )
  expect(about('initiation_id')).toContain('only if `type` is `dict`')
  expect(about('amount')).not.toContain('only if')
  expect(about('beneficiary')).toContain(
    '<details><summary>6 fields of <code>beneficiary</code></summary>',
  )
})

test('the page of an operation or event has an example of each body, and a mark of every open question', () => {
  const declared = declaredIn(contract)
  const withBody = declared.filter(hasBody)
  expect(withBody.length).toBeGreaterThan(20)
  for (const operation of withBody)
    expect(pageOf(operation), operation.id).toContain('class="language-json')

  for (const operation of declared) {
    const html = pageOf(operation)
    const marks = html.matchAll(/open-questions\.html#([\w-]+)"><b>/g)
    const shown = new Set(Array.from(marks, ([, id]) => id))
    const hidden = questionsOf(operation).filter((id) => !shown.has(id))
    expect(hidden, operation.id).toEqual([])
  }
})

/** Whether a request or a success of it has a body. */
function hasBody({ request, responses }: Declared): boolean {
  const success = responses.find(({ status }) => status.startsWith('2'))
  return Boolean(success?.body ?? request)
}

/** The HTML of the page of an operation or event. */
function pageOf(declared: Declared): string {
  const { id, path } = declared
  const name = isEvent(declared) ? eventPath(path).slice(1, -3) : `operations/${id}`
  return site.pages.get(`${name}.html`) ?? ''
}

test('each rule of the checker has a section, to which the address of its old page leads', async () => {
  const files = await readdir(new URL('../rules/', import.meta.url))
  const rules = files.map((file) => file.replace('.md', ''))
  expect(rules).toContain('money-paid')
  for (const rule of rules) {
    const [subject] = rule.split('-')
    const address = `${subject}.html#${rule}`
    expect(leadsSomewhere('rules/index.html', address), rule).toBe(true)
    expect(site.pages.get(`rules/${rule}.html`)).toContain(`url=../rules/${address}"`)
  }
})

test.each([
  { from: 'behaviour/index.html', to: '../operations/index.html#resources' },
  { from: 'guides/glossary.html', to: '../guides/pix-primer.html#terms-of-pix' },
  { from: 'guides/other-clients.html', to: '../guides/client.html#another-client' },
  { from: 'guides/short-paths.html', to: '../guides/what-is-not-known.html#short-paths' },
  { from: 'guides/receiving-webhooks.html', to: '../guides/webhooks.html' },
  { from: 'guides/versions.html', to: '../guides/upgrading.html' },
  { from: 'guides/where-it-runs.html', to: '../guides/connections.html' },
  { from: 'operations/guideCheckKey.html', to: '../guides/what-is-not-known.html#short-paths' },
])('$from leads to $to', ({ from, to }) => {
  expect(site.pages.get(from)).toContain(`<meta http-equiv="refresh" content="0; url=${to}">`)
})

test('the page of bank holidays has those that the sandbox counts, in this year and the next', async () => {
  const page = await site.read('guides/bank-holidays.md')
  const year = new Date().getUTCFullYear()
  for (const { day, name } of [...bankHolidays(year), ...bankHolidays(year + 1)]) {
    const row = page.split('\n').find((line) => line.startsWith(`| <time>${day}</time> |`))
    expect(row, day).toMatch(/ \| \w+day \| /)
    expect(row?.endsWith(`| ${name} |`), day).toBe(true)
  }
  expect(page.match(/^## \d{4}$/gm)).toEqual([`## ${year}`, `## ${year + 1}`])
  expect(page).toContain('Local holidays, of a state or a city, are not counted.')
})

test.each([
  { now: '2026-12-31T23:59:59Z', years: ['2026', '2027'] },
  { now: '2027-01-01T00:00:00Z', years: ['2027', '2028'] },
])('a build at $now shows the bank holidays of $years', async ({ now, years }) => {
  const pages = await createPages(await readBuilt(SPEC), Date.parse(now))
  const { text = '' } = pages.find(({ path }) => path === 'guides/bank-holidays.md') ?? {}
  expect(Array.from(text.matchAll(/^## (\d{4})$/gm), ([, year]) => year)).toEqual(years)
})

test('the link of each heading is announced by the words of the heading', () => {
  const heading = /<h[1-6] id="[^"]*"[^>]*>(.*?)<a class="header-anchor"[^>]*aria-label="([^"]*)"/gs
  const wrong: string[] = []
  for (const [name, html] of site.pages) {
    for (const [, content = '', label = ''] of html.matchAll(heading)) {
      const words = content.replaceAll(/<[^>]*>/g, '').trim()
      if (label !== `Permalink to “${words}”`) wrong.push(`${name}: ${label}`)
    }
  }
  expect(wrong).toEqual([])
})

test('no page has a command that a reader does not have', () => {
  const commands = [...site.pages].flatMap(([name, html]) => {
    const found = html.matchAll(/<span class="line">(?:<[^>]+>)*(partner-payments[\w-]*)/g)
    return Array.from(found, ([, command]) => `${name}: ${command}`)
  })
  expect(commands).toEqual([])
})

test('the index of events has every event', async () => {
  const text = await site.read('events/index.md')
  const missing = Object.keys(whole.webhooks).filter((name) => !text.includes(`\`${name}\``))
  expect(missing).toEqual([])
})

test('the changelog has each change of a version once', async () => {
  const text = await site.read('changelog.md')
  expect(text).toContain('## 0.1.0\n\n### ')
  const byHand = text.replaceAll(/^### the contract, for clients\n.*?(?=^###? )/gms, '')
  const changes = byHand.split(/^- /m).slice(1)
  expect(changes.length).toBeGreaterThan(30)
  expect(new Set(changes).size).toBe(changes.length)
})

test.each(guides)(
  '%s shows its samples as the tests run them (vitest -u writes them)',
  async (file) => {
    const text = await withSamples(await guide(file), new URL(file, source), {
      contract: whole,
      behaviour,
    })
    await expect(text).toMatchFileSnapshot(fileURLToPath(new URL(file, source)))
  },
)

test.each(guides)('%s shows every mark that its text asks for', async (file) => {
  const directives = (await guide(file)).matchAll(/\{\{assumption:([\w-]+)\}\}/g)
  const asked = Array.from(directives, ([, id]) => id)

  const html = site.pages.get(`guides/${file.replace('.md', '.html')}`) ?? ''
  const mark =
    /<a class="(?:observed|standard|assumed|open)" href="[./]*\/open-questions\.html#([\w-]+)"><b>/g
  const shown = Array.from(html.matchAll(mark), ([, id]) => id)
  expect(shown).toEqual(asked)
})

test.each(guides)(
  '%s says what is assumed in words, since most readers see a mark as "?"',
  async (file) => {
    expect(await guide(file)).not.toMatch(/\b(is|are|by|on|to)\s+\{\{assumption/)
  },
)

test.each([
  { text: '{{assumption:nowhere}}', name: '"nowhere"' },
  { text: '{{operation:nowhere}}', name: '"nowhere"' },
  { text: '{{nothing:here}}', name: '"nothing"' },
])('a build refuses $text', ({ text, name }) => {
  expect(() => expand(text, { contract, operationPages: new Map(), questions, root: '' })).toThrow(
    name,
  )
})

test('a build names the guide and the line of an event that was renamed, and what to do', async () => {
  const input = await readBuilt(SPEC)
  const renamed = JSON.stringify(input).replaceAll(/\btransfer\.settled\b/g, 'transfer.paid')
  await expect(createPages(JSON.parse(renamed), Date.now())).rejects.toThrow(
    /^docs\/guides\/[\w-]+\.md: line \d+: the contract has no event "transfer\.settled"\. Its events are .*transfer\.paid.*: edit the sentence$/,
  )
})

test('the generated pages follow an event that was renamed', () => {
  const renamed = JSON.parse(
    JSON.stringify(behaviour).replaceAll('transfer.rejected', 'transfer.refused'),
  )
  const pages = [
    errorCatalogue({ behaviour: renamed, facts: [] }),
    testDataPage(inline(whole), renamed).text,
  ]
  for (const text of pages) {
    expect(text).toContain('{{event:transfer.refused}}')
    expect(text).not.toContain('transfer.rejected')
  }
})

test('the token that a newcomer keeps is the one that the mock returns', async () => {
  const { value } = requireComponent(contract, '#/components/examples/partnerTokens')
  const { access_token } = value as { access_token: string }
  expect(await guide('getting-started.md')).toContain(`export ACCESS_TOKEN=${access_token}\n`)
})

test.each([
  { name: 'openapi.json', document: contract },
  { name: 'guide.json', document: shortPaths },
])('$name lies beside the pages, unchanged', async ({ name, document }) => {
  expect(JSON.parse(await site.read(name))).toEqual(document)
})

function linksOf(html: string): string[] {
  const markup = html.replaceAll(/<style>.*?<\/style>|<link [^>]*>/gs, '')
  return Array.from(markup.matchAll(/href="([^"]+)"/g), ([, href = '']) => href)
}

function leadsSomewhere(from: string, link: string): boolean {
  const isExternal = /^https?:/.test(link)
  if (isExternal) return true

  const [address = '', anchor] = link.split('#')
  const [path = ''] = address.split('?')
  const name = fileAt(from, path)
  if (name === 'reference.html' && anchor?.startsWith('/'))
    return inReference.has(`${name}#${anchor}`)
  if (anchor === undefined) return site.files.has(name)
  return site.pages.get(name)?.includes(` id="${decodeURIComponent(anchor)}"`) ?? false
}

/** The file of a path in a page; that of a folder is its index. */
function fileAt(from: string, path: string): string {
  if (path === '') return from
  const absolute = path.startsWith('/') ? path : posix.join('/', posix.dirname(from), path)
  return absolute.slice(1).replace(/(^|\/)$/, '$1index.html')
}

test('the header names the next version until it is released', () => {
  const unreleased =
    '# Changelog\n\n## Unreleased\n\nThe next version is 0.2.0, because it breaks.\n'
  expect(nextVersionIn(unreleased)).toBe('0.2.0')
  expect(nextVersionIn(unreleased.replace('Unreleased', '0.2.0'))).toBeUndefined()
})

test('a mark of an enum says that it holds for all values, and there is none for facts', async () => {
  const pages = await createPages(await readBuilt(SPEC), Date.now())
  const textOf = (path: string) => pages.find((page) => page.path === path)?.text ?? ''
  const transfer = textOf('operations/createTransfer.md')
  expect(transfer).toMatch(/The mark holds for all values: \[assumed: values\]\S+transfer-statuses/)
  expect(textOf('operations/cancelDueDateQrCode.md')).toContain('**200** (a fact) The cancelled')
})

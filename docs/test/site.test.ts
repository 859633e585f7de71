import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { buildDocs } from '../build/buildDocs.ts'
import { eventsOf, operationsOf, referenceLink, resolve } from '../build/contract.ts'
import {
  behaviour,
  contract,
  facts,
  questions,
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
const inReference = new Set([...operationsOf(whole), ...eventsOf(whole)].map(referenceLink))

test('every link of the pages leads to a page, and to an anchor that is there', () => {
  const broken = [...site.pages].flatMap(([name, html]) =>
    linksOf(name, html)
      .filter((link) => !leadsSomewhere(name, link))
      .map((link) => `${name}: ${link}`),
  )
  expect(broken).toEqual([])
})

test('a link to a page or an anchor that is not there is noticed', () => {
  for (const link of [
    'nowhere.html',
    '#nowhere',
    'open-questions.html#nowhere',
    'reference.html#/codes/nowhere',
  ])
    expect(leadsSomewhere('index.html', link)).toBe(false)
})

test('no page loads anything', () => {
  for (const [name, html] of site.pages) {
    const own = name === 'reference.html' ? html.slice(0, html.indexOf('<script')) : html
    expect(own, name).not.toMatch(/\b(src|srcset)="|<link|@import|url\((?!["']?data:)/)
  }
})

test('the open questions page has every entry of the register, with its answer and basis', () => {
  const page = site.pages.get('open-questions.html') ?? ''
  for (const [id, { basis }] of Object.entries(questions))
    expect(page).toContain(`<article class="question" id="${id}" data-basis="${basis}">`)
})

test('every x-guide of the contract leads to a guide, and to a heading of it', () => {
  const named = [...JSON.stringify(contract).matchAll(/"x-guide":"([\w-]+)(?:#([\w-]+))?"/g)]
  expect(named.length).toBeGreaterThan(10)
  for (const [, page, anchor] of named) {
    const html = site.pages.get(`guides/${page}.html`)
    expect(html, page).toContain(anchor ? `id="${anchor}"` : '<h1>')
  }
})

test.each(guides)('%s wears every badge that its text asks for', async (file) => {
  const asked = [...(await guide(file)).matchAll(/\{\{answer:([\w-]+)\}\}/g)].map(([, id]) => id)
  const html = site.pages.get(`guides/${file.replace('.md', '.html')}`) ?? ''
  const worn = [...html.matchAll(/<a class="answer" href="\.\.\/open-questions\.html#([\w-]+)"/g)].map(
    ([, id]) => id,
  )
  expect(worn).toEqual(asked)
})

const rules = (await readdir(new URL('../rules/', import.meta.url))).map((file) => file.replace('.md', ''))

test('every rule has a page that a finding can lead to by its id, and the index names it', () => {
  const index = site.pages.get('rules/index.html') ?? ''
  for (const id of rules) {
    expect(site.pages.get(`rules/${id}.html`), id).toContain(`<h1><code>${id}</code></h1>`)
    expect(index).toContain(`<a class="card" href="${id}.html">`)
  }
})

test('the index leads from a former id to its rule, and the former page is that of the rule', () => {
  const index = site.pages.get('rules/index.html') ?? ''
  const rows = [...index.matchAll(/<tr><td id="([\w-]+)">.*?<a href="([\w-]+)\.html">/g)]
  expect(rows.length).toBeGreaterThan(20)
  for (const [, former, id] of rows)
    expect(site.pages.get(`rules/${former}.html`), former).toBe(site.pages.get(`rules/${id}.html`))
})

test('what a receiver is told names, rule by rule, the answers of ours that it rests on', async () => {
  const text = await guide('receiving-webhooks.md')
  const named = (part = '') => [...part.matchAll(/\{\{answer:([\w-]+)\}\}/g)].map(([, id]) => id)
  const rules = text.split('\n## ').find((section) => section.startsWith('Five rules')) ?? ''
  expect(
    rules
      .split(/^\d\. /m)
      .slice(1)
      .map(named),
  ).toEqual([
    ['signature'],
    ['delivery'],
    ['delivery'],
    ['delivery', 'event-kinds', 'signature'],
    ['secret-rotation'],
  ])
  for (const row of text.split('\n').filter((line) => /^\|.*(whsec_|signs)/.test(line)))
    expect(named(row), row).toEqual(['signature'])
})

test('the token that a newcomer keeps is the one that the mock answers', async () => {
  const { value } = resolve(contract, '#/components/examples/partnerTokens')
  const { access_token } = value as { access_token: string }
  expect(await guide('getting-started.md')).toContain(`export ACCESS_TOKEN=${access_token}\n`)
})

test.each([
  ['openapi.json', contract],
  ['guide.json', shortPaths],
])('%s lies beside the pages, unchanged', async (name, document) => {
  expect(JSON.parse(await readFile(join(site.out, name), 'utf8'))).toEqual(document)
})

test('a build that fails leaves the last good one in place', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docs-'))
  await writeFile(join(folder, 'index.html'), 'the last good one')
  const { signature: _, ...incomplete } = questions
  await expect(
    buildDocs({ contract, guide: shortPaths, questions: incomplete, behaviour, facts, out: folder }),
  ).rejects.toThrow('"signature"')
  expect(await readFile(join(folder, 'index.html'), 'utf8')).toBe('the last good one')
  await rm(folder, { recursive: true })
})

/** The reference is a program: its links are those of the bar above it. */
function linksOf(name: string, html: string): string[] {
  const text =
    name === 'reference.html' ? html.slice(html.indexOf('<body'), html.indexOf('<div id="redoc"')) : html
  const markup = text.replace(/<style>.*?<\/style>/s, '')
  return [...markup.matchAll(/href="([^"]+)"/g)].flatMap(([, href]) => (href ? [href] : []))
}

function leadsSomewhere(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path ? posix.join(posix.dirname(from), path) : from
  if (target === 'reference.html') return anchor === undefined || inReference.has(`${target}#${anchor}`)
  if (target === 'openapi.json' || target === 'guide.json') return anchor === undefined
  const page = site.pages.get(target)
  return page !== undefined && (anchor === undefined || page.includes(` id="${anchor}"`))
}

import type { DefaultTheme } from 'vitepress'
import type { Page } from '../build/pages.ts'
import { base } from './address.ts'
import { site } from './site-data.ts'

// Pages come with their titles, groups and order: guides with those of docs/navigation.yaml, operations with those of
// the contract, and rules in the order of home/rules.md.

interface Link {
  readonly text: string
  readonly link: string
}

interface Group {
  readonly text: string
  readonly items: DefaultTheme.SidebarItem[]
}

const OPERATIONS = linkPage('operations/index.md')
// The page is called “All events”, as it is among them.
const EVENTS = { ...linkPage('events/index.md'), text: 'Events' }
const ERRORS = linkPage('behaviour/errors.md')
const FIELDS = linkPage('fields.md')
const QUESTIONS = linkPage('open-questions.md')
const RULES = linkPage('rules/index.md')

/** The sidebar of the guides. */
const GUIDES: Group[] = [
  ...groupPages('guides').map(addRules),
  { text: 'Contract', items: [OPERATIONS, EVENTS, ERRORS, QUESTIONS] },
]

/** The sidebar of what the contract makes. */
const REFERENCE: Group[] = [
  { text: 'Reference', items: [OPERATIONS, FIELDS, QUESTIONS] },
  ...groupPages('operations'),
  { text: 'Events', items: linkSection('events') },
  { text: 'Resources', items: linkSection('resources') },
  { text: 'Errors', items: linkSection('errors') },
]

/** By the beginnings of the paths that have it. */
export const sidebar: DefaultTheme.SidebarMulti = {
  '/guides/': GUIDES,
  '/operations/': REFERENCE,
  '/events/': REFERENCE,
  '/fields': REFERENCE,
  '/behaviour/': REFERENCE,
  '/open-questions': REFERENCE,
  '/rules/': GUIDES,
}

/** Behind the version of the header, which takes HTML. Where the header is narrow, it says less. */
const UNRELEASED = '<span class="unreleased">, not released</span>'

/** The header of all pages. */
export const nav: DefaultTheme.NavItem[] = [
  { text: 'Guides', link: '/guides/getting-started', activeMatch: '/guides/' },
  {
    text: 'Reference',
    activeMatch: '/operations/|/events/|/fields|/behaviour/|/rules/',
    items: [
      OPERATIONS,
      EVENTS,
      FIELDS,
      ERRORS,
      { text: 'Resources', link: '/operations/#resources' },
      QUESTIONS,
      RULES,
      { text: 'openapi.json', link: `${base}openapi.json`, target: '_self' },
      { text: 'openapi.yaml', link: `${base}openapi.yaml`, target: '_self' },
    ],
  },
  // VitePress would mark it by the hash, which only the browser knows.
  { text: 'Try it', link: '/operations/createTransfer#try-it', activeMatch: '^try' },
  { text: 'Sandbox', link: '/sandbox.html', target: '_self' },
  {
    text: site.nextVersion ? `${site.nextVersion}${UNRELEASED}` : `v${site.version}`,
    items: [
      { text: 'Changelog', link: '/changelog' },
      { text: 'Upgrading', link: '/guides/upgrading' },
    ],
  },
]

/** Adds the rules of the checker to the group of its guide. */
function addRules({ text, items }: Group): Group {
  const hasChecker = items.some(({ link }) => link === '/guides/checking-a-service')
  return { text, items: hasChecker ? [...items, foldRules()] : items }
}

/** The index of the rules, with the pages of their subjects folded below it. */
function foldRules(): DefaultTheme.SidebarItem {
  const items = linkSection('rules').filter(({ link }) => link !== RULES.link)
  return { ...RULES, collapsed: true, items }
}

/** The pages of a section, by their groups. */
function groupPages(section: string): Group[] {
  const groups = Object.groupBy(selectPages(section), ({ group = '' }) => group)
  return Object.entries(groups).map(([text, pages = []]) => ({
    text,
    items: pages.map(createLink),
  }))
}

function linkSection(section: string): Link[] {
  return selectPages(section).map(createLink)
}

function selectPages(name: string) {
  return site.pages.filter(({ section }) => section === name)
}

function linkPage(path: string): Link {
  const page = site.pages.find((candidate) => candidate.path === path)
  if (!page) throw new Error(`${path} is no page of the site`)
  return createLink(page)
}

function createLink({ title, path }: Pick<Page, 'title' | 'path'>): Link {
  return { text: title, link: `/${path.replace(/(index)?\.md$/, '')}` }
}

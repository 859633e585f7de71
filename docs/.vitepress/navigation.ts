import type { DefaultTheme } from 'vitepress'
import type { Page } from '../build/pages.ts'
import { base } from './address.ts'
import { site } from './site-data.ts'

// A page has its title itself, and docs/navigation.yaml has the groups and the order of the guides. Operations have the
// groups and the order of the contract, and rules the order of home/rules.md.

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
  ...Object.entries(site.guideGroups).map(createGuideGroup),
  { text: 'Contract', items: [OPERATIONS, EVENTS, ERRORS, QUESTIONS] },
]

/** The sidebar of what the contract makes. */
const REFERENCE: Group[] = [
  { text: 'Reference', items: [OPERATIONS, FIELDS, QUESTIONS] },
  ...groupOperations(),
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

/** A group of guides. The rules of the checker stand in the group of its guide. */
function createGuideGroup([text, names]: [string, readonly string[]]): Group {
  const items = names.map((name) => linkPage(`guides/${name}.md`))
  return { text, items: names.includes('checking-a-service') ? [...items, foldRules()] : items }
}

/** The index of the rules, with the pages of their subjects folded below it. */
function foldRules(): DefaultTheme.SidebarItem {
  const items = linkSection('rules').filter(({ link }) => link !== RULES.link)
  return { ...RULES, collapsed: true, items }
}

/** The operations by the tags of the contract. */
function groupOperations(): Group[] {
  const groups = Object.groupBy(selectPages('operations'), ({ group = '' }) => group)
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

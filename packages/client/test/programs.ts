import { readFileSync } from 'node:fs'

const PAGES = [
  '../../../README.md',
  '../README.md',
  '../../../docs/guides/using-the-client.md',
  '../../../docs/guides/paying-a-code.md',
]

/** The page that continues the first program of another one. */
const CONTINUED = '../../../docs/guides/client.md'
const FIRST = '../../../docs/guides/using-the-client.md'

export function readPage(page: string): string {
  return readFileSync(new URL(page, import.meta.url), 'utf8')
}

/** The code blocks of each page. Each block starts with what the first one declares for all. */
export const programs = new Map(PAGES.map((page) => [page, programsOf(readPage(page))]))
programs.set(CONTINUED, continuedPrograms())

function programsOf(text: string): string[] {
  const [first = '', ...others] = blocksOf(text)
  const start = startOf(first)
  return [first, ...others.map((block) => withStart(start, block))]
}

function continuedPrograms(): string[] {
  const [first = ''] = blocksOf(readPage(FIRST))
  // Below that heading are files of their own, which other tests run.
  const [continued = ''] = readPage(CONTINUED).split('\n## Another client\n')
  return blocksOf(continued).map((block) => withStart(startOf(first), block))
}

function blocksOf(text: string): string[] {
  return Array.from(text.matchAll(/```ts\n(.*?)```/gs), ([, block = '']) => block)
}

/** What the first program of a page declares for all of its programs. */
function startOf(first: string): string {
  const start = first.match(/^const (baseUrl|auth|api|payments) = .*\n/gm) ?? []
  if (start.length === 0) throw new Error('the first program does not create a client')
  return start.join('')
}

/** Imports what the start needs and the block does not import. */
function withStart(start: string, block: string): string {
  const names: string[] = []
  for (const name of ['createClient', 'createPayments']) {
    const isImported = new RegExp(`import \\{[^}]*\\b${name}\\b`).test(block)
    if (start.includes(name) && !isImported) names.push(name)
  }
  return `import { ${names.join(', ')} } from '@partner-payments/client'\n${start}${block}`
}

import { readFileSync } from 'node:fs'

const PAGES = [
  '../../../README.md',
  '../README.md',
  '../../../docs/guides/using-the-client.md',
  '../../../docs/guides/client.md',
  '../../../docs/guides/paying-a-code.md',
]

export function readPage(page: string): string {
  return readFileSync(new URL(page, import.meta.url), 'utf8')
}

/** The code blocks of each page. Each block starts with what the first one declares for all. */
export const programs = new Map(PAGES.map((page) => [page, programsOf(readPage(page))]))

function programsOf(text: string): string[] {
  const matches = [...text.matchAll(/```ts\n(.*?)```/gs)]
  const blocks = matches.map(([, block = '']) => block)
  const [first = '', ...others] = blocks
  const start = first.match(/^const (baseUrl|auth|api|payments) = .*\n/gm) ?? []
  if (start.length === 0) throw new Error('the first program does not create a client')
  return [first, ...others.map((block) => withStart(start.join(''), block))]
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

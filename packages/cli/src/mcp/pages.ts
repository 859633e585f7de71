import { existsSync, readFileSync } from 'node:fs'
import { CliError } from '../errors.ts'
import { MAX_RESULT, stringOf, type Tool } from './tool.ts'

/** The docs as `scripts/emit.ts` packs them, or in a clone, as they were built last. */
const PACKED = new URL('./docs/', import.meta.url)
const FOLDER = existsSync(PACKED) ? PACKED : new URL('../../../../docs/dist/', import.meta.url)

/** Maximum number of pages that a search returns. */
const MAX_FOUND = 20

export const searchPages: Tool = {
  description:
    'Search the docs. Returns the paths, titles and summaries of pages that have all words.',
  inputSchema: { type: 'object', properties: { words: { type: 'string' } }, required: ['words'] },
  annotations: { readOnlyHint: true },
  async call(args) {
    const words = stringOf(args, 'words').toLowerCase().split(/\s+/)
    const hasAll = (text: string) => words.every((word) => text.includes(word))
    const hitsIn = (text: string) =>
      words.reduce((sum, word) => sum + text.split(word).length - 1, 0)
    const found = pages().flatMap(([path, line]) => {
      const text = `${line} ${read(path)}`.toLowerCase()
      return hasAll(text) ? { line, inLine: hitsIn(line.toLowerCase()), hits: hitsIn(text) } : []
    })
    // Pages with the words in their title or summary come first.
    found.sort((a, b) => b.inLine - a.inLine || b.hits - a.hits)
    const lines = found.slice(0, MAX_FOUND).map(({ line }) => line)
    return lines.join('\n') || 'No page has all of these words.'
  },
}

export const readPage: Tool = {
  description:
    'Read a page of the docs as Markdown, by a path that search_pages returned, such as guides/errors.md.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, offset: { type: 'integer', minimum: 0, default: 0 } },
    required: ['path'],
  },
  annotations: { readOnlyHint: true },
  async call({ offset = 0, ...args }) {
    const given = stringOf(args, 'path')
    const path = given.endsWith('.md') ? given : `${given}.md`
    if (!pages().some(([known]) => known === path))
      throw new CliError(`There is no page "${given}". Find pages with search_pages.`)
    const text = read(path)
    const end = Number(offset) + MAX_RESULT - 100
    const more =
      end < text.length
        ? `\n\n[Continue with the offset ${end}; the page has ${text.length} characters.]`
        : ''
    return text.slice(Number(offset), end) + more
  },
}

/** The path of each page, and its line in the list of the site. */
function pages(): [path: string, line: string][] {
  const lines = read('llms.txt').matchAll(/^- \[.*?\]\(([\w/-]+\.md)\): .*$/gm)
  return [...lines].map(([line, path = '']) => [path, line])
}

function read(path: string): string {
  try {
    return readFileSync(new URL(path, FOLDER), 'utf8')
  } catch (cause) {
    throw new CliError('The docs are not built. In a clone, run `npx -y pnpm@12 build`.', { cause })
  }
}

import { existsSync, readFileSync } from 'node:fs'
import { CliError } from '../errors.ts'
import { type Arguments, MAX_RESULT, requireString, type Tool } from './tool.ts'

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
  /** Returns the index lines of the pages that have all of the words, the best ones first. */
  async call(args) {
    const words = readWords(requireString(args, 'words'))
    const matches = findMatches(words)
    if (matches.length === 0) return 'No page has all of these words.'

    const best = matches.sort(compareMatches).slice(0, MAX_FOUND)
    return best.map(({ line }) => line).join('\n')
  },
}

/** The pages that have all of the words, in lower case. */
function findMatches(words: readonly string[]): Match[] {
  const matches: Match[] = []
  for (const { path, line } of listPages()) {
    const text = `${line} ${read(path)}`.toLowerCase()
    const hasAll = words.every((word) => text.includes(word))
    if (!hasAll) continue
    const hitsInLine = countHits(line.toLowerCase(), words)
    matches.push({ line, hitsInLine, hits: countHits(text, words) })
  }
  return matches
}

/** Pages with the words in their title or summary come first. */
function compareMatches(one: Match, other: Match): number {
  if (one.hitsInLine !== other.hitsInLine) return other.hitsInLine - one.hitsInLine
  return other.hits - one.hits
}

/** Different words of a search. Each is looked for in every page. */
const MAX_WORDS = 20
/** Characters of a search. */
const MAX_CHARACTERS = 1_000

/**
 * The words of a search, in lower case, each once.
 *
 * @throws {CliError} if they are too many
 */
function readWords(text: string): string[] {
  if (text.length > MAX_CHARACTERS)
    throw new CliError(
      `"words" may have ${MAX_CHARACTERS} characters, got ${text.length}. Search for a few words.`,
    )
  const words = new Set(text.toLowerCase().trim().split(/\s+/))
  if (words.size > MAX_WORDS)
    throw new CliError(`"words" may have ${MAX_WORDS} words, got ${words.size}. Search for a few.`)
  return [...words]
}

/** A page that has all words, with its line in the index, and how often they occur. */
interface Match {
  readonly line: string
  readonly hitsInLine: number
  readonly hits: number
}

function countHits(text: string, words: readonly string[]): number {
  return words.reduce((sum, word) => sum + text.split(word).length - 1, 0)
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
  /**
   * Returns the text of a page from an offset on. Of a long page, it is a part, which ends with the
   * next offset.
   */
  async call(args) {
    const name = requireString(args, 'path')
    const path = name.endsWith('.md') ? name : `${name}.md`
    const isPage = listPages().some((page) => page.path === path)
    if (!isPage) throw new CliError(`There is no page "${name}". Find pages with search_pages.`)

    const text = read(path)
    const start = readOffset(args, text)
    const end = start + MAX_RESULT - ROOM_FOR_HINT
    const part = text.slice(start, end)
    if (end >= text.length) return part
    return `${part}\n\n[Continue with the offset ${end}; the page has ${text.length} characters.]`
  },
}

/**
 * The offset in a page from which on it is read, by default its start.
 *
 * @throws {CliError} if there is nothing to read from it on
 */
function readOffset({ offset = 0 }: Arguments, text: string): number {
  const isInteger = typeof offset === 'number' && Number.isInteger(offset)
  if (isInteger && offset >= 0 && offset < text.length) return offset
  throw new CliError(
    `"offset" must be an integer from 0 to ${text.length - 1}, got ${JSON.stringify(offset)}.`,
  )
}

/** Characters of a result that are kept for how to read on. */
const ROOM_FOR_HINT = 100

interface Page {
  readonly path: string
  /** Its line in the list of the site. */
  readonly line: string
}

function listPages(): Page[] {
  const lines = read('llms.txt').matchAll(/^- \[.*?\]\(([\w/-]+\.md)\): .*$/gm)
  return [...lines].map(([line, path = '']) => ({ path, line }))
}

/** The text of a page. Throws a CliError if the docs were not built. */
function read(path: string): string {
  try {
    return readFileSync(new URL(path, FOLDER), 'utf8')
  } catch (cause) {
    throw new CliError('The docs are not built. In a clone, run `npx -y pnpm@12 build`.', { cause })
  }
}

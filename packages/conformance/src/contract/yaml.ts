import { LineCounter, parseDocument } from 'yaml'
import { hasRepeatedField, isTooDeep, parsedJson } from './json.ts'

export type ParsedFile = { readonly value: unknown } | { readonly problem: string }

/**
 * Parses YAML or JSON of a file that a user names. A problem says where it is and never what stands
 * there: the file may be another one than the user meant, such as one with secrets.
 */
export function parsedYaml(text: string): ParsedFile {
  // The parser compares each name of an object with all others, and reads on in what is too deep.
  const json = parsedJson(text)
  if (json !== undefined && !hasRepeatedField(text)) return { value: json }
  if (isTooDeep(text, MOST_LEVELS)) return { problem: 'it is nested too deeply' }

  const lines = new LineCounter()
  // By default, warnings are printed, and quote the file.
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent' })
  const [error] = document.errors
  if (error) {
    const { line, col } = lines.linePos(error.pos[0])
    return { problem: `line ${line}, column ${col}: ${wordsOf(error.code)}` }
  }

  try {
    return { value: document.toJS() as unknown }
  } catch {
    return { problem: 'an alias in it has no anchor, or there are too many' }
  }
}

/** Levels of arrays and objects. Quotes and brackets of plain text may count as some. */
const MOST_LEVELS = 2_000

/** The code of an error as words: `BAD_INDENT` is "bad indent". */
function wordsOf(code: string): string {
  return code.toLowerCase().replaceAll('_', ' ')
}

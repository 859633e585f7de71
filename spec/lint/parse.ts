import { Alias, isNode, visit, type YAMLParseError } from 'yaml'
import { findBadAlias, findDeepPlace } from './excess.ts'
import { allFiles, openFile, readText, type SourceFile } from './files.ts'
import type { Located } from './places.ts'
import { didYouMean } from './suggest.ts'

const INDENT =
  'All keys of an object must start at the same column; indent the line like its neighbours.'

const EMPTY = 'The file is empty; write its first key, or delete the file.'

/** What the parser says by its codes, with what to do. */
const SENTENCES: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'Tabs must not indent YAML; use spaces.',
  BAD_INDENT: INDENT,
  BLOCK_AS_IMPLICIT_KEY: 'A value with a colon and a space must be in quotes; quote it.',
  MULTILINE_IMPLICIT_KEY: INDENT,
}

/**
 * The first error of each file that is not YAML, is empty or nested too deeply, or has an alias that
 * cannot be written out. Later errors of a file often follow from its first one.
 */
export function parseFaults(spec: string): Located[] {
  const faults: Located[] = []
  for (const name of allFiles(spec)) {
    // Before it is parsed, since the parser fails on a text that is too deep.
    const fault = depthFault(name, readText(spec, name)) ?? firstFault(openFile(spec, name))
    if (fault) faults.push(fault)
  }
  return faults
}

/** The first fault of one file; undefined if it is YAML, not empty, and its aliases can be written out. */
function firstFault(file: SourceFile): Located | undefined {
  const { errors, contents } = file.document
  const [firstError] = errors
  if (firstError) return errorFault(file, firstError)
  if (contents === null) return { file: file.name, line: 1, col: 1, message: EMPTY }
  return aliasFault(file) ?? excessFault(file)
}

/** The fault of a text that is nested too deeply for all that reads it. */
function depthFault(file: string, text: string): Located | undefined {
  const place = findDeepPlace(text)
  if (!place) return undefined

  const message =
    'The file is nested more than 100 levels deep here; give the inner parts names, and refer to them.'
  return { file, ...place, message }
}

/** The fault of an alias that stands inside of what it names, or that makes the file too large. */
function excessFault(file: SourceFile): Located | undefined {
  const bad = findBadAlias(file)
  if (!bad) return undefined

  const { alias, isInItself } = bad
  const message = isInItself
    ? `The alias "${alias.source}" stands inside of what it names; refer to it by "$ref", or remove it.`
    : `With "${alias.source}" and the other aliases written out, the file is too large; write aliases of smaller parts.`
  return aliasAt(file, alias, message)
}

function aliasAt(file: SourceFile, { range }: Alias, message: string): Located {
  return { file: file.name, ...file.lines.linePos(range?.[0] ?? 0), message }
}

/** The fault of a syntax error, at the line that a person has to change. */
function errorFault(file: SourceFile, error: YAMLParseError): Located {
  const indented = indentedLine(file, error)
  if (indented) return { file: file.name, ...indented, message: INDENT }

  const position = file.lines.linePos(error.pos[0])
  return { file: file.name, ...position, message: describeError(file, error) }
}

/**
 * Where the line begins that is indented too far, if the error comes from one; else undefined. YAML
 * reads these two lines as one key, `string format`, and complains that a key has two lines:
 *
 *     type: string
 *       format: date
 */
function indentedLine(file: SourceFile, { code }: YAMLParseError) {
  if (code !== 'BLOCK_AS_IMPLICIT_KEY') return undefined
  const multiline = file.document.errors.find((error) => error.code === 'MULTILINE_IMPLICIT_KEY')
  if (!multiline) return undefined

  // The key ends in the line that is indented too far.
  const [, end] = multiline.pos
  const { line } = file.lines.linePos(end)
  const text = file.text.split('\n')[line - 1] ?? ''
  const indentation = text.search(/\S/)
  return { line, col: indentation + 1 }
}

/** The message about a syntax error of YAML, with what to do. */
function describeError(file: SourceFile, { code, message, pos }: YAMLParseError): string {
  if (code === 'DUPLICATE_KEY') {
    const [key = ''] = file.text.slice(pos[0]).split(/[:\n]/, 1)
    return `The key "${key}" is there twice; remove one of them.`
  }

  const [sentence = ''] = message.split(/ at line \d+/, 1)
  if (sentence.startsWith('Missing closing')) return 'A quoted string has no end; close its quote.'
  if (sentence.startsWith('Flow map')) return 'The { above has no end; close it with a }.'
  if (sentence.startsWith('Flow sequence')) return 'The [ above has no end; close it with a ].'
  return SENTENCES[code] ?? `${sentence}; correct the YAML.`
}

/** The fault of the first alias (`*name`) that names no anchor (`&name`) above it. */
function aliasFault(file: SourceFile): Located | undefined {
  const anchors: string[] = []
  let fault: Located | undefined
  visit(file.document, (_, node) => {
    if (isNode(node) && 'anchor' in node && node.anchor) anchors.push(node.anchor)

    const hasNoAnchor = node instanceof Alias && !anchors.includes(node.source)
    if (!hasNoAnchor) return undefined

    const next = didYouMean(node.source, anchors, '; write the anchor first.')
    fault = aliasAt(file, node, `No anchor above is named "${node.source}"${next}`)
    return visit.BREAK
  })
  return fault
}

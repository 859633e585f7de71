import { stringify } from 'yaml'
import { isNode, type Node } from '../lint/marks.ts'
import { MAX_LINE } from '../lint/style.ts'
import type { LocatedNode } from './yaml-nodes.ts'

/** Whether a node stands in a flow collection, where commas and brackets mean something. */
export function isInFlow({ map, node }: LocatedNode): boolean {
  return map?.flow === true || node.flow === true
}

/**
 * A value as YAML in one line, with spaces in braces and none in brackets, as in the files.
 *
 * @param isFlow Whether the line is within brackets or braces, where commas end a value.
 */
export function writeInLine(value: unknown, isFlow: boolean): string {
  if (Array.isArray(value)) return `[${value.map((item) => writeInLine(item, true)).join(', ')}]`
  if (isNode(value)) return writeInBraces(value)
  // A parser of YAML 1.1 takes it for a date.
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)) return `'${value}'`
  return writeScalar(value, isFlow)
}

/** A string, number, boolean or null as YAML in one line, with quotes if it needs them. */
function writeScalar(value: unknown, isFlow: boolean): string {
  if (typeof value === 'string' && !isFlow)
    return stringify(value, { singleQuote: true, lineWidth: 0 }).trimEnd()

  // The library writes it as the only item of a list, so that it gets the quotes that it needs beside
  // commas and brackets. Then the brackets are cut off.
  const options = { collectionStyle: 'flow', singleQuote: true, lineWidth: 0 } as const
  const list = stringify([value], options).trim()
  return list.slice(1, -1).trim()
}

/** A map as YAML in one line: `{ name: value }`. */
function writeInBraces(map: Node): string {
  const entries = Object.entries(map).map(([name, value]) => {
    // The register writes its days without quotes.
    const text = typeof value === 'string' ? writeScalar(value, true) : writeInLine(value, true)
    return `${writeScalar(name, true)}: ${text}`
  })
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

interface KeyPosition {
  /** How many characters the line has up to the value, with the space before that. */
  readonly column: number
  /** The spaces before the key. */
  readonly indent: number
}

/**
 * A value as YAML behind its key: in the line of the key if it fits there, or else in lines of its
 * own below it.
 */
export function writeBehindKey(value: unknown, { column, indent }: KeyPosition): string {
  const line = writeInLine(value, false)
  const isLong = column + line.length > MAX_LINE
  if (!isLong) return ` ${line}`

  if (Array.isArray(value) && value.length > 0) return `\n${writeLines(value, indent)}`
  if (isNode(value) && Object.keys(value).length > 0) return `\n${writeEntries(value, indent + 2)}`
  if (typeof value === 'string') return writeLongString(value, indent + 2)
  return ` ${line}`
}

/** Each key of a map with its value, on lines of their own. */
function writeEntries(map: Node, indent: number): string {
  const entries = Object.entries(map).map(([name, value]) => {
    const start = `${' '.repeat(indent)}${writeInLine(name, true)}:`
    return start + writeBehindKey(value, { column: start.length + 1, indent })
  })
  return entries.join('\n')
}

/** A string in several lines: a sentence is folded, and any other one is broken between quotes. */
function writeLongString(value: string, indent: number): string {
  const margin = ' '.repeat(indent)
  const isSentence = /^\S+( \S+)+$/.test(value)
  if (isSentence) return ` >-\n${breakLine(margin + value)}`

  const options = {
    defaultStringType: 'QUOTE_DOUBLE',
    lineWidth: MAX_LINE - indent,
    minContentWidth: 0,
  } as const
  // The library indents the lines after the first in its own way.
  return `\n${stringify(value, options).trimEnd().replaceAll(/^ */gm, margin)}`
}

/** A value as YAML in lines of its own, below a key whose line has this indent. */
export function writeLines(value: unknown, indent: number): string {
  const lines = stringify(value, { singleQuote: true, lineWidth: 100 }).trimEnd()
  return lines.replaceAll(/^/gm, ' '.repeat(indent + 2))
}

/** Breaks the long lines of a folded string, where a line break is a space. Others stay as they are. */
export function breakLongLines(text: string): string {
  const isFolded = text.startsWith('>')
  return isFolded ? text.split('\n').map(breakLine).join('\n') : text
}

/** A line broken at spaces into lines that are short enough, all with its indentation. */
function breakLine(line: string): string {
  const [indent = ''] = /^ */.exec(line) ?? []
  const lastSpace = line.lastIndexOf(' ', MAX_LINE)
  const isBreakable = line.length > MAX_LINE && lastSpace > indent.length
  if (!isBreakable) return line
  return `${line.slice(0, lastSpace)}\n${breakLine(indent + line.slice(lastSpace + 1))}`
}

/**
 * Which characters of the file to remove with a key, as `[start, end]` (without `end`): whole
 * lines, or in a flow map (`{ a: 1 }`) the entry with its comma. Of a key behind a dash (`- a: 1`), the
 * dash stays, for the key below it.
 */
export function findExtent(text: string, { pair, map, node }: LocatedNode): [number, number] {
  const start = pair?.key.range?.[0] ?? node.range[0]
  const end = pair?.value?.range[1] ?? node.range[1]
  if (map?.flow) return extendToComma(text, start, end)

  const startOfNextKey = map?.items[1]?.key.range?.[0]
  const isBehindDash = pair !== undefined && hasDashBefore(text, start)
  if (isBehindDash && startOfNextKey !== undefined) return [start, startOfNextKey]

  return extendToLines(text, start, end)
}

/** Whether a line begins with the dash of a list item up to an offset: `  - a: 1`, up to `a`. */
function hasDashBefore(text: string, offset: number): boolean {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  return text.slice(lineStart, offset).trimStart().startsWith('-')
}

/**
 * Characters of a text (`start` to `end`) with the comma after them, or else the one before: what has
 * to go if an entry within braces goes.
 */
function extendToComma(text: string, start: number, end: number): [number, number] {
  const [commaAfter] = /^\s*,\s*/.exec(text.slice(end)) ?? []
  if (commaAfter !== undefined) return [start, end + commaAfter.length]

  const [commaBefore = ''] = /,\s*$/.exec(text.slice(0, start)) ?? []
  return [start - commaBefore.length, end]
}

/** Characters of a text (`start` to `end`) with the rest of the lines that they are in. */
function extendToLines(text: string, start: number, end: number): [number, number] {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const endsWithLine = text.slice(0, end).endsWith('\n')
  if (endsWithLine) return [lineStart, end]

  const lineEnd = text.indexOf('\n', end)
  return [lineStart, lineEnd === -1 ? text.length : lineEnd + 1]
}

/** How many characters stand before an offset in its line. */
export function countColumn(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1)
}

/** Whether a line that some characters of a text are in is too long. */
export function hasLongLine(text: string, start: number, end: number): boolean {
  const [from, to] = extendToLines(text, start, end)
  return text
    .slice(from, to)
    .split('\n')
    .some((line) => line.length > MAX_LINE)
}

import { type Alias, isAlias, isCollection, isNode, isPair, type Node } from 'yaml'
import type { SourceFile } from './files.ts'
import type { Located } from './places.ts'

/** A file is nested about 25 levels deep, and a schema in the bundle 50. Recursive functions go through 100. */
const MAX_LEVELS = 100

/**
 * Finds where the text of a file is nested too deeply: at the first bracket, or in the first line, that is. Undefined
 * if nothing is. The parser itself fails on a text with thousands of levels.
 */
export function findDeepPlace(text: string): Pick<Located, 'line' | 'col'> | undefined {
  // The columns of the lines around a line: of `a:\n  b:\n    c: 1`, they are 0, 2 and 4 in the last line.
  const columns: number[] = []
  let brackets = 0
  for (const [index, line] of text.split('\n').entries()) {
    const column = line.search(/[^\s-]/)
    if (column >= 0) {
      while ((columns.at(-1) ?? -1) >= column) columns.pop()
      columns.push(column)
      // A line at the margin begins a new key, so that brackets in sentences before it are no levels.
      if (column === 0) brackets = 0
    }
    if (columns.length > MAX_LEVELS) return { line: index + 1, col: column + 1 }

    for (let i = 0; i < line.length; i++) {
      const character = line[i]
      if (character === '[' || character === '{') brackets++
      if ((character === ']' || character === '}') && brackets > 0) brackets--
      if (brackets > MAX_LEVELS) return { line: index + 1, col: i + 1 }
    }
  }
  return undefined
}

/** Nodes of a file with all of its aliases written out. The largest file has 5,000. */
const MAX_NODES = 100_000

/** An alias that cannot be written out, and why. */
interface BadAlias {
  readonly alias: Alias
  readonly isInItself: boolean
}

/**
 * Finds the first alias (`*name`) that stands inside of what it names, or that makes a file too large: ten lines of
 * nine aliases each, of the line before, have a billion nodes.
 */
export function findBadAlias({ document }: SourceFile): BadAlias | undefined {
  const anchored = new Map<string, Node>()
  const open = new Set<Node>()
  /** How many nodes each anchored one has, with its aliases written out. */
  const sizes = new Map<Node, number>()
  /** How many nodes were read so far, with their aliases written out. */
  let total = 0
  let badAlias: BadAlias | undefined

  /** Reads a node in the order of the text, so that what an alias names was read before. */
  function read(node: unknown): void {
    if (badAlias) return

    if (isPair(node)) {
      read(node.key)
      read(node.value)
    } else if (isAlias(node)) readAlias(node)
    else if (isNode(node)) readNode(node)
  }

  function readNode(node: Node): void {
    const { anchor } = node as { readonly anchor?: string }
    if (anchor) anchored.set(anchor, node)

    const before = total
    total++
    open.add(node)
    if (isCollection(node)) node.items.forEach(read)
    open.delete(node)
    sizes.set(node, total - before)
  }

  function readAlias(alias: Alias): void {
    const target = anchored.get(alias.source)
    if (!target) return

    const isInItself = open.has(target)
    total += sizes.get(target) ?? 0
    if (isInItself || total > MAX_NODES) badAlias = { alias, isInItself }
  }

  read(document.contents)
  return badAlias
}

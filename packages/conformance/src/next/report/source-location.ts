import { stepsOf } from '@partner-payments/validator'
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'

/** A line in a file of the contract. */
export interface Location {
  /** Relative path, with slashes. */
  readonly file: string
  /** From 1. */
  readonly line: number
}

/** The source location of a JSON pointer (RFC 6901); undefined if it is unknown. */
export type Locate = (pointer: string) => Location | undefined

/**
 * Locates nodes of a bundled contract in its source files.
 *
 * @param sources Pointer -> `file:line`, such as `@partner-payments/spec/sources.json`.
 * @param folder Put before each file: where the reader finds the contract, such as `spec`.
 *
 * @example
 * locateBySources({ '/info': 'openapi.yaml:2' }, 'spec')('/info/nothing') // { file: 'spec/openapi.yaml', line: 2 }
 */
export function locateBySources(sources: Readonly<Record<string, string>>, folder = ''): Locate {
  return (pointer) => {
    const [, file, line] = nearest(sources, pointer)?.match(/^(.+):(\d+)$/) ?? []
    return file && line ? { file: folder ? `${folder}/${file}` : file, line: Number(line) } : undefined
  }
}

/**
 * Locates nodes in a single YAML or JSON file. A missing node has the line of its nearest ancestor.
 *
 * @param file The name to show. @param text What is in it.
 */
export function locateInFile(file: string, text: string): Locate {
  let read: { readonly document: Document; readonly lines: LineCounter } | undefined
  return (pointer) => {
    // Parsing takes much memory, and a run without findings needs no locations.
    read ??= documentOf(text)
    const { document, lines } = read
    let place = { node: document.contents as unknown, offset: 0 }
    for (const step of stepsOf(pointer)) {
      const node = isAlias(place.node) ? place.node.resolve(document) : place.node
      const next = childOf(node, step)
      if (!next) break
      place = { node: next.node, offset: next.from.range?.[0] ?? place.offset }
    }
    return { file, line: lines.linePos(place.offset).line }
  }
}

function documentOf(text: string) {
  const lines = new LineCounter()
  return { document: parseDocument(text, { lineCounter: lines }), lines }
}

/** A child, and the node with its line: the key of a property, or the item itself. */
function childOf(node: unknown, step: string): { node: unknown; from: Node } | undefined {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === step)
    return pair && { node: pair.value, from: pair.key as Node }
  }
  const item = isSeq(node) ? (node.items[Number(step)] as Node | undefined) : undefined
  return item && { node: item, from: item }
}

function nearest(sources: Readonly<Record<string, string>>, pointer: string): string | undefined {
  if (Object.hasOwn(sources, pointer)) return sources[pointer]
  return pointer === '' ? undefined : nearest(sources, pointer.slice(0, pointer.lastIndexOf('/')))
}

/** `file:line` of a JSON pointer; undefined if it is unknown. */
export function placeOf(pointer: string, locate: Locate | undefined): string | undefined {
  const at = locate?.(pointer)
  return at && `${at.file}:${at.line}`
}

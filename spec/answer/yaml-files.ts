import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stepsOf } from '@partner-payments/contract'
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  parse,
  parseDocument,
  type Scalar,
  stringify,
  visit,
  type YAMLMap,
} from 'yaml'

/** A node of a YAML file, by its keys and indexes. */
export interface Place {
  readonly file: string
  readonly path: readonly string[]
}

/** A node with what holds it. */
interface Found {
  readonly file: string
  readonly text: string
  readonly document: Document
  readonly node: Ranged
  readonly pair: Pair<Scalar, Ranged> | undefined
  readonly map: YAMLMap<Scalar, Ranged> | undefined
  /** How many steps lead to the first node that stands elsewhere too; undefined if none does. */
  readonly sharedAt: number | undefined
}

type Ranged = Scalar & { readonly range: [number, number, number]; readonly flow?: boolean }

/** The files with components of their own. */
const ROOTS = ['openapi.yaml', 'guide.yaml']

export type YamlFiles = ReturnType<typeof openYamlFiles>

/**
 * The YAML files of a contract. An edit replaces the characters of one node, so that comments,
 * order and notation of everything else stay as they are.
 */
export function openYamlFiles(spec: string) {
  const documents = new Map<string, Document>()
  const components = componentPlaces(spec)

  function textOf(file: string): string {
    return readFileSync(join(spec, file), 'utf8')
  }

  function documentOf(file: string): Document {
    const known = documents.get(file) ?? parseDocument(textOf(file))
    documents.set(file, known)
    return known
  }

  function find({ file, path }: Place): Found | undefined {
    const document = documentOf(file)
    let found: Omit<Found, 'file' | 'text' | 'document'> = {
      node: document.contents as Ranged,
      pair: undefined,
      map: undefined,
      sharedAt: undefined,
    }
    for (const [i, step] of path.entries()) {
      const next = childOf(document, found.node, step)
      if (!next) return undefined
      found = { ...next, sharedAt: found.sharedAt ?? (next.isShared ? i + 1 : undefined) }
    }
    return { ...found, file, text: textOf(file), document }
  }

  function need(place: Place): Found {
    const found = find(place)
    if (!found) throw new Error(`${place.file} has no ${place.path.join('.')}`)
    return found
  }

  function splice({ file, text }: Found, from: number, to: number, replacement: string): void {
    writeFileSync(join(spec, file), text.slice(0, from) + replacement + text.slice(to))
    documents.delete(file)
  }

  return {
    /** The place of a JSON pointer into the bundled contract; undefined if it has none. */
    placeOf(pointer: string): Place | undefined {
      const [kind = '', name = '', third = '', ...rest] = stepsOf(pointer)
      if (kind === 'components') {
        const component = components.get(third)
        return component && { file: component.file, path: [...component.path, ...rest] }
      }
      const ref = foundValue(find({ file: 'openapi.yaml', path: [kind, name, '$ref'] }))
      const [file, key] = String(ref ?? '').split('#/')
      if (file === undefined || key === undefined) return undefined
      return { file, path: [key, ...(third === '' ? [] : [third]), ...rest] }
    },
    has: (place: Place): boolean => find(place) !== undefined,
    /** The value at a place; undefined if there is none. */
    value: (place: Place): unknown => foundValue(find(place)),
    /** Whether a value stands elsewhere too, by an alias or a merge. */
    isShared: (place: Place): boolean => find(place)?.sharedAt !== undefined,
    /** The keys of a map, in their order. */
    keys(place: Place): string[] {
      const node = find(place)?.node
      return isMap<Scalar>(node) ? node.items.map(({ key }) => String(key.value)) : []
    },
    line(place: Place): string {
      const { text, pair, node } = need(place)
      const offset = pair?.key.range?.[0] ?? node.range[0]
      return `${place.file}:${text.slice(0, offset).split('\n').length}`
    },
    /** Replaces a value. */
    set(place: Place, value: unknown): void {
      const found = need(place)
      const [from, to] = found.node.range
      const isBlock = found.text.slice(from, to).endsWith('\n')
      const replacement = textFor(value, isInFlow(found))
      splice(found, from, to, isBlock ? `${replacement}\n` : replacement)
    },
    /** Replaces a value here alone: what is shared by an alias or a merge is written out first. */
    setHere(place: Place, value: unknown): void {
      const { sharedAt } = need(place)
      if (sharedAt === undefined) {
        this.set(place, value)
        return
      }
      const shared = { file: place.file, path: place.path.slice(0, sharedAt) }
      this.writeOut(shared)
      this.setHere(place, value)
    },
    /** Writes out the aliases of a map, which keeps its place. */
    unshare(place: Place): void {
      const { node, document } = need(place)
      const aliases: Alias[] = []
      visit(document, {
        Alias(_, alias) {
          if (alias.resolve(document) === (node as unknown)) aliases.push(alias)
        },
      })
      // The last one first, since each changes what comes after it.
      for (const alias of aliases.toReversed()) {
        const { text } = need(place)
        const [from, to] = alias.range ?? [0, 0]
        const line = text.slice(text.lastIndexOf('\n', from) + 1)
        const indent = ' '.repeat(line.search(/\S/) + 2)
        const lines = stringify(this.value(place), { singleQuote: true, lineWidth: 100 }).trimEnd()
        splice(need(place), from, to, `\n${lines.replaceAll(/^/gm, indent)}`)
      }
    },
    /** Writes out a value that stands elsewhere too. */
    writeOut(place: Place): void {
      const holder = { file: place.file, path: place.path.slice(0, -1) }
      const name = place.path.at(-1) ?? ''
      const alias = aliasIn(need(holder).node, name)
      const value = this.value(place)
      if (alias) splice(need(holder), alias.range[0], alias.range[1], textFor(value, true))
      else this.add(holder, name, value)
    },
    /** Replaces words in a string, whose notation stays. */
    replaceWords(place: Place, words: RegExp, replacement: string): void {
      const found = need(place)
      const [from, to] = found.node.range
      const text = found.text.slice(from, to)
      splice(found, from, to, text.replaceAll(words, replacement))
    },
    /** Renames a key of a map. */
    rename(place: Place, name: string): void {
      const found = need(place)
      const range = found.pair?.key.range
      if (range) splice(found, range[0], range[1], textFor(name, isInFlow(found)))
    },
    /** Removes a key with its value; a map that would be empty goes too. */
    remove(place: Place): void {
      const found = need(place)
      if (found.map?.items.length === 1 && place.path.length > 1) {
        this.remove({ file: place.file, path: place.path.slice(0, -1) })
        return
      }
      const [from, to] = extentOf(found)
      splice(found, from, to, '')
    },
    /** Adds a key at the end of a map. */
    add(place: Place, name: string, value: unknown): void {
      const found = need(place)
      if (!isMap<Scalar, Ranged>(found.node)) return
      const last = found.node.items.at(-1)
      const end = last?.value?.range[1] ?? last?.key.range?.[1] ?? found.node.range[0] + 1
      const key = textFor(name, true)
      if (found.node.flow) {
        splice(found, end, end, `, ${key}: ${textFor(value, true)}`)
        return
      }
      const column = columnOf(found.text, found.node.items[0]?.key.range?.[0] ?? 0)
      const indent = ' '.repeat(column)
      const line = `${indent}${key}: ${textFor(value, false)}`
      const isAfterBlock = found.text.slice(0, end).endsWith('\n')
      splice(found, end, end, isAfterBlock ? `${line}\n` : `\n${line}`)
    },
    /** The files of a folder, such as `behaviour`. */
    folder(name: string): string[] {
      const names = readdirSync(join(spec, name)).filter((file) => file.endsWith('.yaml'))
      return names.toSorted().map((file) => `${name}/${file}`)
    },
    /** The scalars and keys of a file, with their places. */
    scalars(file: string): { place: Place; value: unknown; isKey: boolean }[] {
      return scalarsIn(documentOf(file).contents, file, [])
    },
  }
}

/** The place of each component, whose name is unique over all files. */
function componentPlaces(spec: string): ReadonlyMap<string, Place> {
  const files = ['parameters.yaml', 'responses.yaml']
  for (const folder of ['schemas', 'examples'])
    for (const name of readdirSync(join(spec, folder)).toSorted()) files.push(`${folder}/${name}`)
  const byName = new Map<string, Place>()
  for (const file of files) {
    const { contents } = parseDocument(readFileSync(join(spec, file), 'utf8'))
    if (!isMap<Scalar>(contents)) continue
    for (const { key } of contents.items) {
      const name = String(key.value)
      byName.set(name, { file, path: [name] })
    }
  }
  for (const file of ROOTS) {
    const { components } = parse(readFileSync(join(spec, file), 'utf8'))
    for (const [kind, named] of Object.entries(components as Record<string, object>))
      for (const name of Object.keys(named))
        byName.set(name, { file, path: ['components', kind, name] })
  }
  return byName
}

function foundValue(found: Found | undefined): unknown {
  return found && (found.node as Scalar | undefined)?.toJS(found.document)
}

/** The value of a key or an item. An own key comes before a merged one. */
function childOf(
  document: Document,
  node: unknown,
  step: string,
): (Pick<Found, 'node' | 'pair' | 'map'> & { isShared: boolean }) | undefined {
  const holder = isAlias(node) ? node.resolve(document) : node
  if (isSeq<Ranged>(holder)) {
    const item = holder.items[Number(step)]
    if (!item) return undefined
    const isShared = isAlias(item)
    return { node: targetOf(document, item), pair: undefined, map: undefined, isShared }
  }
  if (!isMap<Scalar, Ranged>(holder)) return undefined

  const pair = holder.items.find(({ key }) => isScalar(key) && String(key.value) === step)
  if (pair) {
    const isShared = isAlias(pair.value)
    const own = pair as Found['pair']
    return { node: targetOf(document, pair.value), pair: own, map: holder, isShared }
  }

  const merged = holder.items.find(({ key }) => String(key.value) === '<<')
  const found = merged && childOf(document, merged.value, step)
  return found && { ...found, isShared: true }
}

/** The alias that stands for a field or an item; undefined if the value itself does, or none. */
function aliasIn(holder: unknown, name: string): Ranged | undefined {
  if (isSeq(holder)) {
    const item = holder.items[Number(name)]
    return isAlias(item) ? (item as unknown as Ranged) : undefined
  }
  if (!isMap<Scalar>(holder)) return undefined
  const value = holder.items.find(({ key }) => String(key.value) === name)?.value
  return isAlias(value) ? (value as unknown as Ranged) : undefined
}

/** What an alias stands for, which is edited in its place. */
function targetOf(document: Document, node: unknown): Ranged {
  return (isAlias(node) ? node.resolve(document) : node) as Ranged
}

/** Whether a node stands in a flow collection, where commas and brackets mean something. */
function isInFlow({ map, node }: Found): boolean {
  return map?.flow === true || node.flow === true
}

/** A value as YAML in one line. */
function textFor(value: unknown, isFlow: boolean): string {
  const options = { collectionStyle: 'flow', singleQuote: true, lineWidth: 0 } as const
  // A parser of YAML 1.1 takes it for a date.
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)) return `'${value}'`
  if (typeof value === 'string' && !isFlow)
    return stringify(value, { singleQuote: true, lineWidth: 0 }).trimEnd()
  // In a list, a string gets the quotes that it needs beside commas and brackets.
  const list = stringify([value], options).trim()
  const text = list.slice(1, -1).trim()
  return Array.isArray(value) ? text.replace(/^\[ /, '[').replace(/ \]$/, ']') : text
}

/** The characters of a key with its value: whole lines, or an item of a flow map with its comma. */
function extentOf({ text, pair, map, node }: Found): [number, number] {
  const start = pair?.key.range?.[0] ?? node.range[0]
  const end = pair?.value?.range[1] ?? node.range[1]
  if (map?.flow) {
    const after = /^\s*,\s*/.exec(text.slice(end))
    if (after) return [start, end + after[0].length]
    const before = /,\s*$/.exec(text.slice(0, start))
    return [start - (before?.[0].length ?? 0), end]
  }
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  if (text.slice(0, end).endsWith('\n')) return [lineStart, end]
  const lineEnd = text.indexOf('\n', end)
  return [lineStart, lineEnd === -1 ? text.length : lineEnd + 1]
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1)
}

function scalarsIn(
  node: unknown,
  file: string,
  path: readonly string[],
): { place: Place; value: unknown; isKey: boolean }[] {
  if (isScalar(node)) return [{ place: { file, path }, value: node.value, isKey: false }]
  if (isSeq(node))
    return node.items.flatMap((item, i) => scalarsIn(item, file, [...path, String(i)]))
  if (!isMap<Scalar>(node)) return []
  return node.items.flatMap(({ key, value }) => {
    const inside = [...path, String(key.value)]
    const own = { place: { file, path: inside }, value: key.value, isKey: true }
    return [own, ...scalarsIn(value, file, inside)]
  })
}

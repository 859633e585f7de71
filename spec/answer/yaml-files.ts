import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stepsOf } from '@partner-payments/contract'
import {
  type Alias,
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parse,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml'
import { contractFiles } from '../lint/files.ts'
import { filesWithLimit } from '../lint/style.ts'
import { findAlias, findNode, type LocatedNode, type Ranged } from './yaml-nodes.ts'
import {
  breakLongLines,
  countColumn,
  findExtent,
  hasLongLine,
  isInFlow,
  writeBehindKey,
  writeInLine,
  writeLines,
} from './yaml-text.ts'

/** A node of a YAML file, by its keys and indexes. */
export interface Place {
  readonly file: string
  readonly path: readonly string[]
}

/** A key, or a string, number, boolean or null. */
export interface ScalarAt {
  readonly place: Place
  readonly value: unknown
  readonly isKey: boolean
}

/**
 * The YAML files of a contract. An edit replaces the characters of one node, so that comments,
 * order and notation of everything else stay as they are.
 */
export class YamlFiles {
  readonly #spec: string
  readonly #components: ReadonlyMap<string, Place>
  /** The files whose lines have a limit. */
  readonly #limited: ReadonlySet<string>
  /** Parsed files, until they are edited. */
  readonly #documents = new Map<string, Document>()

  /** @param spec The folder of the contract. */
  constructor(spec: string) {
    this.#spec = spec
    this.#components = componentPlaces(spec)
    this.#limited = new Set(filesWithLimit(spec))
  }

  /**
   * Where a node of the bundled contract is in the YAML files, by its JSON pointer; undefined if no
   * file has it.
   */
  findPlace(pointer: string): Place | undefined {
    const [section = '', kindOrPath = '', ...rest] = stepsOf(pointer)
    if (section === 'components') {
      const [componentName = '', ...steps] = rest
      const component = this.#components.get(componentName)
      return component && inside(component, steps)
    }

    // A short path stands in guide.yaml itself.
    const shortPath: Place = { file: 'guide.yaml', path: [section, kindOrPath] }
    if (this.has(shortPath)) return inside(shortPath, rest)

    // A path or a webhook, which openapi.yaml refers to.
    const ref = this.value({ file: 'openapi.yaml', path: [section, kindOrPath, '$ref'] })
    if (typeof ref !== 'string') return undefined
    const [file = '', key] = ref.split('#/')
    if (key === undefined) return undefined
    return inside({ file, path: [key] }, rest)
  }

  has(place: Place): boolean {
    return this.#find(place) !== undefined
  }

  /** The value at a place; undefined if there is none. */
  value(place: Place): unknown {
    const node: Scalar | undefined = this.#find(place)?.node
    return node?.toJS(this.#open(place.file))
  }

  /** Whether a value is written in another place, by an alias or a merge. */
  isShared(place: Place): boolean {
    return this.#find(place)?.stepsToShared !== undefined
  }

  /** The keys of a map, in their order. */
  keys(place: Place): string[] {
    const node = this.#find(place)?.node
    return isMap<Scalar>(node) ? node.items.map(({ key }) => String(key.value)) : []
  }

  /** Where a place is, as `schemas/keys.yaml:12`. */
  line(place: Place): string {
    const { pair, node } = this.#require(place)
    const offset = pair ? startOfKey(pair) : node.range[0]
    const before = this.#readText(place.file).slice(0, offset)
    return `${place.file}:${before.split('\n').length}`
  }

  /** The files of the contract: both roots, and those that they refer to. */
  contract(): string[] {
    return contractFiles(this.#spec)
  }

  /** The files of a folder, such as `behaviour`. */
  folder(name: string): string[] {
    const files = readdirSync(join(this.#spec, name)).filter((file) => file.endsWith('.yaml'))
    return files.toSorted().map((file) => `${name}/${file}`)
  }

  /** The scalars and keys of a file, with their places. */
  scalars(file: string): ScalarAt[] {
    return listScalars(this.#open(file).contents, { file, path: [] })
  }

  /**
   * Replaces a value in the text of its file, whose other lines stay as they are. A value that would
   * make its line too long is written in lines of its own.
   */
  set(place: Place, value: unknown): void {
    const target = this.#require(place)
    const { file } = place
    const { pair } = target
    const [from, to] = target.node.range
    const fileText = this.#readText(file)
    // The range of a value of several lines includes the end of its last one, which stays.
    const end = fileText.slice(from, to).endsWith('\n') ? '\n' : ''
    // An item of a list, or a value within braces, is written within its line.
    if (!pair || target.map?.flow) {
      this.#replace(file, [from, to], writeInLine(value, isInFlow(target)) + end)
      this.#breakLongLine(place)
      return
    }

    // Everything behind the colon of the key is written anew.
    const afterColon = fileText.slice(0, from).trimEnd().length
    const canHaveLines = Array.isArray(value) || this.#limited.has(file)
    const text = canHaveLines
      ? writeBehindKey(value, {
          column: countColumn(fileText, afterColon) + 1,
          indent: countColumn(fileText, startOfKey(pair)),
        })
      : ` ${writeInLine(value, isInFlow(target))}`
    this.#replace(file, [afterColon, to], text + end)
  }

  /**
   * Replaces a value in this place alone. If the value is written elsewhere (YAML takes it from
   * there by an alias or a merge), it is first copied to this place, so that the edit does not
   * change the other one.
   */
  setHere(place: Place, value: unknown): void {
    const { stepsToShared } = this.#require(place)
    if (stepsToShared === undefined) {
      this.set(place, value)
      return
    }

    // The first node of the path that is written elsewhere.
    const shared: Place = { file: place.file, path: place.path.slice(0, stepsToShared) }
    this.#writeOut(shared)
    // A node below it may be written elsewhere too.
    this.setHere(place, value)
  }

  /** Replaces words in a string. Its quotes, or how it is folded into lines, stay. */
  replaceWords(place: Place, words: RegExp, replacement: string): void {
    const { node } = this.#require(place)
    const [from, to] = node.range
    const text = this.#readText(place.file).slice(from, to)
    const replaced = text.replaceAll(words, replacement)
    this.#replace(place.file, [from, to], breakLongLines(replaced))
    this.#breakLongLine(place)
  }

  /**
   * Renames the key at a place. Does nothing for an item of a list, which has no key. Afterwards the
   * value is at another place, with the new name.
   */
  rename(place: Place, name: string): void {
    const target = this.#require(place)
    const range = target.pair?.key.range
    if (!range) return

    const [from, to] = range
    this.#replace(place.file, [from, to], writeInLine(name, isInFlow(target)))
    this.#breakLongLine(inside(holderPlace(place), [name]))
  }

  /**
   * Removes a key with its value, or an item of a list. A map that would be empty is removed instead, since
   * YAML would read its key as null. A list that would be empty stays, as `[]`.
   */
  remove(place: Place): void {
    const target = this.#require(place)
    const isOnlyKey = target.map?.items.length === 1 && place.path.length > 1
    if (isOnlyKey) {
      this.remove(holderPlace(place))
      return
    }

    const holder = this.#require(holderPlace(place)).node
    const isOnlyItem = isSeq(holder) && holder.items.length === 1
    if (isOnlyItem) {
      this.set(holderPlace(place), [])
      return
    }

    const extent = findExtent(this.#readText(place.file), target)
    this.#replace(place.file, extent, '')
  }

  removeIfPresent(place: Place): void {
    if (this.has(place)) this.remove(place)
  }

  /**
   * Adds a key with a value at the end of a map, in the notation of that map: in braces, or a line
   * of its own. Does nothing if the node is no map.
   */
  add(place: Place, name: string, value: unknown): void {
    const { node } = this.#require(place)
    if (!isMap<Scalar, Ranged>(node)) return

    const isEmptyBraces = node.flow === true && node.items.length === 0
    if (isEmptyBraces) {
      this.set(place, { [name]: value })
      return
    }

    const { file } = place
    const end = endOfEntries(node)
    const key = writeInLine(name, true)
    const isInBraces = node.flow === true
    if (isInBraces) {
      this.#replace(file, [end, end], `, ${key}: ${writeInLine(value, true)}`)
      this.#breakLongLine(inside(place, [name]))
      return
    }

    // A line of its own, with the indentation of the entries above.
    const text = this.#readText(file)
    const margin = indentOfEntries(text, node)
    const start = `${margin}${key}:`
    const indent = margin.length
    const behindKey = this.#limited.has(file)
      ? writeBehindKey(value, { column: start.length + 1, indent })
      : ` ${writeInLine(value, false)}`
    // A last value of several lines includes the end of its last line.
    const isAtLineStart = text.slice(0, end).endsWith('\n')
    const lines = start + behindKey
    this.#replace(file, [end, end], isAtLineStart ? `${lines}\n` : `\n${lines}`)
  }

  /**
   * Writes a copy of a map in place of each alias of it in the file: `meanings: *meanings` becomes
   * `meanings:` with the entries of the map below it. After that, an edit of the map changes no other
   * place.
   */
  unshare(place: Place): void {
    const { file } = place
    const value = this.value(place)
    // The last one first, since each changes what comes after it.
    for (const alias of this.#findAliases(place).toReversed()) {
      // A parsed node always has a range.
      const [from, to] = alias.range ?? [0, 0]
      const text = this.#readText(file)
      const afterColon = text.slice(0, from).trimEnd().length
      const lineOfKey = text.slice(text.lastIndexOf('\n', from) + 1)
      const indentOfKey = lineOfKey.search(/\S/)
      this.#replace(file, [afterColon, to], `\n${writeLines(value, indentOfKey)}`)
    }
  }

  /** The aliases (`*name`) in a file that stand for the map at a place. */
  #findAliases(place: Place): Alias[] {
    const document = this.#open(place.file)
    const map: unknown = this.#require(place).node
    const aliases: Alias[] = []
    visit(document, {
      Alias(_, alias) {
        if (alias.resolve(document) === map) aliases.push(alias)
      },
    })
    return aliases
  }

  /**
   * Copies a value to the place where YAML takes it from elsewhere: instead of the alias, or as a
   * key of its own, which overrides a merged one (`<<`).
   */
  #writeOut(place: Place): void {
    const holder = holderPlace(place)
    const name = place.path.at(-1) ?? ''
    const value = this.value(place)
    const alias = findAlias(this.#require(holder).node, name)
    if (!alias) {
      this.add(holder, name, value)
      return
    }

    const [from, to] = alias.range
    this.#replace(place.file, [from, to], writeInLine(value, true))
  }

  /**
   * Writes a value in lines of its own if one of its lines is too long now. A value within braces or
   * brackets cannot have such lines, so all that they hold is written anew.
   */
  #breakLongLine(place: Place): void {
    const target = this.#find(place)
    if (!target || !this.#limited.has(place.file)) return

    const start = target.pair ? startOfKey(target.pair) : target.node.range[0]
    const isLong = hasLongLine(this.#readText(place.file), start, target.node.range[1])
    if (!isLong) return

    const isWithinBraces = target.pair === undefined || target.map?.flow === true
    if (isWithinBraces) {
      if (place.path.length > 1) this.#breakLongLine(holderPlace(place))
      return
    }

    // Written anew, the value would lose the anchor by which another place takes it.
    if (!hasAnchor(target.node)) this.set(place, this.value(place))
  }

  #find({ file, path }: Place): LocatedNode | undefined {
    return findNode(this.#open(file), path)
  }

  #require(place: Place): LocatedNode {
    const target = this.#find(place)
    if (!target) throw new Error(`${place.file} has no ${place.path.join('.')}`)
    return target
  }

  #open(file: string): Document {
    const document = this.#documents.get(file) ?? parseDocument(this.#readText(file))
    this.#documents.set(file, document)
    return document
  }

  #readText(file: string): string {
    return readFileSync(join(this.#spec, file), 'utf8')
  }

  /** Replaces characters of a file, which is parsed again when it is read. */
  #replace(file: string, [from, to]: readonly [number, number], text: string): void {
    const before = this.#readText(file)
    writeFileSync(join(this.#spec, file), before.slice(0, from) + text + before.slice(to))
    this.#documents.delete(file)
  }
}

/** The files with components of their own. */
const ROOTS = ['openapi.yaml', 'guide.yaml']

/**
 * Where each component of the contract is, by its name, which is unique over all files: `Key` is at
 * `{ file: 'schemas/keys.yaml', path: ['Key'] }`.
 */
function componentPlaces(spec: string): ReadonlyMap<string, Place> {
  const files = ['parameters.yaml', 'responses.yaml']
  for (const folder of ['schemas', 'examples'])
    for (const name of readdirSync(join(spec, folder)).toSorted()) files.push(`${folder}/${name}`)

  const byName = new Map<string, Place>()
  for (const file of files)
    for (const name of listKeys(join(spec, file))) byName.set(name, { file, path: [name] })

  for (const file of ROOTS) {
    const { components: kinds } = parse(readFileSync(join(spec, file), 'utf8'))
    for (const [kind, components] of Object.entries(kinds as Record<string, object>))
      for (const name of Object.keys(components))
        byName.set(name, { file, path: ['components', kind, name] })
  }
  return byName
}

/** The keys at the top of a YAML file. */
function listKeys(path: string): string[] {
  const { contents } = parseDocument(readFileSync(path, 'utf8'))
  return isMap<Scalar>(contents) ? contents.items.map(({ key }) => String(key.value)) : []
}

/** Whether a node, or one in it, has a name by which another place takes its value (`&name`). */
function hasAnchor(node: Ranged): boolean {
  let isNamed = false
  visit(node as Node, {
    Node(_, { anchor }: { anchor?: string }) {
      if (anchor === undefined) return undefined
      isNamed = true
      return visit.BREAK
    },
  })
  return isNamed
}

/** The offset of a key. A parsed node always has a range. */
function startOfKey({ key }: Pair<Scalar, unknown>): number {
  return key.range?.[0] ?? 0
}

/**
 * The offset in the text behind the last entry of a map, where another one can be added: behind its
 * value, or behind its key if it has no value. Throws for a map without entries.
 */
function endOfEntries(map: YAMLMap<Scalar, Ranged>): number {
  const last = map.items.at(-1)
  if (last?.value) return last.value.range[1]
  if (last?.key.range) return last.key.range[1]
  throw new Error('the map has no entries')
}

/** The spaces before each key of a map. */
function indentOfEntries(text: string, { items: [first] }: YAMLMap<Scalar, Ranged>): string {
  return first ? ' '.repeat(countColumn(text, startOfKey(first))) : ''
}

function inside({ file, path }: Place, steps: readonly string[]): Place {
  return { file, path: [...path, ...steps] }
}

/** The map or the list that a place is in. */
function holderPlace({ file, path }: Place): Place {
  return { file, path: path.slice(0, -1) }
}

/**
 * All keys and scalar values (string, number, boolean, null) at and below a node, each with its
 * place.
 */
function listScalars(node: unknown, place: Place): ScalarAt[] {
  if (isScalar(node)) return [{ place, value: node.value, isKey: false }]

  const scalars: ScalarAt[] = []
  if (isSeq(node)) {
    for (const [index, item] of node.items.entries())
      scalars.push(...listScalars(item, inside(place, [String(index)])))
  }
  if (isMap<Scalar>(node)) {
    for (const { key, value } of node.items) {
      const valuePlace = inside(place, [String(key.value)])
      scalars.push({ place: valuePlace, value: key.value, isKey: true })
      scalars.push(...listScalars(value, valuePlace))
    }
  }
  return scalars
}

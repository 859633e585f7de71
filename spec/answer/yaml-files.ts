import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stepsOf } from '@partner-payments/contract'
import {
  type Alias,
  type Document,
  isMap,
  isScalar,
  isSeq,
  parse,
  parseDocument,
  type Scalar,
  visit,
} from 'yaml'
import { aliasIn, type Found, findNode, type Ranged } from './yaml-nodes.ts'
import { columnOf, extentOf, isInFlow, linesFor, textFor } from './yaml-text.ts'

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
  /** Parsed files, until they are edited. */
  readonly #documents = new Map<string, Document>()

  /** @param spec The folder of the contract. */
  constructor(spec: string) {
    this.#spec = spec
    this.#components = componentPlaces(spec)
  }

  /** The place of a JSON pointer into the bundled contract; undefined if it has none. */
  placeOf(pointer: string): Place | undefined {
    const [kind = '', name = '', third = '', ...rest] = stepsOf(pointer)
    if (kind === 'components') {
      const component = this.#components.get(third)
      return component && inside(component, rest)
    }

    const ref = this.value({ file: 'openapi.yaml', path: [kind, name, '$ref'] })
    const [file, key] = String(ref ?? '').split('#/')
    if (file === undefined || key === undefined) return undefined

    const steps = third === '' ? rest : [third, ...rest]
    return inside({ file, path: [key] }, steps)
  }

  has(place: Place): boolean {
    return this.#find(place) !== undefined
  }

  /** The value at a place; undefined if there is none. */
  value(place: Place): unknown {
    const found = this.#find(place)
    const node: Scalar | undefined = found?.node
    return node?.toJS(this.#documentOf(place.file))
  }

  /** Whether a value stands elsewhere too, by an alias or a merge. */
  isShared(place: Place): boolean {
    return this.#find(place)?.sharedAt !== undefined
  }

  /** The keys of a map, in their order. */
  keys(place: Place): string[] {
    const node = this.#find(place)?.node
    return isMap<Scalar>(node) ? node.items.map(({ key }) => String(key.value)) : []
  }

  /** Where a place is, as `file:line`. */
  line(place: Place): string {
    const { pair, node } = this.#need(place)
    const offset = pair?.key.range?.[0] ?? node.range[0]
    const before = this.#textOf(place.file).slice(0, offset)
    return `${place.file}:${before.split('\n').length}`
  }

  /** The files of a folder, such as `behaviour`. */
  folder(name: string): string[] {
    const files = readdirSync(join(this.#spec, name)).filter((file) => file.endsWith('.yaml'))
    return files.toSorted().map((file) => `${name}/${file}`)
  }

  /** The scalars and keys of a file, with their places. */
  scalars(file: string): ScalarAt[] {
    return scalarsIn(this.#documentOf(file).contents, { file, path: [] })
  }

  /** Replaces a value. */
  set(place: Place, value: unknown): void {
    const found = this.#need(place)
    const [from, to] = found.node.range
    const isBlock = this.#textOf(place.file).slice(from, to).endsWith('\n')
    const text = textFor(value, isInFlow(found))
    this.#replace(place.file, [from, to], isBlock ? `${text}\n` : text)
  }

  /** Replaces a value here alone: what is shared by an alias or a merge is written out first. */
  setHere(place: Place, value: unknown): void {
    const { sharedAt } = this.#need(place)
    if (sharedAt === undefined) {
      this.set(place, value)
      return
    }

    this.#writeOut({ file: place.file, path: place.path.slice(0, sharedAt) })
    this.setHere(place, value)
  }

  /** Replaces words in a string, whose notation stays. */
  replaceWords(place: Place, words: RegExp, replacement: string): void {
    const { node } = this.#need(place)
    const [from, to] = node.range
    const text = this.#textOf(place.file).slice(from, to)
    this.#replace(place.file, [from, to], text.replaceAll(words, replacement))
  }

  /** Renames a key of a map. */
  rename(place: Place, name: string): void {
    const found = this.#need(place)
    const range = found.pair?.key.range
    if (range) this.#replace(place.file, [range[0], range[1]], textFor(name, isInFlow(found)))
  }

  /** Removes a key with its value; a map that would be empty goes too. */
  remove(place: Place): void {
    const found = this.#need(place)
    const isOnlyKey = found.map?.items.length === 1 && place.path.length > 1
    if (isOnlyKey) {
      this.remove(holderOf(place))
      return
    }

    const extent = extentOf(this.#textOf(place.file), found)
    this.#replace(place.file, extent, '')
  }

  /** Adds a key at the end of a map. */
  add(place: Place, name: string, value: unknown): void {
    const { node } = this.#need(place)
    if (!isMap<Scalar, Ranged>(node)) return

    const last = node.items.at(-1)
    const end = last?.value?.range[1] ?? last?.key.range?.[1] ?? node.range[0] + 1
    const key = textFor(name, true)
    if (node.flow) {
      this.#replace(place.file, [end, end], `, ${key}: ${textFor(value, true)}`)
      return
    }

    const text = this.#textOf(place.file)
    const indent = ' '.repeat(columnOf(text, node.items[0]?.key.range?.[0] ?? 0))
    const line = `${indent}${key}: ${textFor(value, false)}`
    const isAfterBlock = text.slice(0, end).endsWith('\n')
    this.#replace(place.file, [end, end], isAfterBlock ? `${line}\n` : `\n${line}`)
  }

  /** Writes out the aliases of a map, which keeps its place. */
  unshare(place: Place): void {
    const { file } = place
    const value = this.value(place)
    // The last one first, since each changes what comes after it.
    for (const alias of this.#aliasesOf(place).toReversed()) {
      const [from, to] = alias.range ?? [0, 0]
      const text = this.#textOf(file)
      const line = text.slice(text.lastIndexOf('\n', from) + 1)
      const afterColon = text.slice(0, from).trimEnd().length
      const lines = linesFor(value, line.search(/\S/))
      this.#replace(file, [afterColon, to], `\n${lines}`)
    }
  }

  #aliasesOf(place: Place): Alias[] {
    const document = this.#documentOf(place.file)
    const { node } = this.#need(place)
    const aliases: Alias[] = []
    visit(document, {
      Alias(_, alias) {
        if (alias.resolve(document) === (node as unknown)) aliases.push(alias)
      },
    })
    return aliases
  }

  /** Writes out a value that stands elsewhere too. */
  #writeOut(place: Place): void {
    const holder = holderOf(place)
    const name = place.path.at(-1) ?? ''
    const value = this.value(place)
    const alias = aliasIn(this.#need(holder).node, name)
    if (!alias) {
      this.add(holder, name, value)
      return
    }

    const [from, to] = alias.range
    this.#replace(place.file, [from, to], textFor(value, true))
  }

  #find({ file, path }: Place): Found | undefined {
    return findNode(this.#documentOf(file), path)
  }

  #need(place: Place): Found {
    const found = this.#find(place)
    if (!found) throw new Error(`${place.file} has no ${place.path.join('.')}`)
    return found
  }

  #documentOf(file: string): Document {
    const document = this.#documents.get(file) ?? parseDocument(this.#textOf(file))
    this.#documents.set(file, document)
    return document
  }

  #textOf(file: string): string {
    return readFileSync(join(this.#spec, file), 'utf8')
  }

  /** Replaces characters of a file, which is parsed again when it is read. */
  #replace(file: string, [from, to]: readonly [number, number], text: string): void {
    const before = this.#textOf(file)
    writeFileSync(join(this.#spec, file), before.slice(0, from) + text + before.slice(to))
    this.#documents.delete(file)
  }
}

/** The files with components of their own. */
const ROOTS = ['openapi.yaml', 'guide.yaml']

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

function inside({ file, path }: Place, steps: readonly string[]): Place {
  return { file, path: [...path, ...steps] }
}

/** The map or the list that a place is in. */
function holderOf({ file, path }: Place): Place {
  return { file, path: path.slice(0, -1) }
}

function scalarsIn(node: unknown, place: Place): ScalarAt[] {
  if (isScalar(node)) return [{ place, value: node.value, isKey: false }]
  if (isSeq(node))
    return node.items.flatMap((item, i) => scalarsIn(item, inside(place, [String(i)])))
  if (!isMap<Scalar>(node)) return []

  return node.items.flatMap(({ key, value }) => {
    const keyPlace = inside(place, [String(key.value)])
    const ofKey = { place: keyPlace, value: key.value, isKey: true }
    return [ofKey, ...scalarsIn(value, keyPlace)]
  })
}

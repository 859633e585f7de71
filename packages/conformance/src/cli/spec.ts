import { existsSync } from 'node:fs'
import { isAbsolute, relative } from 'node:path'
import { ContractError, pointerOf, stepsOf } from '@partner-payments/validator'
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { type Contract, readContract } from '../contract/contract.ts'
import { parseYaml } from '../contract/yaml.ts'
import type { ReportOptions } from '../report/summary.ts'
import { CommandError, log, parseJson, readText, refuseFile } from './process.ts'

type Locate = NonNullable<ReportOptions['locate']>

/** The contract of a run, and the source locations of its nodes. */
export interface Spec {
  /** Undefined: the partner payments contract. */
  readonly contract: object | undefined
  /** Undefined: the reader lacks the files. */
  readonly locate: Locate | undefined
  /** The same, also where the reader lacks the files, as SARIF needs it. */
  readonly locateAnywhere: Locate
}

/** The folder of a clone that has the files of the contract. */
const SOURCES = 'spec'

/**
 * Loads the contract that `--spec` names, or the partner payments contract, and two functions that find the file
 * and line of a place in it: `/info` is at `spec/openapi.yaml:2`. `locate` is undefined if its files are not on this
 * machine, and `locateAnywhere` is there in any case.
 *
 * @throws {CommandError} if the file cannot be read, is neither JSON nor YAML, or no contract that the checker reads
 */
export async function readSpec(file: string | undefined): Promise<Spec> {
  if (file === undefined) {
    const locateAnywhere = await locateInSources()
    const isHere = existsSync(`${SOURCES}/openapi.yaml`)
    return { contract: undefined, locate: isHere ? locateAnywhere : undefined, locateAnywhere }
  }

  const text = readText(file, '--spec')
  const document = parseDocumentText(text, file)
  const locate = locateInFile(makeRelative(file), text)
  const contract = readContractOfFile(document, file, locate)
  noteMissingOperations(contract, file)
  return { contract: document, locate, locateAnywhere: locate }
}

/** Reads the contract in a document. @throws {CommandError} with file and line where it cannot be read */
function readContractOfFile(document: object, file: string, locate: Locate): Contract {
  try {
    return readContract(document)
  } catch (error) {
    if (!(error instanceof ContractError)) throw error
    const line = locate(error.pointer)?.line ?? 1
    throw new CommandError(
      `The contract cannot be read: ${file}:${line}: ${error.message}. It must be OpenAPI 3.1 in one file.`,
    )
  }
}

/** Parses the text of an OpenAPI document. @throws {CommandError} if it is none */
function parseDocumentText(text: string, file: string): object {
  // A YAML parser reads JSON too, but much more slowly.
  const isJson = text.trimStart().startsWith('{')
  const value = isJson ? parseJson(text, `--spec: ${file}`) : parseYamlText(text, file)
  if (typeof value !== 'object' || value === null)
    return refuseFile(`--spec: ${file} is not an OpenAPI document, but ${typeof value}`)
  requireShallow(value, file)
  return value
}

/** The contract has 11 levels. Recursive functions go through this many. */
const MAX_LEVELS = 500
/** So many steps of a pointer show where that is. */
const MAX_STEPS = 8

/** Refuses a document that is nested too deeply. @throws {CommandError} with where that is */
function requireShallow(document: object, file: string): void {
  const steps = findDeepSteps(document)
  if (!steps) return

  const pointer = steps.slice(0, MAX_STEPS).reduce(pointerOf, '')
  refuseFile(`--spec: ${file} is nested more than ${MAX_LEVELS} levels deep, at ${pointer}/…`)
}

/** Finds the steps to the first value that is nested too deeply; undefined if there is none. */
function findDeepSteps(value: unknown, level = 0): string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (level > MAX_LEVELS) return []
  for (const [step, inside] of Object.entries(value)) {
    const steps = findDeepSteps(inside, level + 1)
    if (steps) return [step, ...steps]
  }
  return undefined
}

/**
 * Logs which operations of the partner payments contract that of `--spec` lacks: they are not checked.
 *
 * @throws {CommandError} if it has none of them
 */
function noteMissingOperations({ operationIds }: Contract, file: string): void {
  const { operationIds: expectedIds } = readContract()
  const missing = [...expectedIds].filter((id) => !operationIds.has(id))
  if (missing.length === expectedIds.size)
    refuseFile(`--spec: ${file} has none of the operations of this contract`)
  if (missing.length > 0)
    log(`--spec: not checked, because ${file} does not have them: ${missing.join(', ')}.`)
}

/** Writes a path relative to the working directory, as readers of SARIF expect, if it is below it. */
function makeRelative(file: string): string {
  const path = relative(process.cwd(), file)
  const isBelow = !path.startsWith('..') && !isAbsolute(path)
  return isBelow ? path.replaceAll('\\', '/') : file
}

function parseYamlText(text: string, file: string): unknown {
  const parsed = parseYaml(text)
  if ('problem' in parsed) return refuseFile(`--spec: ${file} is not YAML: ${parsed.problem}`)
  return parsed.value
}

/** Loads the list of where each node of the partner payments contract stands in `spec/`. */
async function locateInSources(): Promise<Locate> {
  const { default: sources } = await import('@partner-payments/spec/sources.json', {
    with: { type: 'json' },
  })
  return locateBySources(sources as Readonly<Record<string, string>>)
}

/**
 * Locates nodes of the bundled contract in its source files.
 *
 * @param sources Pointer -> `file:line`, such as `@partner-payments/spec/sources.json`.
 *
 * @example
 * const locate = locateBySources({ '/info': 'openapi.yaml:2' })
 * locate('/info/nothing') // { file: 'spec/openapi.yaml', line: 2 }
 */
export function locateBySources(sources: Readonly<Record<string, string>>): Locate {
  return function locate(pointer): ReturnType<Locate> {
    if (Object.hasOwn(sources, pointer)) return parseSource(sources[pointer])

    const isRoot = pointer === ''
    if (isRoot) return undefined
    const parent = pointer.slice(0, pointer.lastIndexOf('/'))
    return locate(parent)
  }
}

/** Parses `openapi.yaml:2`. */
function parseSource(source = ''): ReturnType<Locate> {
  const [, file, line] = /^(.+):(\d+)$/.exec(source) ?? []
  return file === undefined ? undefined : { file: `${SOURCES}/${file}`, line: Number(line) }
}

/**
 * Locates nodes in a single YAML or JSON file. A missing node has the line of its nearest ancestor.
 */
export function locateInFile(file: string, text: string): Locate {
  const lines = new LineCounter()
  let document: ReturnType<typeof parseDocument> | undefined
  return (pointer) => {
    // Parsing takes much memory, and a run without findings needs no locations.
    document ??= parseDocument(text, { lineCounter: lines })
    const offset = findOffset(document, pointer)
    return { file, line: lines.linePos(offset).line }
  }
}

/**
 * Finds where a node, or its nearest ancestor, begins in the text of a document. For `/info/title` in
 * `info: { title: Payments }`, it is the offset of the key `title`: 8.
 */
function findOffset(document: ReturnType<typeof parseDocument>, pointer: string): number {
  let node: unknown = document.contents
  let offset = 0
  for (const step of stepsOf(pointer)) {
    const parent = isAlias(node) ? node.resolve(document) : node
    const child = findChild(parent, step)
    if (!child) return offset

    node = child.node
    offset = child.from.range?.[0] ?? offset
  }
  return offset
}

/**
 * Finds the child of a YAML node: a property by its name, or an item by its index. Returns its value (`node`), and
 * where it begins (`from`): at the key of a property, or at the item itself. Undefined if there is no such child.
 */
function findChild(node: unknown, step: string): { node: unknown; from: Node } | undefined {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === step)
    return pair && { node: pair.value, from: pair.key as Node }
  }

  if (!isSeq(node)) return undefined
  const item = node.items[Number(step)] as Node | undefined
  return item && { node: item, from: item }
}

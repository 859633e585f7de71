import { existsSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { parseDocument } from 'yaml'
import { readContract } from '../contract/contract.ts'
import { type Locate, locateBySources, locateInFile } from '../report/source-location.ts'
import { refuseFile } from './errors.ts'
import { jsonOf, readText } from './files.ts'
import { log } from './process.ts'

/** The contract of a run, and the source locations of its nodes. */
export interface Spec {
  /** Undefined: the partner payments contract. */
  readonly contract: object | undefined
  /** Undefined: the reader lacks the files. */
  readonly locate: Locate | undefined
}

/** The folder of a clone that has the files of the contract. A tarball has none. */
const SOURCES = 'spec'

/**
 * Loads the contract that `--spec` names, or the partner payments contract.
 *
 * @param folder Where the reader is. Default: the working directory.
 * @throws {FileError} if the file cannot be read, or is neither JSON nor YAML.
 * @throws {ContractError} if the contract cannot be read
 */
export async function readSpec(file: string | undefined, folder = ''): Promise<Spec> {
  if (file === undefined) {
    const isHere = existsSync(join(folder, SOURCES, 'openapi.yaml'))
    return { contract: undefined, locate: isHere ? await locateInSources() : undefined }
  }
  const text = readText(file, '--spec')
  // A YAML parser reads JSON too, but much more slowly.
  const value = text.trimStart().startsWith('{') ? jsonOf(text, `--spec: ${file}`) : yamlOf(text, file)
  if (typeof value !== 'object' || value === null)
    return refuseFile(`--spec: ${file} is not an OpenAPI document, but ${typeof value}`)
  const ids = new Set(readContract({ document: value }).operations.map(({ id }) => id))
  const missing = new Set(readContract().operations.flatMap(({ id }) => (ids.has(id) ? [] : [id])))
  if (missing.size > 0)
    log(`--spec: not checked, because ${file} does not have them: ${[...missing].join(', ')}.`)
  return { contract: value, locate: locateInFile(relativePath(file), text) }
}

async function locateInSources(): Promise<Locate> {
  const { default: sources } = await import('@partner-payments/spec/sources.json', { with: { type: 'json' } })
  return locateBySources(sources as Readonly<Record<string, string>>, SOURCES)
}

/** Readers of SARIF expect a path relative to the working directory. */
function relativePath(file: string): string {
  const path = relative(process.cwd(), file)
  return path.startsWith('..') || isAbsolute(path) ? file : path.replaceAll('\\', '/')
}

function yamlOf(text: string, file: string): unknown {
  const document = parseDocument(text)
  const [error] = document.errors
  if (error) return refuseFile(`--spec: ${file} is not YAML: ${error.message.split('\n', 1)[0]}`)
  return document.toJS()
}

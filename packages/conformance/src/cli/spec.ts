import { isAbsolute, relative } from 'node:path'
import { parseDocument } from 'yaml'
import { loadContract } from '../model/contract-source.ts'
import { type Locate, locateBySources, locateInFile } from '../report/source-location.ts'
import { refuseFile } from './errors.ts'
import { jsonOf, readText } from './files.ts'
import { log } from './process.ts'

/** The contract of a run, and the source locations of its nodes. */
export interface Spec {
  /** Undefined: the partner payments contract. */
  readonly contract: object | undefined
  readonly locate: Locate
}

/**
 * Loads the contract that `--spec` names, or the partner payments contract.
 *
 * @throws {FileError} if the file cannot be read, or is neither JSON nor YAML.
 * @throws {ContractError} if the contract cannot be read
 */
export async function readSpec(file: string | undefined): Promise<Spec> {
  if (file === undefined) {
    const { default: sources } = await import('@partner-payments/spec/sources.json', {
      with: { type: 'json' },
    })
    return {
      contract: undefined,
      locate: locateBySources(sources as Readonly<Record<string, string>>, 'spec'),
    }
  }
  const text = readText(file, '--spec')
  // A YAML parser reads JSON too, but much more slowly.
  const value = text.trimStart().startsWith('{') ? jsonOf(text, `--spec: ${file}`) : yamlOf(text, file)
  if (typeof value !== 'object' || value === null)
    return refuseFile(`--spec: ${file} is not an OpenAPI document, but ${typeof value}`)
  const { leftOut } = await loadContract(value)
  if (leftOut.length > 0) log(leftOutNote(file, leftOut))
  return { contract: value, locate: locateInFile(relativePath(file), text) }
}

const NAMED = 5

function leftOutNote(file: string, leftOut: readonly string[]): string {
  const more = leftOut.length > NAMED ? `, and ${leftOut.length - NAMED} more` : ''
  const named = leftOut.slice(0, NAMED).join(', ')
  return `--spec: not checked, because ${file} lacks their operations or fields: ${named}${more}.`
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

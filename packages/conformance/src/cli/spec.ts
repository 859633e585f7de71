import { isAbsolute, relative } from 'node:path'
import { parseDocument } from 'yaml'
import { type Locate, locateBySources, locateInFile } from '../report/source-location.ts'
import { refuseFile } from './errors.ts'
import { jsonOf, readText } from './files.ts'

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
  return { contract: value, locate: locateInFile(relativePath(file), text) }
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

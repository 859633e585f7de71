import { isAbsolute, relative } from 'node:path'
import { parseDocument } from 'yaml'
import { type Locate, locateBySources, locateInFile } from '../report/locate.ts'
import { readText } from './files.ts'
import { refuseFile } from './usage.ts'

/** The contract of a run, and where its nodes were written. */
export interface Spec {
  /** Undefined: the contract of this project. */
  readonly contract: object | undefined
  readonly locate: Locate
}

/**
 * The contract that `--spec` names, or our own.
 *
 * @throws {FileError} where the file cannot be read, or is neither JSON nor YAML.
 */
export async function readSpec(file: string | undefined): Promise<Spec> {
  if (file === undefined) return { contract: undefined, locate: await ownLocate() }
  const text = readText(file, '--spec')
  return { contract: parsed(file, text), locate: locateInFile(fromHere(file), text) }
}

/** A name from the working directory, where the file is below it: it is what readers of SARIF find it by. */
function fromHere(file: string): string {
  const path = relative(process.cwd(), file)
  return path.startsWith('..') || isAbsolute(path) ? file : path.replaceAll('\\', '/')
}

function parsed(file: string, text: string): object {
  // JSON is YAML too, and read much faster as what it is.
  const value = text.trimStart().startsWith('{') ? fromJson(file, text) : fromYaml(file, text)
  if (typeof value === 'object' && value !== null) return value
  return refuseFile(`--spec: ${file} holds no OpenAPI document, but ${typeof value}`)
}

function fromJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return refuseFile(`--spec: ${file} is no JSON: ${error instanceof Error ? error.message : error}`)
  }
}

function fromYaml(file: string, text: string): unknown {
  const document = parseDocument(text)
  const [error] = document.errors
  if (error) return refuseFile(`--spec: ${file} is no YAML: ${error.message.split('\n', 1)[0]}`)
  return document.toJS()
}

async function ownLocate(): Promise<Locate> {
  const { default: sources } = await import('@partner-payments/spec/sources.json', { with: { type: 'json' } })
  return locateBySources(sources as Readonly<Record<string, string>>, 'spec')
}

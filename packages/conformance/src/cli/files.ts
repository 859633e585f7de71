import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, relative } from 'node:path'
import { parseDocument } from 'yaml'
import type { Result } from '../engine/result.ts'
import { renderHtml } from '../report/html.ts'
import { renderJsonl } from '../report/jsonl.ts'
import { renderJunit } from '../report/junit.ts'
import { renderMarkdown } from '../report/markdown.ts'
import type { ReportOptions } from '../report/options.ts'
import { renderRegister } from '../report/register.ts'
import { renderSarif } from '../report/sarif.ts'
import { type Locate, locateBySources, locateInFile } from '../report/source-location.ts'
import { refuse, refuseFile } from './errors.ts'
import { log } from './process.ts'

/**
 * Reads a file that a flag names.
 *
 * @throws {FileError} if it cannot be read.
 */
export function readText(file: string, flag: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    return refuseFile(`${flag}: ${file} cannot be read (${code}); name a file that exists`)
  }
}

/** @throws {FileError} if the text is not JSON. */
export function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    return refuseFile(`${file} is not JSON: ${error instanceof Error ? error.message : error}`)
  }
}

/**
 * Checks before a run that a file can be written, and creates its folder. The file itself is not opened, because it
 * may be a pipe.
 *
 * @throws {FileError} if it cannot be written.
 */
export function requireWritable(file: string, flag: string): void {
  tryWriting(file, flag, () => {
    if (!existsSync(file)) accessSync(dirname(file), constants.W_OK)
    else if (statSync(file).isDirectory()) throw new Error('it is a folder')
    else accessSync(file, constants.W_OK)
  })
}

/**
 * Writes a file that a flag names, and creates its folder.
 *
 * @throws {FileError} if it cannot be written.
 */
export function writeText(file: string, text: string, flag: string): void {
  tryWriting(file, flag, () => writeFileSync(file, text))
}

function tryWriting(file: string, flag: string, work: () => void): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    work()
  } catch (error) {
    refuseFile(`${flag}: ${file} cannot be written (${error instanceof Error ? error.message : error})`)
  }
}

type Render = (result: Result, options: ReportOptions) => string

const RENDERERS: Readonly<Record<string, Render>> = {
  junit: renderJunit,
  sarif: renderSarif,
  jsonl: renderJsonl,
  html: renderHtml,
  markdown: renderMarkdown,
  register: renderRegister,
  json: (result) => `${JSON.stringify(result, null, 2)}\n`,
}

/** The formats of `--report`. */
export const FORMATS = Object.keys(RENDERERS)

export interface ReportFile {
  readonly format: string
  readonly file: string
}

/**
 * Parses `--report` items such as `junit=FILE`, and checks before the run that the files can be written.
 *
 * @throws {UsageError} if a format is unknown, or a file is missing.
 * @throws {FileError} if a file cannot be written.
 */
export function readReports(items: readonly string[]): ReportFile[] {
  return items.map((item) => {
    const [, format = '', file] = /^([a-z]+)=(.+)$/.exec(item) ?? []
    if (!Object.hasOwn(RENDERERS, format) || file === undefined)
      return refuse(`--report must be FORMAT=FILE with one of ${FORMATS.join(', ')}, got "${item}"`)
    requireWritable(file, '--report')
    return { format, file }
  })
}

/**
 * Writes all reports, even if one of them cannot be written.
 *
 * @throws {FileError} for the first that cannot be written.
 */
export function writeReports(wanted: readonly ReportFile[], result: Result, options: ReportOptions): void {
  const errors = wanted.flatMap(({ format, file }) => {
    try {
      writeText(file, RENDERERS[format]?.(result, options) ?? '', '--report')
      return []
    } catch (error) {
      return [error]
    }
  })
  if (errors.length > 0) throw errors[0]
}

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
  return { contract: await toOpenApi31(value), locate: locateInFile(relativePath(file), text) }
}

/** Schemas of OpenAPI 3.0 have another meaning than those of 3.1. */
async function toOpenApi31(document: object): Promise<object> {
  if (!('openapi' in document && String(document.openapi).startsWith('3.0.'))) return document
  log('The contract is OpenAPI 3.0. It is converted to OpenAPI 3.1.')
  const { upgradeFromThreeToThreeOne } = await import('@scalar/openapi-upgrader/3.0-to-3.1')
  return upgradeFromThreeToThreeOne(document)
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

/** The version of this package and its documentation URL. */
export function readPackage(): { readonly version: string; readonly homepage?: string } {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
}

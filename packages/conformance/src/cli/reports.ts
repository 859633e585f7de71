import { renderHtml } from '../report/html.ts'
import { renderJunit } from '../report/junit.ts'
import { renderJsonl, renderRegister } from '../report/lines.ts'
import { renderMarkdown } from '../report/markdown.ts'
import type { ReportOptions } from '../report/options.ts'
import type { Result } from '../report/result.ts'
import { renderSarif } from '../report/sarif.ts'
import { visible } from '../report/text.ts'
import { refuse } from './errors.ts'
import { requireWritable, writeText } from './files.ts'

type Render = (result: Result, options: ReportOptions) => string

const RENDERERS: Readonly<Record<string, Render>> = {
  junit: renderJunit,
  sarif: renderSarif,
  jsonl: renderJsonl,
  html: renderHtml,
  markdown: renderMarkdown,
  register: renderRegister,
  json: (result) => `${visible(JSON.stringify(result, null, 2))}\n`,
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

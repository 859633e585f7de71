import type { Result } from '../engine/result.ts'
import { renderHtml } from '../report/html.ts'
import { renderJsonl } from '../report/jsonl.ts'
import { renderJunit } from '../report/junit.ts'
import type { Locate } from '../report/locate.ts'
import { renderMarkdown } from '../report/markdown.ts'
import { renderRegister } from '../report/register.ts'
import { renderSarif } from '../report/sarif.ts'
import { requireWritable, writeText } from './files.ts'
import { itemsOf } from './flags.ts'
import { refuse } from './usage.ts'
import { version } from './version.ts'

type Render = (result: Result, locate: Locate) => string

const FORMATS: Readonly<Record<string, Render>> = {
  junit: (result, locate) => renderJunit(result, { locate }),
  sarif: (result, locate) => renderSarif(result, { locate, version: version() }),
  jsonl: (result, locate) => renderJsonl(result, { locate }),
  html: (result, locate) => renderHtml(result, { locate }),
  markdown: (result, locate) => renderMarkdown(result, { locate }),
  register: (result) => renderRegister(result),
  json: (result) => `${JSON.stringify(result, null, 2)}\n`,
}

/** A report that was asked for. */
export interface Wanted {
  readonly format: string
  readonly file: string
  readonly render: Render
}

/**
 * Reads `--report`: `junit=FILE,html=FILE`, and sees that the files can be written, before the run, which takes its time.
 *
 * @throws {UsageError} where a format is unknown, or a file is missing.
 * @throws {FileError} where a file cannot be written.
 */
export function readReports(given: readonly string[] | undefined): Wanted[] {
  return itemsOf('--report', given).map((item) => {
    const [, format = '', file] = /^([a-z]+)=(.+)$/.exec(item) ?? []
    const render = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
    if (!render || file === undefined)
      return refuse(
        `--report must be FORMAT=FILE with one of ${Object.keys(FORMATS).join(', ')}, got "${item}"`,
      )
    requireWritable(file, '--report')
    return { format, file, render }
  })
}

/**
 * Writes reports, and the folders that they are in: those that can be where another cannot.
 *
 * @throws {FileError} where a file cannot be written, of the first.
 */
export function writeReports(wanted: readonly Wanted[], result: Result, locate: Locate): void {
  const faults = wanted.flatMap(({ file, render }) => {
    try {
      writeText(file, render(result, locate), '--report')
      return []
    } catch (error) {
      return [error]
    }
  })
  if (faults.length > 0) throw faults[0]
}

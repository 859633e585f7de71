import type { Result } from '../engine/result.ts'
import type { Locate } from '../report/locate.ts'
import { renderTerminal } from '../report/terminal.ts'

/** How a result is written. */
export interface Printing {
  readonly json: boolean
  readonly locate: Locate
  readonly verbose?: boolean
  readonly isPart?: boolean
  /** The file of the HTML report, where one was written. */
  readonly html?: string | undefined
}

/** Writes a result on stdout: for people, or as JSON. */
export function printResult(result: Result, { json, html, ...options }: Printing): void {
  const text = json
    ? `${JSON.stringify(result)}\n`
    : renderTerminal(result, { ...styleOfOutput(), ...options, ...(html !== undefined && { html }) })
  process.stdout.write(text)
}

/** Colours and columns of stdout. A pseudo terminal may say that it has 0 columns. */
export function styleOfOutput(): { color: boolean; width: number } {
  const { columns, isTTY = false } = process.stdout
  return { color: isTTY && !process.env.NO_COLOR, width: columns || (isTTY ? 80 : 100) }
}

/** Writes a sentence on stderr. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`)
}

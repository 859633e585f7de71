import type { Locate } from '../report/locate.ts'
import { renderTerminal } from '../report/terminal.ts'
import type { Result } from '../result.ts'

/** Writes a result on stdout: for people, or as JSON. */
export function printResult(result: Result, { json, locate }: { json: boolean; locate: Locate }): void {
  const { columns = 100, isTTY = false } = process.stdout
  const color = isTTY && !process.env.NO_COLOR
  const text = json
    ? `${JSON.stringify(result)}\n`
    : renderTerminal(result, { color, width: columns, locate })
  process.stdout.write(text)
}

/** Writes a sentence on stderr. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`)
}

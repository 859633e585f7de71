import { visible, withoutCommands } from '@partner-payments/contract'

/** JSON escapes fewer characters than `visible`, in the same way. */
export function visibleJson(value: unknown, indent?: number): string {
  const lines = JSON.stringify(value, undefined, indent).split('\n')
  return lines.map((line) => visible(line)).join('\n')
}

/** Writes to stdout, which programs read. */
export function write(text: string): void {
  process.stdout.write(`${withoutCommands(text)}\n`)
}

/** Writes to stderr. */
export function report(text: string): void {
  process.stderr.write(`${withoutCommands(text)}\n`)
}

import { type BrCode, type BrCodeError, type Issue, tryDecode } from '@partner-payments/brcode'
import { visible } from '@partner-payments/text'
import { renderUnicodeCompact } from 'uqr'
import { CliError, refuse } from './errors.ts'
import { visibleJson, write } from './terminal.ts'

interface DecodeFlags {
  readonly lenient?: boolean
  readonly qr: boolean
  readonly json?: boolean
}

/** Maximum number of characters to read from stdin: a payment code has 512 bytes. */
const MAX_CHARACTERS = 10_000

/** Prints the fields of a payment code, or the position of its first error. */
export async function decodeCommand(
  [code]: readonly string[] = [],
  flags: DecodeFlags,
): Promise<void> {
  const text = (code === undefined || code === '-' ? await stdin() : code).trim()
  const result = tryDecode(text, { profile: flags.lenient ? 'lenient' : 'strict' })
  if (!result.ok)
    throw new CliError(
      flags.json ? visibleJson(issueOf(result.error)) : explainError(text, result.error),
    )
  if (flags.json) return write(visibleJson(result.code, 2))
  write(fieldsOf(result.code))
  for (const issue of result.code.issues)
    write(`tolerated: ${visible(issue.path || 'the code')}: expected ${visible(issue.expected)}`)
  if (flags.qr) write(renderUnicodeCompact(text))
}

function issueOf({ code, path, offset, expected, found }: BrCodeError): Issue {
  return { code, path, offset, expected, found }
}

/** The code with a mark below the position of the error. */
function explainError(text: string, error: BrCodeError): string {
  const { offset } = error
  if (offset === undefined) return `Invalid payment code: ${visible(error.message)}`
  const start = Math.max(0, offset - 30)
  const before = `  ${start > 0 ? '…' : ''}${visible(text.slice(start, offset))}`
  return [
    `Invalid payment code: object ${visible(error.message)}`,
    `${before}${visible(text.slice(offset, offset + 40))}`,
    `${' '.repeat(before.length)}^`,
  ].join('\n')
}

function fieldsOf(code: BrCode): string {
  const shown = Object.entries(code).filter(
    ([, value]) => typeof value === 'string' && value !== '',
  )
  const width = Math.max(...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${visible(value)}`).join('\n')
}

async function stdin(): Promise<string> {
  if (process.stdin.isTTY)
    refuse('decode needs a code: pass it as an argument, or pipe it to stdin.')
  let text = ''
  for await (const chunk of process.stdin) {
    text += chunk
    if (text.length > MAX_CHARACTERS)
      throw new CliError(
        `A payment code has at most 512 bytes; stdin has more than ${MAX_CHARACTERS}.`,
      )
  }
  return text
}

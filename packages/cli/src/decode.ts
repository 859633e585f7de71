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
  const isFromStdin = code === undefined || code === '-'
  const source = isFromStdin ? await readStdin() : code
  const text = source.trim()
  const result = tryDecode(text, { profile: flags.lenient ? 'lenient' : 'strict' })

  if (!result.ok) {
    const message = flags.json
      ? visibleJson(issueOf(result.error))
      : explainError(text, result.error)
    throw new CliError(message)
  }

  if (flags.json) {
    write(visibleJson(result.code, 2))
    return
  }
  write(listFields(result.code))
  for (const { path, expected } of result.code.issues)
    write(`tolerated: ${visible(path || 'the code')}: expected ${visible(expected)}`)
  if (flags.qr) write(renderUnicodeCompact(text))
}

/** The fields of an error that are the same as those of a tolerated issue. */
function issueOf({ code, path, offset, expected, found }: BrCodeError): Issue {
  return { code, path, offset, expected, found }
}

/** Characters of the code to show before and after the position of an error. */
const BEFORE = 30
const AFTER = 40

/** The code with a mark below the position of the error. */
function explainError(text: string, error: BrCodeError): string {
  const { offset } = error
  if (offset === undefined) return `Invalid payment code: ${visible(error.message)}`

  const start = Math.max(0, offset - BEFORE)
  const ellipsis = start > 0 ? '…' : ''
  const before = `  ${ellipsis}${visible(text.slice(start, offset))}`
  const after = visible(text.slice(offset, offset + AFTER))
  const mark = `${' '.repeat(before.length)}^`
  return `Invalid payment code: object ${visible(error.message)}\n${before}${after}\n${mark}`
}

/** The fields that have a text, one a line. */
function listFields(code: BrCode): string {
  const fields = Object.entries(code).filter(
    ([, value]) => typeof value === 'string' && value !== '',
  )
  const width = Math.max(...fields.map(([name]) => name.length))
  const lines = fields.map(([name, value]) => `${name.padEnd(width)}  ${visible(value)}`)
  return lines.join('\n')
}

async function readStdin(): Promise<string> {
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

import { type BrCode, type BrCodeError, type Issue, tryDecode } from '@partner-payments/brcode'
import { renderUnicodeCompact } from 'uqr'
import { CliError } from './service.ts'

interface DecodeFlags {
  readonly lenient?: boolean
  readonly qr: boolean
  readonly json?: boolean
}

/** Maximum number of characters to read from stdin: a payment code has 512 bytes. */
const MAX_CHARACTERS = 10_000

/** Prints the fields of a payment code, or the position of its first error. */
export async function decodeCommand([code]: readonly string[] = [], flags: DecodeFlags): Promise<void> {
  const text = (code === undefined || code === '-' ? await stdin() : code).trim()
  const result = tryDecode(text, { profile: flags.lenient ? 'lenient' : 'strict' })
  if (!result.ok)
    throw new CliError(flags.json ? JSON.stringify(issueOf(result.error)) : explainError(text, result.error))
  if (flags.json) return write(JSON.stringify(result.code, undefined, 2))
  write(fieldsOf(result.code))
  for (const issue of result.code.issues)
    write(`tolerated: ${issue.path || 'the code'}: expected ${issue.expected}`)
  if (flags.qr) write(renderUnicodeCompact(text))
}

function issueOf({ code, path, offset, expected, found }: BrCodeError): Issue {
  return { code, path, offset, expected, found }
}

/** The code with a mark below the position of the error. */
function explainError(text: string, error: BrCodeError): string {
  const { offset } = error
  const message = `Invalid payment code: object ${error.message}`
  if (offset === undefined) return `Invalid payment code: ${error.message}`
  const start = Math.max(0, offset - 30)
  const part = text.slice(start, offset + 40)
  return [
    message,
    `  ${start > 0 ? '…' : ''}${part}`,
    `  ${' '.repeat(offset - start + (start > 0 ? 1 : 0))}^`,
  ].join('\n')
}

function fieldsOf(code: BrCode): string {
  const shown = Object.entries(code).filter(([, value]) => typeof value === 'string' && value !== '')
  const width = Math.max(...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')
}

async function stdin(): Promise<string> {
  if (process.stdin.isTTY)
    throw new CliError('decode needs a code: pass it as an argument, or pipe it to stdin.')
  let text = ''
  for await (const chunk of process.stdin) {
    text += chunk
    if (text.length > MAX_CHARACTERS)
      throw new CliError(`A payment code has at most 512 bytes; stdin has more than ${MAX_CHARACTERS}.`)
  }
  return text
}

function write(text: string): void {
  process.stdout.write(`${text}\n`)
}

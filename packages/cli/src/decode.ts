import {
  type BrCode,
  type BrCodeError,
  explain,
  type Issue,
  tryDecode,
} from '@partner-payments/brcode'
import { findHints, type Hint, readableObjects } from '@partner-payments/brcode/hints'
import type { Values } from '@partner-payments/command'
import { visible } from '@partner-payments/contract'
import { renderUnicodeCompact } from 'uqr'
import { CliError, refuse } from './errors.ts'
import type { DECODE } from './tables.ts'
import { visibleJson, write } from './terminal.ts'

type DecodeFlags = Values<typeof DECODE.options>

/** Maximum number of characters to read from stdin: a payment code has 512 bytes. */
const MAX_CHARACTERS = 10_000

/** Prints the fields of a payment code, or what is wrong with it, and where. */
export async function decodeCommand(codes: readonly string[], flags: DecodeFlags): Promise<void> {
  const text = await readCode(codes)
  const result = tryDecode(text, { profile: flags.lenient ? 'lenient' : 'strict' })
  if (!result.ok) {
    const refusal = createRefusal(text, result.error)
    throw new CliError(flags.json ? visibleJson(refusal) : describeRefusal(text, refusal))
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

/** The code from the arguments, or from stdin without one or with `-`. */
async function readCode(codes: readonly string[]): Promise<string> {
  // The shell makes several arguments of a code without quotes.
  if (codes.length > 1) refuse('Put a code that has spaces in quotes.')
  const [code] = codes
  const isFromStdin = code === undefined || code === '-'
  const text = isFromStdin ? await readStdin() : code
  return text.trim()
}

/** Why a code is refused, as `--json` prints it. */
interface Refusal extends Issue {
  /** What is wrong, in a sentence. */
  readonly explanation: string
  readonly hints: readonly Hint[]
  /** The objects of the first level before the error. */
  readonly objects: readonly { readonly id: string; readonly value: string }[]
  /** Whether `--lenient` reads the code. */
  readonly acceptedByLenient: boolean
}

/**
 * Why a code is refused, for a person and for `--json`: the error, what probably happened to the
 * code (hints), and what could be read before the error.
 */
function createRefusal(text: string, error: BrCodeError): Refusal {
  const { code, path, offset, expected, found } = error
  const placeOfError = offset ?? text.length
  const objectsBefore = readableObjects(text).filter((object) => object.offset < placeOfError)
  return {
    code,
    path,
    offset,
    expected,
    found,
    explanation: explain(error),
    hints: findHints(text),
    objects: objectsBefore.map(({ id, value }) => ({ id, value })),
    acceptedByLenient: tryDecode(text, { profile: 'lenient' }).ok,
  }
}

/**
 * Why a code is refused, as lines for a person: the error with a mark below its place, hints, and
 * what could be read before it.
 */
function describeRefusal(text: string, refusal: Refusal): string {
  const { explanation, hints, objects, acceptedByLenient } = refusal
  const lines = [`Invalid payment code: ${visible(explanation)}`, ...markPlace(text, refusal)]

  for (const { sentence } of hints) lines.push(`Hint: ${visible(sentence)}`)

  if (objects.length > 0) lines.push('Objects before the error:')
  for (const { id, value } of objects) lines.push(`  ${id}  ${visible(value)}`)

  if (acceptedByLenient) lines.push('With --lenient, this code can be read.')
  return lines.join('\n')
}

/** Characters of the code to show before and after the place of an error. */
const SHOWN_BEFORE = 30
const SHOWN_AFTER = 40

/**
 * Two lines: the code around the error, and below its place a mark with what was expected, such as
 * `^ expected "986", got "840"`. Only the second one if the error has no place.
 */
function markPlace(text: string, { offset, expected, found }: Refusal): string[] {
  const got = found === undefined ? 'nothing' : JSON.stringify(shorten(found))
  const difference = visible(`expected ${expected}, got ${got}`)
  if (offset === undefined) return [`  ${difference}`]

  const start = Math.max(0, offset - SHOWN_BEFORE)
  const ellipsis = start > 0 ? '…' : ''
  const before = `  ${ellipsis}${visible(text.slice(start, offset))}`
  const after = visible(text.slice(offset, offset + SHOWN_AFTER))
  return [before + after, `${' '.repeat(before.length)}^ ${difference}`]
}

/** The line above the mark shows more of it. */
function shorten(found: string): string {
  return found.length > SHOWN_AFTER ? `${found.slice(0, SHOWN_AFTER)}…` : found
}

/**
 * The fields of a code that have a text, one a line: the name, and the value in a second column.
 */
function listFields(code: BrCode): string {
  const fields: [name: string, value: string][] = []
  for (const [name, value] of Object.entries(code))
    if (typeof value === 'string' && value !== '') fields.push([name, value])

  const width = Math.max(...fields.map(([name]) => name.length))
  const lines = fields.map(([name, value]) => `${name.padEnd(width)}  ${visible(value)}`)
  return lines.join('\n')
}

/** The code that is piped to the command, as text. */
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

import { bytesOfCode } from './bytes.ts'
import { checksum } from './crc16.ts'
import { BrCodeError, type Issue, type IssueHandler, refuse } from './error.ts'
import type { BrCode } from './fields.ts'
import { createIssue, createMissingIssue } from './issue.ts'
import { readFields } from './read.ts'
import { type BrObject, type Level, readLevel } from './tlv.ts'

/**
 * How strictly {@link decode} and {@link encode} apply the standard.
 *
 * @example
 * const payer: Profile = { profile: 'lenient' }
 */
export interface Profile {
  /**
   * `"strict"`, the default, applies the standard. `"lenient"` accepts deviations that banks issue,
   * and lists them in `issues`: a name or a city that is too long or not printable ASCII, a message
   * not printable ASCII, a txid over 25 characters or with characters other than letters and
   * digits, or empty, no object 62, a key without a DICT format, an amount of zero, an invalid
   * amount in a code without a key (it is in `ignored` too), a location whose host has no dot, an
   * empty label or a port, or without path or token, the location of a recurrence with `/subs/` for
   * `/rec/`, a checksum in lower case, an error inside a template of another arrangement. A static
   * code or one with a due date is also accepted without its recurrence if that has an error: it is
   * paid, and `recurrence` is `undefined` (Manual de Padrões para Iniciação do Pix, 3.3.2). A
   * template of Pix in 80 to 99 without a location, as in codes from before recurrences, is ignored
   * and not listed.
   *
   * Names, keys, txids and messages of a lenient code may contain control characters: escape them
   * before you print them.
   */
  profile?: 'strict' | 'lenient' | undefined
}

/**
 * Decodes a Pix BR Code: the text of a QR code, or the text that the payer pasted. Trim the text
 * first.
 *
 * Validates the checksum, the structure and the format of each value. Fetches nothing: only the
 * receiver's institution knows whether a key exists or a charge is still due. At most 512 bytes, in
 * linear time.
 *
 * @throws {BrCodeError} if the profile does not accept the code.
 * @example
 * declare const pasted: string
 * const code = decode(pasted)
 * if (code.kind === 'static') console.log(code.key, code.amount ?? 'the payer types it')
 * @see Manual de Padrões para Iniciação do Pix, 2; EMVCo QR Code Specification, Merchant-Presented
 * Mode, 3 and 4.
 */
export function decode(code: string, options?: Profile): BrCode {
  const issues: Issue[] = []
  const record: IssueHandler = (issue) => issues.push(issue)
  const onTolerable = options?.profile === 'lenient' ? record : refuse

  const level = readObjects(code, onTolerable)
  return readFields(level, onTolerable, issues)
}

/** Reads the objects of a code, and checks that the checksum fits. */
export function readObjects(code: string, onTolerable: IssueHandler): Level {
  const bytes = bytesOfCode(code)
  // The first level is inside no template.
  const level = readLevel(code, refuse, undefined)
  checkEnds(bytes, level, onTolerable)
  return level
}

/**
 * Like {@link decode}, but returns the {@link BrCodeError} instead of throwing it. Any other error
 * is a bug, and is thrown.
 *
 * @example
 * declare const pasted: string
 * const result = tryDecode(pasted, { profile: 'lenient' })
 * console.log(result.ok ? result.code.kind : result.error.message)
 * @see Manual de Padrões para Iniciação do Pix, 2; EMVCo QR Code Specification, Merchant-Presented
 * Mode, 3 and 4.
 */
export function tryDecode(code: string, options?: Profile): DecodeResult {
  try {
    return { ok: true, code: decode(code, options) }
  } catch (error) {
    if (error instanceof BrCodeError) return { ok: false, error }
    throw error
  }
}

/**
 * The result of {@link tryDecode}.
 *
 * @example
 * const kindOf = (result: DecodeResult) => (result.ok ? result.code.kind : result.error.code)
 */
export type DecodeResult =
  | {
      /** The profile accepts the code. */
      ok: true
      /** The decoded code. */
      code: BrCode
    }
  | {
      /** The profile does not accept the code. */
      ok: false
      /** The reason and its location. */
      error: BrCodeError
    }

/**
 * Refuses a code that does not begin with object 00 (`000201`), or does not end with the checksum
 * of all before it, such as `6304A13E`. The order between them is free (EMVCo MPM, section 3).
 */
function checkEnds(bytes: string, level: Level, onTolerable: IssueHandler): void {
  const lastIndex = level.objects.length - 1
  requireObjectAt(level, { id: 0, index: 0 }, 'this object first')
  const last = requireObjectAt(level, { id: 63, index: lastIndex }, 'this object last')

  // Only ASCII characters are also the last four bytes. The ligature `ﬀ`, which has three bytes,
  // would pass for `FF`, its upper case.
  if (!/^[\dA-Fa-f]{4}$/.test(last.value))
    refuse(createIssue(last, 'crc', 'four hexadecimal digits'))

  const crc = checksum(bytes, bytes.length - 4)
  if (last.value === crc) return

  const issue = createIssue(last, 'crc', crc)
  const isInLowerCase = last.value.toUpperCase() === crc
  if (!isInLowerCase) refuse(issue)
  onTolerable(issue)
}

/** The object with an id, which must be at this index of the level. */
function requireObjectAt(
  level: Level,
  { id, index }: { readonly id: number; readonly index: number },
  expected: string,
): BrObject {
  const object = level.at[id] ?? refuse(createMissingIssue(id, expected))
  if (object !== level.objects[index]) refuse(createIssue(object, 'order', expected))
  return object
}

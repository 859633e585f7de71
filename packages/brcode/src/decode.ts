import { bytesOfCode } from './bytes.ts'
import { checksum } from './crc16.ts'
import { BrCodeError, type Issue, type Report, refuse } from './error.ts'
import type { BrCode } from './fields.ts'
import { issueAt, issueMissing } from './issue.ts'
import { readFields } from './read.ts'
import { type BrObject, type Level, readLevel } from './tlv.ts'

/**
 * How strictly {@link decode} and {@link encode} hold a code to the norm.
 *
 * @example
 * const payer: Profile = { profile: 'lenient' }
 */
export interface Profile {
  /**
   * `"strict"`, the default, holds a code to the norm. `"lenient"` lets pass what banks really issue, and lists it
   * in `issues`: a name or a city that is too long or not printable ASCII, a message not printable ASCII, a txid over
   * 25 characters or with others than letters and digits or none at all, a key in no form of the DICT, an amount of
   * zero, an amount in no form in a code without a key (it is in `ignored` too), a location whose host has no dot, an
   * empty label or a port, or without path or token, the location of a recurrence with `/subs/` for `/rec/`, the
   * template of a recurrence without its location, a checksum in lower case, a fault inside a template of another
   * arrangement. A template of Pix in 80 to 99 that holds something else than a location, as codes from before
   * recurrences do, is passed over and not listed.
   */
  profile?: 'strict' | 'lenient' | undefined
}

/**
 * Reads a Pix BR Code: the text of a QR code, or what the payer pasted. Takes the text as it is; trim it first.
 *
 * The checksum, the structure and the form of each value are checked. Nothing is fetched: whether a key exists or
 * a charge is still due, only the receiver's institution knows. At most 512 bytes; time is linear in the length.
 *
 * @throws {BrCodeError} when the code is not what the profile admits.
 * @example
 * declare const pasted: string
 * const code = decode(pasted)
 * if (code.kind === 'static') console.log(code.key, code.amount ?? 'the payer types it')
 * @see Manual de Padrões para Iniciação do Pix, 2; EMVCo QR Code Specification, Merchant-Presented Mode, 3 and 4.
 */
export function decode(code: string, options?: Profile): BrCode {
  const issues: Issue[] = []
  const tolerate: Report = options?.profile === 'lenient' ? (issue) => issues.push(issue) : refuse
  const bytes = bytesOfCode(code)
  const level = readLevel(code, refuse, undefined)
  checkEnds(bytes, level, tolerate)
  return readFields(level, tolerate, issues)
}

/**
 * {@link decode} for codes that are expected to fail: answers with the error instead of throwing it. Throws nothing.
 *
 * @example
 * declare const pasted: string
 * const result = tryDecode(pasted, { profile: 'lenient' })
 * console.log(result.ok ? result.code.kind : result.error.message)
 * @see Manual de Padrões para Iniciação do Pix, 2; EMVCo QR Code Specification, Merchant-Presented Mode, 3 and 4.
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
 * What {@link tryDecode} answers.
 *
 * @example
 * const kindOf = (result: DecodeResult) => (result.ok ? result.code.kind : result.error.code)
 */
export type DecodeResult =
  | {
      /** The code is what the profile admits. */
      ok: true
      /** What it says. */
      code: BrCode
    }
  | {
      /** The code is not what the profile admits. */
      ok: false
      /** Why, and where. */
      error: BrCodeError
    }

/** 00 comes first and 63 last; between them any order will do (EMVCo MPM, section 3). */
function checkEnds(bytes: string, level: Level, tolerate: Report): void {
  objectAt(level, 0, 0, 'this object first')
  const last = objectAt(level, 63, level.objects.length - 1, 'this object last')
  // A ligature can be two digits in upper case and is three bytes: only of this form are they surely the last four.
  if (!/^[\dA-Fa-f]{4}$/.test(last.value)) refuse(issueAt(last, 'crc', 'four hexadecimal digits'))
  const crc = checksum(bytes, bytes.length - 4)
  if (last.value === crc) return
  const report = last.value.toUpperCase() === crc ? tolerate : refuse
  report(issueAt(last, 'crc', crc))
}

function objectAt(level: Level, id: number, index: number, expected: string): BrObject {
  const object = level.at[id] ?? refuse(issueMissing(id, expected))
  if (object !== level.objects[index]) refuse(issueAt(object, 'order', expected))
  return object
}

import { checksum } from '../crc16.ts'
import type { BrCodeError } from '../error.ts'
import { hasFittingChecksum } from './fits.ts'
import type { SingleFault } from './hint.ts'

/** The checksum is that of the text in Latin-1. */
export const CHECKSUM_OVER_LATIN_1: SingleFault = {
  fault: 'checksum-over-latin-1',
  isPresent: isChecksumOverLatin1,
  describe: () =>
    'The checksum was computed over Latin-1 (ISO 8859-1), one byte for each character; compute it over UTF-8.',
}
/** The checksum lacks a leading zero. */
export const CHECKSUM_ZERO_LOST: SingleFault = {
  fault: 'checksum-zero-lost',
  isPresent: hasLostChecksumZero,
  describe: () => 'The checksum has lost a leading zero; write it with four hexadecimal digits.',
}

/**
 * Whether a refused checksum would be right if each character were one byte, as in Latin-1: `é` is
 * one byte there, and two in UTF-8.
 */
function isChecksumOverLatin1(text: string, { code, found }: BrCodeError): boolean {
  if (code !== 'crc') return false

  const isLatin1 = /^[\0-\xff]+$/.test(text)
  // The last four characters are the checksum itself.
  return isLatin1 && found?.toUpperCase() === checksum(text, text.length - 4)
}

/** Whether the code fits if its checksum gets leading zeros: `6304A3F` becomes `63040A3F`. */
function hasLostChecksumZero(text: string): boolean {
  const [, digits] = SHORT_CHECKSUM.exec(text) ?? []
  if (digits === undefined) return false
  return hasFittingChecksum(text.slice(0, -digits.length) + digits.padStart(4, '0'))
}

const SHORT_CHECKSUM = /6304([\dA-Fa-f]{1,3})$/

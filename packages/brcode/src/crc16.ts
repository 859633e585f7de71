import { bytesOf } from './bytes.ts'
import { fourHex } from './digits.ts'

/**
 * The checksum of a BR Code: CRC-16 with polynomial 0x1021 and initial value 0xFFFF, nothing
 * reflected, over the UTF-8 bytes (ISO/IEC 13239; EMVCo MPM, section 4; Manual do BR Code). Returns
 * 0 to 65535.
 *
 * @example
 * crc16('123456789') // 0x29b1
 */
export function crc16(text: string): number {
  const bytes = bytesOf(text)
  return crc16OfBytes(bytes, bytes.length)
}

/**
 * The value of object 63 for the preceding bytes: the checksum in four upper-case hexadecimal
 * digits.
 */
export function checksum(bytes: string, length: number): string {
  return fourHex(crc16OfBytes(bytes, length))
}

/**
 * The checksum of the first `length` bytes of a string, which has a byte in each character. Adds
 * two bytes at a time, which is faster.
 */
function crc16OfBytes(bytes: string, length: number): number {
  const isOdd = length % 2 === 1
  // The first of an odd number of bytes makes a pair with a zero byte before it, which changes
  // nothing: it turns BEFORE_ZERO into INITIAL.
  let crc = isOdd ? addPair(BEFORE_ZERO, bytes.charCodeAt(0)) : INITIAL
  for (let index = isOdd ? 1 : 0; index < length; index += 2) {
    const pair = (bytes.charCodeAt(index) << 8) | bytes.charCodeAt(index + 1)
    crc = addPair(crc, pair)
  }
  return crc
}

/** The checksum of no bytes. */
const INITIAL = 0xffff
/** The one from which a zero byte leads to {@link INITIAL}, so that such a byte changes nothing. */
const BEFORE_ZERO = 0x1e0c

/**
 * The checksum after two more bytes, `pair`: the remainder by the polynomial x^16 + x^12 + x^5 + 1.
 * The shifts divide all 16 bits at once, which otherwise takes a loop over the bits, or a table.
 */
function addPair(crc: number, pair: number): number {
  const high = crc ^ pair
  // By what the polynomial is multiplied to remove the 16 bits of `high`.
  const folded = high ^ (high >> 8)
  const quotient = folded ^ (folded >> 4) ^ (folded >> 11)
  // The other 16 bits of this product are the remainder.
  return (quotient ^ (quotient << 5) ^ (quotient << 12)) & 0xffff
}

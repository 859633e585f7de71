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
 * The checksum of the first bytes of a string, which has a byte in each character. Takes two bytes
 * at a time, which is faster; of an odd number, the first is taken alone.
 */
function crc16OfBytes(bytes: string, length: number): number {
  const isOdd = length % 2 === 1
  let crc = isOdd ? addPair(BEFORE_ODD, bytes.charCodeAt(0)) : 0xffff
  for (let index = isOdd ? 1 : 0; index < length; index += 2) {
    const pair = (bytes.charCodeAt(index) << 8) | bytes.charCodeAt(index + 1)
    crc = addPair(crc, pair)
  }
  return crc
}

// A zero byte leads to 0xFFFF, so an odd number of bytes can be processed as pairs with a leading
// zero.
const BEFORE_ODD = 0x1e0c

/**
 * The remainder by x^16 + x^12 + x^5 + 1, computed with shifts: two bytes per step, without a
 * table.
 */
function addPair(crc: number, pair: number): number {
  const high = crc ^ pair
  const folded = high ^ (high >> 8)
  const quotient = folded ^ (folded >> 4) ^ (folded >> 11)
  return (quotient ^ (quotient << 5) ^ (quotient << 12)) & 0xffff
}

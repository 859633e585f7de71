import { crc32, deflateSync } from 'node:zlib'
import { encode } from 'uqr'

const QUIET_ZONE = 4
const SCALE = 4
// Trying all eight masks takes most of the time, and this one is best for most payment codes.
// Readers accept any.
const MASK = 2

/**
 * Renders a text as a QR code in a base64 PNG, with 4 pixels per module and a quiet zone of 4
 * modules. The error correction level is L, or higher if the code does not grow.
 *
 * ISO/IEC 18004:2015, except for 7.8.3, which chooses the best mask for each code; PNG, third
 * edition.
 *
 * @throws {RangeError} if the text is too long for a QR code, over 2953 bytes of UTF-8.
 * @throws {URIError} if it contains a lone surrogate.
 */
export function encodePng(text: string): string {
  const { data } = encode(text, { border: QUIET_ZONE, boostEcc: true, maskPattern: MASK })
  return encodePixels(data).toString('base64')
}

/** Encodes a QR code as a PNG image. A module is one square of the code: true is dark. */
function encodePixels(modules: boolean[][]): Buffer {
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    createChunk('IHDR', createHeader(modules.length * SCALE)),
    createChunk('IDAT', deflateSync(Buffer.concat(modules.map(createLines)))),
    createChunk('IEND', Buffer.alloc(0)),
  ])
}

/** A chunk of a PNG file: length, type, data and checksum. */
function createChunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const content = Buffer.concat([Buffer.from(type), data])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, checksum])
}

/**
 * The header of a square greyscale PNG image with one bit per pixel. The other bytes stay 0: the
 * only defined methods, and no interlace.
 */
function createHeader(side: number): Buffer {
  const data = Buffer.alloc(13)
  const bitDepth = 1
  data.writeUInt32BE(side, 0)
  data.writeUInt32BE(side, 4)
  data[8] = bitDepth
  return data
}

/**
 * The lines of the image for one row of modules (the squares of the code). The first line has the
 * pixels; the others have filter 2, which repeats the line above.
 */
function createLines(modules: boolean[]): Buffer {
  // A byte for the filter, then two modules per byte.
  const length = 1 + Math.ceil(modules.length / 2)
  const bytes = Buffer.alloc(length * SCALE)
  setPixels(modules, bytes.subarray(1, length))
  for (let line = 1; line < SCALE; line++) bytes[line * length] = FILTER_UP
  return bytes
}

const FILTER_UP = 2

/**
 * Draws a row of modules, the squares of the code, into the bytes of a line. A byte has two modules
 * of four pixels each. White pixels are set.
 */
function setPixels(modules: boolean[], bytes: Buffer): void {
  bytes.fill(0xff)
  for (const [i, isDark] of modules.entries()) {
    if (!isDark) continue
    const place = i >> 1
    // The left module has the high half of a byte. Clear it, and keep the other half.
    const isLeft = i % 2 === 0
    const otherHalf = isLeft ? 0x0f : 0xf0
    bytes[place] = (bytes[place] ?? 0) & otherHalf
  }
}

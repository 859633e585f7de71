import jsqr from 'jsqr'
import { PNG } from 'pngjs'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/**
 * Finds what is wrong with the image of a payment code, such as `has no readable QR code`; undefined if
 * nothing is.
 *
 * @param image A PNG in base64.
 * @param emv The payment code that it must hold.
 */
export function findImageProblem(image: string, emv: string): string | undefined {
  const bytes = Buffer.from(image, 'base64')
  if (!isWholePng(bytes)) return 'is no complete PNG in base64'

  const codeOfImage = readCode(bytes)
  if (codeOfImage === undefined) return 'has no readable QR code'
  return codeOfImage === emv ? undefined : 'holds another payment code'
}

/** Pixels of the largest image that is read: a code needs a hundredth of them. */
const MAX_PIXELS = 1_500_000

/**
 * Whether the decoder can read an image, a PNG in base64, without working for seconds: it is small enough, and
 * not interlaced, since the decoder inflates such images without a limit. The first chunk of a PNG, IHDR,
 * says both. Also true for a text that is no PNG, which the decoder rejects at once.
 */
export function canReadImage(image: string): boolean {
  const bytes = Buffer.from(image.slice(0, 64), 'base64')
  const isPng = bytes.length >= IHDR_END && hasSignature(bytes)
  if (!isPng) return true

  const pixels = bytes.readUInt32BE(WIDTH_AT) * bytes.readUInt32BE(HEIGHT_AT)
  const isInterlaced = bytes[INTERLACE_AT] !== 0
  return pixels <= MAX_PIXELS && !isInterlaced
}

/** Where a PNG has its fields (PNG, section 11.2.1): after its signature, and length and name of the chunk. */
const WIDTH_AT = 16
const HEIGHT_AT = 20
const INTERLACE_AT = 28
const IHDR_END = 29

/** A PNG ends with its chunk IEND: its length, its name, and four bytes of checksum. */
function isWholePng(bytes: Buffer): boolean {
  return hasSignature(bytes) && bytes.subarray(-8, -4).toString('latin1') === 'IEND'
}

function hasSignature(bytes: Buffer): boolean {
  return bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)
}

/** Reads the text of the QR code in a PNG; undefined if none can be read. */
function readCode(bytes: Buffer): string | undefined {
  try {
    const image = PNG.sync.read(bytes)
    // A small copy takes less time, but may lose the code.
    return scan(reduceImage(image)) ?? scan(image)
  } catch {
    return undefined
  }
}

type Image = Pick<PNG, 'data' | 'width' | 'height'>

function scan({ data, width, height }: Image): string | undefined {
  const options = { inversionAttempts: 'dontInvert' } as const
  return jsqr.default(new Uint8ClampedArray(data), width, height, options)?.data
}

/** Pixels along a side that show each module of the largest payment code. */
const ENOUGH_PIXELS = 250

/**
 * Returns a smaller copy of an image with every n-th pixel of each row and column (n is `step`), since the time
 * of a scan grows with the pixels. If the QR code fills the image, the copy shows each of its squares.
 */
function reduceImage({ data, width, height }: Image): Image {
  // One number for the four bytes of a pixel.
  const pixels = new Uint32Array(Uint8Array.from(data).buffer)
  // The width of a square, or more if the image is so large that even that leaves enough pixels.
  const step = Math.max(
    Math.floor(Math.min(width, height) / ENOUGH_PIXELS),
    findModuleSize(pixels, width),
  )
  const columns = Math.floor(width / step)
  const rows = Math.floor(height / step)
  const sampled = new Uint32Array(columns * rows)

  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const rowStart = row * step * width
      sampled[row * columns + column] = pixels[rowStart + column * step] ?? 0
    }
  }

  return { data: Buffer.from(sampled.buffer), width: columns, height: rows }
}

/**
 * Finds the width of a module, the smallest square of a QR code, in pixels. The colour changes only where a
 * module ends: if it changes at the columns 8, 12 and 20, the width is 4, their greatest common divisor.
 */
function findModuleSize(pixels: Uint32Array, width: number): number {
  let moduleSize = width
  for (let index = 1; index < pixels.length; index++) {
    const column = index % width
    const isWithinRow = column > 0
    const isChange = pixels[index] !== pixels[index - 1]
    if (isWithinRow && isChange) moduleSize = findGreatestCommonDivisor(moduleSize, column)
  }
  return moduleSize
}

function findGreatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : findGreatestCommonDivisor(b, a % b)
}

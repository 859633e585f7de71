import jsqr from 'jsqr'
import { PNG } from 'pngjs'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** What an image says of its payment code: `unknown` if only a smaller copy was scanned, which shows no code. */
export type ImageResult = 'agrees' | 'unknown' | { readonly problem: string }

/**
 * Compares the image of a payment code with the code.
 *
 * @param image A PNG in base64.
 * @param emv The payment code that it must hold.
 * @returns Such as `{ problem: 'has no readable QR code' }`.
 */
export function compareImage(image: string, emv: string): ImageResult {
  const bytes = Buffer.from(image, 'base64')
  if (!isWholePng(bytes)) return { problem: 'is no complete PNG in base64' }

  const decoded = decode(bytes)
  const codeOfImage = decoded && readCode(decoded)
  if (codeOfImage !== undefined)
    return codeOfImage === emv ? 'agrees' : { problem: 'holds another payment code' }

  const isScannedWhole = decoded === undefined || findFineStep(decoded) === 1
  return isScannedWhole ? { problem: 'has no readable QR code' } : 'unknown'
}

/** Pixels of the largest image that is decoded: a code needs a hundredth of them. */
const MAX_PIXELS = 1_500_000

/** A code is square. Twice its height leaves room for a caption. */
const MAX_SIDE_RATIO = 2

/**
 * Pixels of the largest image, or copy of one, that is scanned. A scan of stripes or noise of a million pixels
 * takes six seconds: its time grows with the third power of a side.
 */
const MAX_SCANNED_PIXELS = 250_000

/**
 * Whether an image, a PNG in base64, can be read without working for seconds: it is small enough, about square, and
 * not interlaced, since the decoder inflates such images without a limit. The first chunk of a PNG, IHDR,
 * says all three. Also true for a text that is no PNG, which the decoder rejects at once.
 */
export function canReadImage(image: string): boolean {
  const bytes = Buffer.from(image.slice(0, 64), 'base64')
  const isPng = bytes.length >= IHDR_END && hasSignature(bytes)
  if (!isPng) return true

  const width = bytes.readUInt32BE(WIDTH_AT)
  const height = bytes.readUInt32BE(HEIGHT_AT)
  const isNarrow = Math.max(width, height) > MAX_SIDE_RATIO * Math.min(width, height)
  const isInterlaced = bytes[INTERLACE_AT] !== 0
  return width * height <= MAX_PIXELS && !isNarrow && !isInterlaced
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

/** Decodes a PNG; undefined if that fails. */
function decode(bytes: Buffer): Image | undefined {
  try {
    return PNG.sync.read(bytes)
  } catch {
    return undefined
  }
}

type Image = Pick<PNG, 'data' | 'width' | 'height'>

/** Reads the text of the QR code in an image; undefined if none can be read. */
function readCode(image: Image): string | undefined {
  const coarseStep = findCoarseStep(image)
  const fineStep = findFineStep(image)
  const text = scan(reduceImage(image, coarseStep))
  // A small copy takes less time, but may lose the code.
  const hasFinerCopy = text === undefined && fineStep < coarseStep
  return hasFinerCopy ? scan(reduceImage(image, fineStep)) : text
}

function scan({ data, width, height }: Image): string | undefined {
  const options = { inversionAttempts: 'dontInvert' } as const
  try {
    return jsqr.default(new Uint8ClampedArray(data), width, height, options)?.data
  } catch {
    return undefined
  }
}

/** Pixels along a side that show each module of the largest payment code. */
const ENOUGH_PIXELS = 250

/**
 * Finds the step of the smallest copy that shows a QR code: if the code fills the image, each of its squares. It is
 * the width of a square, or more if the image is so large that even that leaves enough pixels.
 */
function findCoarseStep(image: Image): number {
  const { width, height } = image
  const sideStep = Math.floor(Math.min(width, height) / ENOUGH_PIXELS)
  return Math.max(sideStep, findModuleSize(image), findFineStep(image))
}

/** Finds the step of the largest copy that is scanned; 1 for the whole image. */
function findFineStep({ width, height }: Image): number {
  return Math.ceil(Math.sqrt((width * height) / MAX_SCANNED_PIXELS))
}

/** Returns a smaller copy of an image with every n-th pixel of each row and column (n is `step`). */
function reduceImage(image: Image, step: number): Image {
  const { width, height } = image
  const pixels = readPixels(image)
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

/** Returns one number for the four bytes of each pixel. */
function readPixels({ data }: Image): Uint32Array {
  return new Uint32Array(Uint8Array.from(data).buffer)
}

/**
 * Finds the width of a module, the smallest square of a QR code, in pixels. The colour changes only where a
 * module ends: if it changes at the columns 8, 12 and 20, the width is 4, their greatest common divisor.
 */
function findModuleSize(image: Image): number {
  const { width } = image
  const pixels = readPixels(image)
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

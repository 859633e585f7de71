import { tryDecode } from '@partner-payments/brcode'
import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import type { NamedCheck, NamedInput } from '../../engine/profile-data.ts'
import { isAbsent } from '../../model/absent-values.ts'
import { scaledDecimal } from '../../rules/common/decimal.ts'

/** The checks that spec/behaviour names, since they need a codec. */
export const NAMED_CHECKS: Readonly<Record<string, NamedCheck>> = {
  'payment-code': { run: paymentCode },
  'code-image': { run: codeImage, maxResponses: 12 },
  'end-to-end-id': { run: endToEndId },
}

function paymentCode({ fields }: NamedInput): string | undefined {
  const result = tryDecode(String(fields.emv))
  if (!result.ok) return `the payment code cannot be decoded at object ${result.error.path || 'none'}`
  const { code } = result
  const inCode: Readonly<Record<string, unknown>> =
    code.kind === 'static'
      ? { key: code.key, amount: code.amount, message: code.message, tx_id: code.txid }
      : { location: 'location' in code ? code.location : undefined }
  const other = Object.keys(fields).find(
    (name) => name !== 'emv' && !isSame(name, inCode[name], fields[name]),
  )
  return other && `the payment code and the record have different values of ${other}`
}

/** A code may shorten a message, and leaves out an amount of zero. */
function isSame(name: string, inCode: unknown, shown: unknown): boolean {
  if (name === 'amount') return (scaledDecimal(inCode) || undefined) === (scaledDecimal(shown) || undefined)
  if (name === 'message') return inCode !== undefined || isAbsent(shown) || typeof shown !== 'string'
  return inCode === shown || (isAbsent(shown) && (shown === undefined || isAbsent(inCode)))
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function codeImage({ fields: { image, emv } }: NamedInput): string | undefined {
  const bytes = Buffer.from(String(image), 'base64')
  const isWhole =
    bytes.subarray(0, 8).equals(SIGNATURE) && bytes.subarray(-8, -4).toString('latin1') === 'IEND'
  if (!isWhole) return 'the image is not a complete PNG in base64'
  const shown = codeIn(bytes)
  if (shown === undefined) return 'the image has no readable QR code'
  return shown === emv ? undefined : 'the image shows another payment code'
}

function codeIn(bytes: Buffer): string | undefined {
  try {
    const image = PNG.sync.read(bytes)
    return scan(reduced(image)) ?? scan(image)
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
const SIDE = 250

/** Every n-th pixel of each row and column, since the time of a scan grows with the pixels. */
function reduced({ data, width, height }: Image): Image {
  const pixels = new Uint32Array(Uint8Array.from(data).buffer)
  const step = Math.max(Math.floor(Math.min(width, height) / SIDE), gridOf(pixels, width))
  const [columns, rows] = [Math.floor(width / step), Math.floor(height / step)]
  const sampled = new Uint32Array(columns * rows)
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++) sampled[y * columns + x] = pixels[y * step * width + x * step] ?? 0
  return { data: Buffer.from(sampled.buffer), width: columns, height: rows }
}

/** The largest number of pixels at whose multiples alone the colour changes within a row: one pixel of each shows all. */
function gridOf(pixels: Uint32Array, width: number): number {
  let grid = width
  for (let at = 1; at < pixels.length; at++)
    if (pixels[at] !== pixels[at - 1]) grid = commonDivisor(grid, at % width)
  return grid
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b)
}

/** Pix tolerates twelve hours. This value distinguishes UTC from local time in Brazil. */
const TOLERANCE = 90 * 60_000

function endToEndId({ fields: { id, ispb }, at }: NamedInput): string | undefined {
  const [, institution, year, month, day, hour, minute] =
    /^E(.{8})(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)[A-Za-z0-9]{11}$/.exec(String(id)) ?? []
  if (institution === undefined) return 'end_to_end_id is not E, an ISPB, a minute and 11 characters'
  if (institution !== ispb) return 'end_to_end_id names another institution than the payer has'
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`)
  if (Number.isNaN(time)) return 'end_to_end_id names a minute that does not exist'
  return at !== undefined && Math.abs(time - at) > TOLERANCE
    ? 'end_to_end_id names another minute than that of the transfer, in UTC'
    : undefined
}

import document from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { canReadImage, compareImage } from '../src/rules/code-image.ts'

/** The first bytes of a PNG in base64, as its encoder writes them. */
function headOfPng({ width = 300, height = 300, interlace = 0 }): string {
  const bytes = Buffer.alloc(29)
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  bytes[28] = interlace
  return bytes.toString('base64')
}

test('it reads an image of a usual size', () => {
  expect(canReadImage(headOfPng({}))).toBe(true)
})

test('it reads no image that takes seconds', () => {
  expect(canReadImage(headOfPng({ width: 4_000, height: 4_000 }))).toBe(false)
})

test('it reads no interlaced image, of which nothing limits what is inflated', () => {
  expect(canReadImage(headOfPng({ interlace: 1 }))).toBe(false)
})

test('it reads what is no PNG, to say so', () => {
  expect(canReadImage('')).toBe(true)
})

test('it reads no narrow image, which takes seconds and holds no code', () => {
  expect(canReadImage(headOfPng({ width: 24, height: 62_000 }))).toBe(false)
  expect(canReadImage(headOfPng({ width: 1_500_000, height: 1 }))).toBe(false)
  expect(canReadImage(headOfPng({ width: 300, height: 400 }))).toBe(true)
})

test('it knows nothing of stripes that it scans only in a smaller copy', () => {
  expect(compareImage(drawStripes(600), 'x')).toBe('unknown')
})

test('it says that a small image of stripes has no code', () => {
  expect(compareImage(drawStripes(500), 'x')).toEqual({ problem: 'has no readable QR code' })
})

test('it finds the code of a large image in a smaller copy', () => {
  expect(compareImage(enlarge(EXAMPLE.qrcode_image, 4), EXAMPLE.emv)).toBe('agrees')
  expect(compareImage(enlarge(EXAMPLE.qrcode_image, 4), 'x')).toEqual({
    problem: 'holds another payment code',
  })
})

/** A static QR code of the contract, with its image. */
const EXAMPLE = document.components.examples.staticQrCode.value

/** Draws an image of vertical stripes, one pixel wide each, as a PNG in base64. */
function drawStripes(side: number): string {
  const png = new PNG({ width: side, height: side })
  new Uint32Array(png.data.buffer, png.data.byteOffset, side * side).forEach((_, index, pixels) => {
    pixels[index] = index % 2 === 0 ? BLACK : WHITE
  })
  return PNG.sync.write(png).toString('base64')
}

const BLACK = 0xff000000
const WHITE = 0xffffffff

/** Draws each pixel of a PNG in base64 as a square of so many pixels. */
function enlarge(image: string, factor: number): string {
  const small = PNG.sync.read(Buffer.from(image, 'base64'))
  const large = new PNG({ width: small.width * factor, height: small.height * factor })
  for (let row = 0; row < large.height; row++) {
    for (let column = 0; column < large.width; column++) {
      const from = Math.floor(row / factor) * small.width + Math.floor(column / factor)
      small.data.copy(large.data, (row * large.width + column) * 4, from * 4, from * 4 + 4)
    }
  }
  return PNG.sync.write(large).toString('base64')
}

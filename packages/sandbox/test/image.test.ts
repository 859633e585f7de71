import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { describe, expect, test } from 'vitest'
import { pngOf } from '../src/qrcodes/image.ts'

const code = '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000'

describe('pngOf', () => {
  test.each([10, 25, 71, 100, 171, 256, 384, 511, 512])(
    'draws a code of %i characters that is read again',
    (length) => {
      const text = code.repeat(8).slice(0, length)
      expect(read(pngOf(text))).toBe(text)
    },
  )

  test('leaves a quiet zone of four modules of four pixels', () => {
    const { width, height, data } = decode(pngOf(code))
    const isDark = (x: number, y: number) => data[4 * (y * width + x)] === 0
    const dark = Array.from({ length: width }, (_, x) => x).filter((x) => isDark(x, 16))
    expect(height).toBe(width)
    expect([dark.at(0), dark.at(-1)]).toEqual([16, width - 17])
    expect(Array.from({ length: width }, (_, x) => x).some((x) => isDark(x, 15))).toBe(false)
    // The corner of the finder pattern: seven dark modules, then a light one.
    expect([16, 43, 44, 47].map((x) => isDark(x, 16))).toEqual([true, true, false, false])
  })

  test('begins with the PNG signature, as the contract says, and stays small', () => {
    expect(pngOf(code)).toMatch(/^iVBORw0KGgo/)
    expect(Buffer.from(pngOf(code.repeat(8).slice(0, 512)), 'base64').length).toBeLessThan(2000)
  })

  test('refuses a text that is too long for a QR code', () => {
    expect(() => pngOf('a'.repeat(2954))).toThrow(RangeError)
    expect(read(pngOf('a'.repeat(2953)))).toBe('a'.repeat(2953))
  })
})

function decode(image: string): PNG {
  return PNG.sync.read(Buffer.from(image, 'base64'))
}

function read(image: string): string | undefined {
  const { data, width, height } = decode(image)
  return jsqr.default(new Uint8ClampedArray(data), width, height)?.data
}

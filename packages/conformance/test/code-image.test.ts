import { expect, test } from 'vitest'
import { canReadImage } from '../src/rules/code-image.ts'

/** The first bytes of a PNG in base64, as its encoder writes them. */
function headOfPng({ side = 300, interlace = 0 }): string {
  const bytes = Buffer.alloc(29)
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes)
  bytes.writeUInt32BE(side, 16)
  bytes.writeUInt32BE(side, 20)
  bytes[28] = interlace
  return bytes.toString('base64')
}

test('it reads an image of a usual size', () => {
  expect(canReadImage(headOfPng({}))).toBe(true)
})

test('it reads no image that takes seconds', () => {
  expect(canReadImage(headOfPng({ side: 4_000 }))).toBe(false)
})

test('it reads no interlaced image, of which nothing limits what is inflated', () => {
  expect(canReadImage(headOfPng({ interlace: 1 }))).toBe(false)
})

test('it reads what is no PNG, to say so', () => {
  expect(canReadImage('')).toBe(true)
})

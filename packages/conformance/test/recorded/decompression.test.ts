import { expect, it } from 'vitest'
import { createDecompressor } from '../../src/har/decompression.ts'

const MB = 1_000_000

/** How many of a hundred bodies are decompressed. */
function countDecompressed(decode: () => Uint8Array): number {
  const decompress = createDecompressor()
  let attempts = 0
  for (let body = 0; body < 100; body++)
    decompress(() => {
      attempts++
      return decode()
    })
  return attempts
}

it('decompresses bodies up to 20 MB of a recording', () => {
  expect(countDecompressed(() => new Uint8Array(MB / 10))).toBe(100)
  expect(countDecompressed(() => new Uint8Array(MB))).toBe(21)
})

it('counts a broken body as 2 MB, whatever it was', () => {
  const decode = () => {
    throw new Error('broken')
  }
  expect(countDecompressed(decode)).toBe(11)
})

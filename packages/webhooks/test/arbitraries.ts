import fc from 'fast-check'

export const secrets = fc
  .uint8Array({ minLength: 24, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`)

const visible = Array.from({ length: 94 }, (_, i) => String.fromCharCode(0x21 + i)).filter(
  (each) => each !== '.',
)

export const ids = fc.string({ unit: fc.constantFrom(...visible), minLength: 1, maxLength: 255 })

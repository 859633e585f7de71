import { expect, test } from 'vitest'
import { shows } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('image-is-png', { beside: ['example-accepted'], operations: ['createStaticQrCode'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an image that was cut off', async () => {
  const fault = shows('createStaticQrCode', (body) => ({
    ...body,
    qrcode_image: body.qrcode_image.slice(0, 64),
  }))
  expect(await run(fault)).toEqual(found('discovery image-is-png createStaticQrCode'))
})

test('finds a data URL in place of base64', async () => {
  const fault = shows('createStaticQrCode', (body) => ({
    ...body,
    qrcode_image: `data:image/png;base64,${body.qrcode_image}`,
  }))
  expect(await run(fault)).toEqual(found('discovery image-is-png createStaticQrCode'))
})

test('finds a file that does not begin as a PNG does', async () => {
  const fault = shows('createStaticQrCode', (body) => ({
    ...body,
    qrcode_image: `AAAA${body.qrcode_image.slice(4)}`,
  }))
  expect(await run(fault)).toEqual(found('discovery image-is-png createStaticQrCode'))
})

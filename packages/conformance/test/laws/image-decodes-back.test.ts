import { expect, test } from 'vitest'
import { shows } from './broken.ts'
import { found, HELD, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('image-decodes-back', { operations: ['createStaticQrCode', 'createWebhook'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds the image of another code', async () => {
  const fault = shows('createStaticQrCode', (body) => ({ ...body, emv: `${body.emv} ` }))
  expect(await run(fault)).toEqual(found('discovery image-decodes-back createStaticQrCode'))
})

test('finds an image that cannot be read', async () => {
  const fault = shows('createStaticQrCode', (body) => ({ ...body, qrcode_image: 'iVBORw0KGgo=' }))
  expect(await run(fault)).toEqual(found('discovery image-decodes-back createStaticQrCode'))
})

test('looks at no code that it was not asked about', async () => {
  const fault = shows('createImmediateQrCode', (body) => ({ ...body, emv: `${body.emv} ` }))
  expect(await run(fault)).toEqual(HELD)
})

const runFaulty = runOfFaulty('image-decodes-back')

test.each([['image-of-another-charge', 'discovery image-decodes-back createImmediateQrCode']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)

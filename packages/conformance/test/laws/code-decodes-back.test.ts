import { expect, test } from 'vitest'
import { shows } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('code-decodes-back', {
  beside: ['example-accepted'],
  operations: ['createStaticQrCode', 'createImmediateQrCode'],
})

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a code whose checksum is wrong', async () => {
  const fault = shows('createStaticQrCode', (body) => ({ ...body, emv: `${body.emv.slice(0, -4)}0000` }))
  expect(await run(fault)).toEqual(found('failure code-decodes-back createStaticQrCode'))
})

test('finds a code that says another key than the record', async () => {
  const fault = shows('createStaticQrCode', (body) => ({ ...body, dict_key: 'padaria@example.com' }))
  expect(await run(fault)).toEqual(found('failure code-decodes-back createStaticQrCode'))
})

test('finds a code that leads to another charge than the record', async () => {
  const fault = shows('createImmediateQrCode', (body) => ({ ...body, url: `${body.url}0` }))
  expect(await run(fault)).toEqual(found('failure code-decodes-back createImmediateQrCode'))
})

import { type BrCodeFields, decode, encode } from '@partner-payments/brcode'
import { expect, test } from 'vitest'
import { type Body, shows } from './broken.ts'
import { found, HELD, resultsOf, runOf } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const options = {
  beside: ['example-accepted'],
  operations: ['createStaticQrCode', 'createImmediateQrCode'],
}
const run = runOf('code-decodes-back', options)
const resultOf = resultsOf('code-decodes-back', options)

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

test('finds a static code that has lost the amount of its record', async () => {
  const fault = shows('createStaticQrCode', (body) => ({ ...body, emv: withoutAmount(body) }))
  expect(await run(fault)).toEqual(found('failure code-decodes-back createStaticQrCode'))
})

test('compares amounts exactly, where numbers would round', async () => {
  const fault = shows('createStaticQrCode', (body) => ({ ...body, amount: `${body.amount}0000000000000001` }))
  expect(await run(fault)).toEqual(found('failure code-decodes-back createStaticQrCode'))
})

test('tells what a code departs in from the other ways in which it may', async () => {
  const changes = [{ amount: '9.99' }, { dict_key: 'padaria@example.com' }, { tx_id: 'OUTRO' }]
  const ids = await Promise.all(
    changes.map(async (change) => {
      const { findings } = await resultOf(shows('createStaticQrCode', (body) => ({ ...body, ...change })))
      return findings.map(({ id }) => id)
    }),
  )
  expect(new Set(ids.flat()).size).toBe(3)
})

/** The code of a body, written anew without its amount. */
function withoutAmount({ emv }: Body): string {
  const { objects: _, amount: __, ...fields } = decode(emv)
  return encode(fields as BrCodeFields)
}

const runFaulty = runOfFaulty('code-decodes-back')

test.each([['checksum-in-small-letters', 'failure code-decodes-back createStaticQrCode']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)

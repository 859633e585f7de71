import { type BrCodeFields, decode, encode } from '@partner-payments/brcode'
import { sample } from '@partner-payments/campaign'
import { expect, it } from 'vitest'
import { type Body, type Fault, shows } from './broken.ts'
import { found, PASSED, resultsOf, runOf } from './in-process.ts'

// Charges take most of the time; the check of the whole sandbox judges them.
const operations = ['createTransfer', 'checkCode', 'checkKey', 'createStaticQrCode']
const options = { beside: ['example-accepted'], operations }
const run = runOf('invariants', options)
const resultOf = resultsOf('invariants', options)

it('passes on the correct service', async () => {
  expect(await run()).toEqual(PASSED)
})

interface Shown {
  readonly operation: string
  readonly fault: Fault
}

const shown = (operation: string, change: (body: Body) => object): Shown => ({
  operation,
  fault: shows(operation, (body: Body) => ({ ...body, ...change(body) })),
})
const transfer = (fields: object) =>
  shown('createTransfer', (body: Body) => ({ data: { ...body.data, ...fields } }))

/** A valid id that no other transfer has. */
const ONE_ID = `E99999010${new Date().toISOString().replaceAll(/[-:T]/g, '').slice(0, 12)}aaaaaaaaaaa`

/** Shows the image of the first code for every later one. */
function imageOfFirst(): (body: Body) => object {
  let first: unknown
  return ({ qrcode_image }) => {
    first ??= qrcode_image
    return { qrcode_image: first }
  }
}

/** The fault, and the invariant that it violates. */
const violations = [
  ['transfer-envelope', 'another id around data', shown('createTransfer', () => ({ id: 'other' }))],
  [
    'transfer-envelope-status',
    'another status around data',
    shown('createTransfer', () => ({ status: 'settled' })),
  ],
  ['settled-at', 'settled_at while pending', transfer({ settled_at: '2026-11-18T12:00:00Z' })],
  ['settled-at', 'no settled_at once settled', transfer({ status: 'settled' })],
  [
    'rejection-message',
    'rejection_message while pending',
    transfer({ rejection_message: 'Conta encerrada' }),
  ],
  ['rejection-message', 'no rejection_message once rejected', transfer({ status: 'rejected' })],
  ['end-to-end-id', 'an id of another form', transfer({ end_to_end_id: 'E1' })],
  ['end-to-end-id', 'another institution', transfer({ payer: { ispb: '00000000' } })],
  [
    'end-to-end-id',
    'the minute of another day',
    shown('createTransfer', ({ data }: Body) => ({
      data: { ...data, end_to_end_id: data.end_to_end_id.replace(/^(.{9})\d{8}/, '$120200102') },
    })),
  ],
  [
    'final-amount',
    'a final amount that does not add up',
    shown('checkCode', () => ({ final_amount: '35.91' })),
  ],
  ['key-kind', 'another kind of key', shown('checkKey', () => ({ dict_key_type: 'CPF' }))],
  ['owner-kind', 'another kind of owner', shown('checkKey', () => ({ owner_type: 'OTHER' }))],
  [
    'code-of-static',
    'a wrong checksum',
    shown('createStaticQrCode', ({ emv }) => ({ emv: `${emv.slice(0, -4)}0000` })),
  ],
  ['code-of-static', 'another key', shown('createStaticQrCode', () => ({ dict_key: 'padaria@example.com' }))],
  [
    'code-of-static',
    'a code without its amount',
    shown('createStaticQrCode', (body) => ({ emv: withoutAmount(body) })),
  ],
  [
    'code-of-static',
    'an amount that differs in the 16th place',
    shown('createStaticQrCode', ({ amount }) => ({ amount: `${amount}0000000000000001` })),
  ],
  ['end-to-end-id-unique', 'the same id for two transfers', transfer({ end_to_end_id: ONE_ID })],
  [
    'code-of-immediate',
    'another location',
    shown('createImmediateQrCode', ({ url }) => ({ url: `${url}0` })),
  ],
  ['image-of-code', 'no image', shown('createStaticQrCode', () => ({ qrcode_image: 'aGVsbG8=' }))],
  ['image-of-code', 'the image of another code', shown('createStaticQrCode', imageOfFirst())],
] as const

it.each(sample(violations))('finds a violation of %s: %s', async (name, _, { operation, fault }) => {
  const { findings } = await resultOf(fault, [operation])
  const said = findings
    .filter(({ rule }) => rule === 'invariants')
    .map(({ message, question }) => `${question} ${message}`)
  expect(said.length, name).toBeGreaterThan(0)
})

it('names the property and the open question', async () => {
  const { fault } = shown('checkCode', () => ({ final_amount: '35.91' }))
  const { findings } = await resultOf(fault, ['checkCode'])
  const [finding] = findings
  expect(finding?.contract).toBe('/components/schemas/CodeCheck/properties/final_amount')
  expect(finding?.question).toBe('final-amount')
})

it('ignores a missing field, which the schema judges', async () => {
  const fault = shows('checkCode', ({ final_amount: _, ...body }: Body) => body)
  expect((await run(fault, ['checkCode'])).found).toEqual([])
})

it('reports a deviation, since no fact is violated', async () => {
  const { fault } = shown('checkKey', () => ({ owner_type: 'OTHER' }))
  expect(await run(fault, ['checkKey'])).toEqual(found('deviation invariants checkKey'))
})

/** The code of a body, encoded again without its amount. */
function withoutAmount({ emv }: Body): string {
  const { objects: _, amount: __, ...fields } = decode(emv)
  return encode(fields as BrCodeFields)
}

import { type BrCodeFields, decode, encode } from '@partner-payments/brcode'
import { expect, it } from 'vitest'
import { type Body, type Fault, shows } from './broken.ts'
import { resultsOf, runOf } from './in-process.ts'

// Charges take most of the time; the check of the whole sandbox judges them.
const operations = ['createTransfer', 'checkCode', 'checkKey', 'createStaticQrCode']
const options = { beside: ['example-accepted'], operations }
const _run = runOf('invariants', options)
const resultOf = resultsOf('invariants', options)

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
  [
    'code-of-static',
    'a code without its amount',
    shown('createStaticQrCode', (body) => ({ emv: withoutAmount(body) })),
  ],
  ['end-to-end-id-unique', 'the same id for two transfers', transfer({ end_to_end_id: ONE_ID })],
  ['image-of-code', 'the image of another code', shown('createStaticQrCode', imageOfFirst())],
] as const

it.each(violations)('finds a violation of %s: %s', async (name, _, { operation, fault }) => {
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

/** The code of a body, encoded again without its amount. */
function withoutAmount({ emv }: Body): string {
  const { objects: _, amount: __, ...fields } = decode(emv)
  return encode(fields as BrCodeFields)
}

import { createHmac } from 'node:crypto'
import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import type { Node } from '../lint/marks.ts'
import { contract, example, findErrors, guide, listBodies, listOperations } from './contract.ts'

describe.each([
  { name: 'openapi', section: 'paths', root: contract },
  { name: 'openapi', section: 'webhooks', root: contract },
  { name: 'guide', section: 'paths', root: guide },
] as const)('the examples of $name, $section', ({ name, section, root }) => {
  it.each(listOperations(root, section))(
    '$id: every example conforms to its schema, formats included',
    (operation) => {
      for (const { of, place, examples } of listBodies(operation, root)) {
        for (const [key, value] of Object.entries(examples)) {
          expect(findErrors(place, value, name), `${of} ${key}`).toEqual([])
        }
      }
    },
  )
})

it('detects an invalid example', () => {
  const place = '#/components/schemas/TransferRequest'
  expect(findErrors(place, example('payKey'))).toEqual([])
  expect(findErrors(place, { ...example('payKey'), amount: '10.5' })).not.toEqual([])
  expect(findErrors(place, { ...example('payKey'), initiation_id: undefined })).not.toEqual([])
})

describe('the examples are valid in Pix', () => {
  const names = Object.keys((contract.components as Record<string, Node>).examples ?? {})
  const values = names.map(example)
  const codes = [...new Set(values.flatMap((value) => valuesOf(value, 'emv')))]

  it.each(codes)('%s has a valid checksum', (code) => {
    expect(code.slice(-4)).toBe(crc16(code.slice(0, -4)))
  })

  it('has a code of every kind', () => {
    expect(codes).toHaveLength(4)
    expect(codes.filter((code) => code.includes('/cobv/'))).toHaveLength(1)
    expect(codes.filter((code) => code.includes('/cob/'))).toHaveLength(1)
  })

  it.each(['dueDateQrCode', 'immediateQrCode', 'staticQrCode'])(
    '%s: the image decodes back to the code',
    (name) => {
      const { qrcode_image, emv } = example(name)
      const { data, width, height } = PNG.sync.read(Buffer.from(String(qrcode_image), 'base64'))
      expect(jsqr.default(new Uint8ClampedArray(data), width, height)?.data).toBe(emv)
    },
  )

  it('has documents with valid check digits', () => {
    const documents = values.flatMap((value) => valuesOf(value, 'tax_id')).filter(Boolean)
    const whole = documents.filter((document) => !document.startsWith('*'))
    for (const document of whole) expect(checkDigits(document), document).toBe(document.slice(-2))
  })

  it('has secrets of 32 bytes', () => {
    for (const { secret } of [example('credential'), example('credentialRotated')]) {
      expect(Buffer.from(String(secret).replace('whsec_', ''), 'base64')).toHaveLength(32)
    }
  })

  it('signs a delivery with the secret of the webhook', () => {
    const { parameters } = contract.components as Record<string, Record<string, Node>>
    const id = parameters?.DeliveryId?.example
    const timestamp = parameters?.DeliveryTimestamp?.example
    const signature = parameters?.DeliverySignature?.example

    const key = Buffer.from(String(example('credential').secret).replace('whsec_', ''), 'base64')
    const signed = `${id}.${timestamp}.${JSON.stringify(example('transferSettledEvent'))}`
    const expected = createHmac('sha256', key).update(signed).digest('base64')
    expect(`v1,${expected}`).toBe(signature)
  })

  it('final_amount is original_amount minus deduction and discount, plus interest and fine', () => {
    for (const name of ['staticCode', 'dueDateCode', 'immediateCode']) {
      const code = example(name)
      const original = centavos(code.original_amount)
      const deduction = centavos(code.deduction)
      const discount = centavos(code.discount)
      const interest = centavos(code.interest)
      const fine = centavos(code.fine)
      const final = centavos(code.final_amount)
      expect(original - deduction - discount + interest + fine, name).toBe(final)
    }
  })
})

describe('the examples are consistent', () => {
  it('pays the checked code', () => {
    expect(example('payCode').emv).toBe(example('checkStatic').emv)
    expect(example('payCode').amount).toBe(example('staticCode').final_amount)
  })

  it('pays the checked key with the initiation_id of the check', () => {
    expect(example('payKey').initiation_id).toBe(example('emailKey').initiation_id)
    expect(example('payKey').dict_key).toBe(example('emailKey').dict_key)
  })

  it('checks the created codes', () => {
    expect(example('checkDueDate').emv).toBe(example('dueDateQrCode').emv)
    expect(example('checkImmediate').emv).toBe(example('immediateQrCode').emv)
    expect(example('dueDateCode').tx_id).toBe(example('dueDateQrCode').tx_id)
  })

  it('acts for a customer of the user', () => {
    const { user, customers } = example('userWithCustomers') as { user: Node; customers: [Node] }
    expect(example('actForCustomer')).toEqual({ customer_id: customers[0].id, user_id: user.id })
    expect((example('codePending').data as Node).account_id).toBe(customers[0].account_id)
  })

  it('returns the created webhook', () => {
    expect(example('webhook').id).toBe(example('credential').id)
    expect(example('webhook').url).toBe(example('createAll').url)
  })
})

/** The values of a field at any depth. */
function valuesOf(value: unknown, field: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, child]) =>
    name === field ? [String(child)] : valuesOf(child, field),
  )
}

function centavos(amount: unknown): bigint {
  const [reais, rest = ''] = String(amount).split('.')
  return BigInt(`${reais}${rest.padEnd(2, '0')}`)
}

/** CRC-16 of ISO/IEC 13239 as EMV uses it: polynomial 0x1021, start 0xFFFF. */
function crc16(text: string): string {
  let crc = 0xffff
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) {
      const isHighBitSet = (crc & 0x8000) !== 0
      crc = (crc << 1) & 0xffff
      if (isHighBitSet) crc ^= 0x1021
    }
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}

/**
 * The two check digits of a CPF or CNPJ: modulo 11, a character counting as its ASCII code less 48.
 */
function checkDigits(document: string): string {
  const isCpf = document.length === 11
  // From the right, the weights begin with 2. Those of a CNPJ begin again after 9.
  const highestWeight = isCpf ? 12 : 9
  const base = document.slice(0, -2)
  const first = checkDigit(base, highestWeight)
  return first + checkDigit(base + first, highestWeight)
}

function checkDigit(text: string, highestWeight: number): string {
  let sum = 0
  for (const [index, character] of [...text].reverse().entries()) {
    const weight = 2 + (index % (highestWeight - 1))
    sum += (character.charCodeAt(0) - 48) * weight
  }
  const remainder = sum % 11
  return remainder < 2 ? '0' : String(11 - remainder)
}

import { createHmac } from 'node:crypto'
import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import type { Node } from '../lint/marks.ts'
import { bodiesOf, contract, errorsAt, example, guide, operationsOf } from './contract.ts'

describe.each([
  ['openapi', 'paths', contract],
  ['openapi', 'webhooks', contract],
  ['guide', 'paths', guide],
] as const)('the examples of %s, %s', (name, section, root) => {
  it.each(operationsOf(root, section).map((operation) => [operation.id, operation] as const))(
    '%s: every example conforms to its schema, formats included',
    (_id, operation) => {
      const bodies = bodiesOf(operation, root)
      for (const { of, place, examples } of bodies) {
        for (const [key, value] of Object.entries(examples)) {
          expect(errorsAt(place, value, name), `${of} ${key}`).toEqual([])
        }
      }
    },
  )
})

it('detects an invalid example', () => {
  const place = '#/components/schemas/TransferRequest'
  expect(errorsAt(place, example('payKey'))).toEqual([])
  expect(errorsAt(place, { ...example('payKey'), amount: '10.5' })).not.toEqual([])
  expect(errorsAt(place, { ...example('payKey'), initiation_id: undefined })).not.toEqual([])
})

describe('the examples are valid in Pix', () => {
  const values = Object.keys((contract.components as Record<string, Node>).examples ?? {}).map(
    example,
  )
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
    for (const document of documents)
      expect(checkDigits(document), document).toBe(document.slice(-2))
  })

  it('has secrets of 32 bytes', () => {
    for (const { secret } of [example('credential'), example('credentialRotated')]) {
      expect(Buffer.from(String(secret).replace('whsec_', ''), 'base64')).toHaveLength(32)
    }
  })

  it('signs a delivery with the secret of the webhook', () => {
    const parameters =
      (contract.components as Record<string, Record<string, Node>>).parameters ?? {}
    const [id, timestamp, signature] = ['DeliveryId', 'DeliveryTimestamp', 'DeliverySignature'].map(
      (name) => parameters[name]?.example,
    )
    const key = Buffer.from(String(example('credential').secret).replace('whsec_', ''), 'base64')
    const signed = `${id}.${timestamp}.${JSON.stringify(example('transferSettledEvent'))}`
    expect(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`).toBe(signature)
  })

  it('final_amount is original_amount minus deduction and discount, plus interest and fine', () => {
    for (const name of ['staticCode', 'dueDateCode', 'immediateCode']) {
      const code = example(name)
      const [original, deduction, discount, interest, fine, final] = [
        'original_amount',
        'deduction',
        'discount',
        'interest',
        'fine',
        'final_amount',
      ].map((field) => centavos(code[field])) as [bigint, bigint, bigint, bigint, bigint, bigint]
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
  return Object.entries(value).flatMap(([name, it]) =>
    name === field ? [String(it)] : valuesOf(it, field),
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
    for (let bit = 0; bit < 8; bit++)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}

/**
 * The two check digits of a CPF or CNPJ: modulo 11, a character counting as its ASCII code less 48.
 */
function checkDigits(document: string): string {
  const highest = document.length === 11 ? 12 : 9
  const digit = (text: string) => {
    const values = [...text].reverse().map((character) => character.charCodeAt(0) - 48)
    const sum = values.reduce(
      (total, value, index) => total + value * (2 + (index % (highest - 1))),
      0,
    )
    return sum % 11 < 2 ? '0' : String(11 - (sum % 11))
  }
  const first = digit(document.slice(0, -2))
  return first + digit(document.slice(0, -2) + first)
}

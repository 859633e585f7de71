import { encode } from '@partner-payments/brcode'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import type { Json, KindName } from './story.ts'

/** A valid example of the contract, by its name. */
export function example(name: keyof typeof contract.components.examples): Json {
  return structuredClone(contract.components.examples[name].value) as Json
}

/** The payment code of the n-th record of a story. */
export function codeOf(count: number, kind: KindName = 'immediateQrCode', sent: Json = {}): string {
  if (kind !== 'staticQrCode') return encode({ location: location(count), ...MERCHANT })
  // Strings, if the story sends them as the contract wants.
  const fields = { ...example('createStatic'), ...sent } as Record<string, string>
  const { dict_key: key, amount, message } = fields
  const txid = txId(kind, count)
  return encode({ key, amount, message, txid, ...MERCHANT } as Parameters<typeof encode>[0])
}

const MERCHANT = { merchantName: 'Loja', merchantCity: 'BRASILIA' }

/** The URL in the code of the n-th record. */
export function location(count: number): string {
  return `pix.example.com/qr/v2/${count}`
}

/** The fields that a service gives a QR code. Only a dynamic one has a URL. */
export function issuedCode(kind: KindName, count: number, sent: Json): Json {
  const fields: Json = { tx_id: txId(kind, count), emv: codeOf(count, kind, sent) }
  if (kind !== 'staticQrCode') fields.url = location(count)
  return fields
}

/** The tx_id of the n-th record. That of a static code is shorter. */
export function txId(kind: KindName, count: number): string {
  const digits = kind === 'staticQrCode' ? 24 : 29
  return `T${String(count).padStart(digits, '0')}`
}

/** The secret of the n-th record, a webhook. */
export function secret(count: number): string {
  return `whsec_${Buffer.alloc(32, count).toString('base64')}`
}

/** The id of the n-th record. */
export function uuid(count: number): string {
  return `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
}

/** The number of a record, by its id. */
export function countOf(id: unknown): number {
  return Number(String(id).slice(-12))
}

/** A body without the fields that a request leaves out. */
export function withoutUndefined(body: Json): Json {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}

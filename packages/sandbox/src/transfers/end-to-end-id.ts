import { alphanumeric, type Random } from '../random.ts'

/**
 * Creates an EndToEndId, the name of a payment that all institutions share: E, the payer's ISPB
 * (the number of its institution), the minute in UTC, 11 letters or digits (Open Finance Brasil
 * payments 4.0.0). Such as `E99999008202611211633a1B2c3D4e5F`.
 */
export function endToEndId(random: Random, ispb: string, now: number): string {
  // 2026-11-21T16:33:05.000Z becomes 202611211633.
  const digits = new Date(now).toISOString().replaceAll(/[-T:]/g, '')
  const minute = digits.slice(0, 12)
  return `E${ispb}${minute}${alphanumeric(random, 11)}`
}

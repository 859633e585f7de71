import { alphanumeric, type Random } from '../random.ts'

/**
 * Creates an EndToEndId: E, the payer's ISPB, the minute in UTC, 11 letters or digits (Open Finance Brasil payments
 * 4.0.0).
 */
export function endToEndId(random: Random, ispb: string, now: number): string {
  const minute = new Date(now).toISOString().replaceAll(/[-T:]/g, '').slice(0, 12)
  return `E${ispb}${minute}${alphanumeric(random, 11)}`
}

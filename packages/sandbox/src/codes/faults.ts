import type { BrCodeError } from '@partner-payments/brcode'

/**
 * Says what is wrong with a payment code. Without the value that was found, because it may be
 * personal.
 */
export function sentenceOf({ code, path, expected }: BrCodeError): string {
  const place = path ? `object ${path}` : 'the code'
  const fault = `${place} must be ${expected}.`
  if (code === 'crc') return 'The checksum does not fit: the code was changed or cut.'
  if (code === 'structure') return `The code was changed or cut: ${fault}`
  if (code === 'not-pix') return 'This is no Pix code: it has no Pix account.'
  return `The code is no valid Pix code: ${fault}`
}

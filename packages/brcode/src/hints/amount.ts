import type { BrCodeError } from '../error.ts'
import { isAmount } from '../object-rules.ts'
import { readableObjects } from '../readable-objects.ts'
import { HEAD_LENGTH } from '../tlv.ts'
import { hasFittingChecksum } from './fits.ts'
import type { SingleFault } from './hint.ts'

/** The amount is written with a comma. */
export const AMOUNT_WITH_COMMA: SingleFault = {
  fault: 'amount-with-comma',
  isPresent: hasAmountWithComma,
  describe: () => 'The amount (object 54) has a comma; write a dot before the two decimals.',
}

/** Whether the only fault of a code is that its amount has a comma instead of a dot. */
function hasAmountWithComma(text: string, { code, path, found = '' }: BrCodeError): boolean {
  const isAmountRefused = code === 'value' && path === '54'
  if (isAmountRefused) return found.includes(',') && isAmount(withDot(found))

  // The checksum is compared before the amount.
  const isChecksumRefused = code === 'crc'
  return isChecksumRefused && fitsWithDot(text)
}

/** Whether the checksum is that of a dot in the amount: somebody wrote the comma later. */
function fitsWithDot(text: string): boolean {
  const amount = readableObjects(text).find(({ id }) => id === '54')
  if (!amount?.value.includes(',')) return false

  const start = amount.offset + HEAD_LENGTH
  const end = start + amount.value.length
  const codeWithDot = text.slice(0, start) + amount.value.replace(',', '.') + text.slice(end)
  return hasFittingChecksum(codeWithDot)
}

/** `1.234,56` with the dot of the standard: `1234.56`. */
function withDot(amount: string): string {
  return amount.replaceAll('.', '').replace(',', '.')
}

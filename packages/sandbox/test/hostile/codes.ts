import { crc16 } from '@partner-payments/brcode'
import type { Dice } from './dice.ts'

/** Codes that were changed; half of them with a checksum that is right again, so that what is inside is read. */
export function mutatedCodes(codes: readonly string[], count: number, dice: Dice): string[] {
  return Array.from({ length: count }, (_, i) => {
    const times = 1 + dice.roll(3)
    const changed = Array.from({ length: times }).reduce<string>(
      (code) => changedOf(code, dice),
      dice.pick(codes),
    )
    return i % 2 ? changed : sealed(changed)
  })
}

const PIECES = [
  ...[
    '',
    '0',
    '9',
    '00',
    '99',
    '54',
    '5404',
    '26',
    '62',
    '63',
    '6304',
    '0503***',
    'br.gov.bcb.pix',
    '.',
    '*',
    ' ',
  ],
  ...[
    '\0',
    '\ud800',
    '😀',
    'é',
    '٣',
    '-1',
    '1e9',
    '9999999999.99',
    '0.00',
    '0.001',
    '99999999999999',
    'A'.repeat(99),
  ],
]

function changedOf(code: string, dice: Dice): string {
  const at = dice.roll(code.length + 1)
  const length = dice.roll(8)
  const [before, cut, after] = [code.slice(0, at), code.slice(at, at + length), code.slice(at + length)]
  return dice.pick([
    () => before + after,
    () => before + dice.pick(PIECES) + after,
    () => before + dice.pick(PIECES) + cut + after,
    () => before + cut + cut + after,
    () => before + String(dice.roll(100)).padStart(2, '0') + code.slice(at + 2),
    () => before,
    () => before + String.fromCodePoint(dice.roll(128)) + code.slice(at + 1),
  ])()
}

/** With the checksum that the rest has. */
function sealed(code: string): string {
  const rest = code.replace(/6304[0-9A-Fa-f]{4}$/, '')
  return `${rest}6304${crc16(`${rest}6304`).toString(16).toUpperCase().padStart(4, '0')}`
}

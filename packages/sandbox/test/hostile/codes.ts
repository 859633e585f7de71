import { crc16 } from '@partner-payments/brcode'
import type { SeededRandom } from './random.ts'
import { words } from './random.ts'

/** Mutated codes. Half of them have a valid checksum, so that their content is read. */
export function mutatedCodes(codes: readonly string[], count: number, random: SeededRandom): string[] {
  return Array.from({ length: count }, (_, i) => {
    const times = 1 + random.integer(3)
    const changed = Array.from({ length: times }).reduce<string>(
      (code) => changedOf(code, random),
      random.pick(codes),
    )
    return i % 2 ? changed : sealed(changed)
  })
}

const PIECES = [
  ...words(`
    0 9 00 99 54 5404 26 62 63 6304 0503*** br.gov.bcb.pix . * -1 1e9 9999999999.99 0.00 0.001 99999999999999`),
  '',
  ' ',
  '\0',
  '\ud800',
  '😀',
  'é',
  '٣',
  'A'.repeat(99),
]

function changedOf(code: string, random: SeededRandom): string {
  const at = random.integer(code.length + 1)
  const length = random.integer(8)
  const [before, cut, after] = [code.slice(0, at), code.slice(at, at + length), code.slice(at + length)]
  return random.pick([
    () => before + after,
    () => before + random.pick(PIECES) + after,
    () => before + random.pick(PIECES) + cut + after,
    () => before + cut + cut + after,
    () => before + String(random.integer(100)).padStart(2, '0') + code.slice(at + 2),
    () => before,
    () => before + String.fromCodePoint(random.integer(128)) + code.slice(at + 1),
  ])()
}

/** Appends the checksum. */
function sealed(code: string): string {
  const rest = code.replace(/6304[0-9A-Fa-f]{4}$/, '')
  return `${rest}6304${crc16(`${rest}6304`).toString(16).toUpperCase().padStart(4, '0')}`
}

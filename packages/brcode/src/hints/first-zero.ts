import { tryDecode } from '../decode.ts'
import { hasFittingChecksum, START } from './fits.ts'
import type { SingleFault } from './hint.ts'

/** The code begins with fewer zeros than it must. */
export const FIRST_ZERO_LOST: SingleFault = {
  fault: 'first-zero-lost',
  isPresent: hasLostFirstZero,
  describe: describeFirstZero,
}

function hasLostFirstZero(text: string): boolean {
  return withZeros(text) !== undefined
}

/**
 * The code with its first zeros, if it can be read then: `201…` as `000201…`. Undefined if it
 * cannot. Where the structure fits to the end, the zeros were lost even if the checksum does not
 * fit.
 */
function withZeros(code: string): string | undefined {
  const candidates = ['0', '00', '000'].map((zeros) => zeros + code)
  return candidates.find((text) => text.startsWith(START) && hasWholeStructure(text))
}

/** Whether a text can be split into objects to its end, with any checksum. */
function hasWholeStructure(text: string): boolean {
  if (hasFittingChecksum(text)) return true
  const result = tryDecode(text)
  // The checksum is compared after the structure.
  return !result.ok && result.error.code === 'crc'
}

/** The hint about lost zeros, which also says if the checksum is wrong in addition. */
function describeFirstZero(text: string): string {
  const sentence =
    'The code has lost its first zero, as when a program takes it for a number; keep it as text.'
  const restored = withZeros(text)
  const fits = restored !== undefined && hasFittingChecksum(restored)
  return fits ? sentence : `${sentence} The checksum does not fit with the zero either.`
}

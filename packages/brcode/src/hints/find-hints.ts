import { tryDecode } from '../decode.ts'
import { MAX_CHARACTERS } from '../readable-objects.ts'
import { AMOUNT_WITH_COMMA } from './amount.ts'
import { CHECKSUM_OVER_LATIN_1, CHECKSUM_ZERO_LOST } from './checksum.ts'
import { FIRST_ZERO_LOST } from './first-zero.ts'
import { hasFittingChecksum } from './fits.ts'
import type { Hint, SingleFault, Wrapper } from './hint.ts'
import { LENGTHS_IN_BYTES, LENGTHS_IN_UNITS } from './lengths.ts'
import { SPACES_COLLAPSED } from './spaces.ts'
import { TEXT_AFTER } from './text-after.ts'
import { TEXT_BEFORE, URL_ENCODED } from './wrappers.ts'

/**
 * Finds out why the lenient profile refuses a code, for the faults that most public reports are
 * about. Corrects each fault in a copy of the code and gives a hint only if its checksum then fits,
 * so a hint is never a guess. (A lost first zero needs only the structure to fit; the sentence then
 * says that the checksum does not.) Returns several hints for a code with several faults, in the
 * order in which to correct them, and none for a code that can be read.
 *
 * A hint is for the issuer of the code, or for the program that transports it. Do not pay a code
 * that you corrected yourself.
 *
 * @example
 * declare const pasted: string
 * const result = tryDecode(pasted, { profile: 'lenient' })
 * if (!result.ok) for (const { sentence } of findHints(pasted)) console.log(sentence)
 */
export function findHints(code: string): readonly Hint[] {
  if (typeof code !== 'string' || code.length > MAX_CHARACTERS) return []
  return findHintsAt(code, 0)
}

/** How many faults may be around each other, such as text before a code that is URL-encoded. */
const MAX_DEPTH = 3

/**
 * What probably happened to a text that is no valid code, from the outside to the inside:
 * "percent-encoded", then "its first zero is lost". Empty if the text is valid, or if nothing known
 * explains it.
 *
 * @param depth In how many wrappers the text was found.
 */
function findHintsAt(text: string, depth: number): readonly Hint[] {
  const decoded = tryDecode(text, { profile: 'lenient' })
  if (decoded.ok || depth > MAX_DEPTH) return []

  const single = SINGLE_FAULTS.find(({ isPresent }) => isPresent(text, decoded.error))
  if (single) return [createHint(single, text)]

  // Something is around the code, such as text before it: what is inside may have faults too.
  for (const wrapper of WRAPPERS) {
    for (const inside of wrapper.unwrap(text)) {
      const inner = findHintsAt(inside, depth + 1)
      const isExplained = inner.length > 0 || hasFittingChecksum(inside)
      if (isExplained) return [createHint(wrapper, text), ...inner]
    }
  }
  return []
}

function createHint({ fault, describe }: SingleFault | Wrapper, text: string): Hint {
  return { fault, sentence: describe(text) }
}

/** In the order of their evidence: the first needs no change of the code. */
const SINGLE_FAULTS: readonly SingleFault[] = [
  TEXT_AFTER,
  LENGTHS_IN_BYTES,
  LENGTHS_IN_UNITS,
  CHECKSUM_OVER_LATIN_1,
  CHECKSUM_ZERO_LOST,
  FIRST_ZERO_LOST,
  AMOUNT_WITH_COMMA,
  SPACES_COLLAPSED,
]

const WRAPPERS: readonly Wrapper[] = [TEXT_BEFORE, URL_ENCODED]

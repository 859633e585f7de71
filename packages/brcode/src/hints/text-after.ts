import { readableObjects } from '../readable-objects.ts'
import { HEAD_LENGTH } from '../tlv.ts'
import { hasFittingChecksum, START } from './fits.ts'
import type { Hint, SingleFault } from './hint.ts'

/** Something stands behind the checksum. */
export const TEXT_AFTER: SingleFault = { isPresent: hasTextAfter, hint: createHintOfTextAfter }

function hasTextAfter(text: string): boolean {
  const end = endOfChecksum(text)
  return end < text.length && hasFittingChecksum(text.slice(0, end))
}

function createHintOfTextAfter(text: string): Hint {
  const after = text.slice(endOfChecksum(text))
  return {
    fault: 'text-after',
    sentence: `${describeTextAfter(after)} behind the checksum, which must be the end of the code. The checksum fits the code before it.`,
  }
}

function describeTextAfter(after: string): string {
  if (after.trim() === '') return 'White space stands'
  if (after.trim().startsWith(START)) return 'A second code stands'
  return 'Text stands'
}

/** The end of object 63, or of the text if it has none that can be read. */
function endOfChecksum(text: string): number {
  const object = readableObjects(text).find(({ id }) => id === '63')
  return object ? object.offset + HEAD_LENGTH + object.value.length : text.length
}

import { readableObjects } from '../readable-objects.ts'
import { HEAD_LENGTH } from '../tlv.ts'
import { hasFittingChecksum, START } from './fits.ts'
import type { SingleFault } from './hint.ts'

/** Something stands behind the checksum. */
export const TEXT_AFTER: SingleFault = {
  fault: 'text-after',
  isPresent: hasTextAfter,
  describe: describeTextAfter,
}

function hasTextAfter(text: string): boolean {
  const end = endOfChecksum(text)
  return end < text.length && hasFittingChecksum(text.slice(0, end))
}

function describeTextAfter(text: string): string {
  const subject = nameTextAfter(text.slice(endOfChecksum(text)))
  return `${subject} behind the checksum, which must be the end of the code. The checksum fits the code before it.`
}

function nameTextAfter(after: string): string {
  if (after.trim() === '') return 'White space stands'
  if (after.trim().startsWith(START)) return 'A second code stands'
  return 'Text stands'
}

/** The end of object 63, or of the text if it has none that can be read. */
function endOfChecksum(text: string): number {
  const object = readableObjects(text).find(({ id }) => id === '63')
  return object ? object.offset + HEAD_LENGTH + object.value.length : text.length
}

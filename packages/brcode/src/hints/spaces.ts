import { hasFittingChecksum } from './fits.ts'
import type { SingleFault } from './hint.ts'
import { restoreSpaces } from './restore-spaces.ts'

/** Runs of spaces have become single spaces. */
export const SPACES_COLLAPSED: SingleFault = {
  fault: 'spaces-collapsed',
  isPresent: hasCollapsedSpaces,
  describe: () =>
    'Runs of spaces have become single spaces, as in HTML or a chat; copy the code from its source, or issue it without runs of spaces.',
}

function hasCollapsedSpaces(text: string): boolean {
  return restoreSpaces(text, hasFittingChecksum) !== undefined
}

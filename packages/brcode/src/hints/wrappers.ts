import { START } from './fits.ts'
import type { Hint, Wrapper } from './hint.ts'

/** Something stands before the code. */
export const TEXT_BEFORE: Wrapper = { unwrap: removeTextBefore, hint: createHintOfTextBefore }
/** The code is encoded as a part of a URL. */
export const URL_ENCODED: Wrapper = { unwrap: urlDecoded, hint: createHintOfUrl }

function removeTextBefore(text: string): readonly string[] {
  const start = text.indexOf(START)
  return start > 0 ? [text.slice(start)] : []
}

/** The hint that something stands before a code. */
function createHintOfTextBefore(text: string): Hint {
  const start = text.indexOf(START)
  const isByteOrderMark = text.slice(0, start) === '\ufeff'
  const before = isByteOrderMark ? 'A byte order mark (U+FEFF) stands' : 'Text stands'
  return {
    fault: 'text-before',
    sentence: `${before} before the code, which begins with ${START} (offset ${start}).`,
  }
}

function urlDecoded(text: string): readonly string[] {
  const spellings = [text, text.replaceAll('+', ' ')]
  return spellings.flatMap(decodePercents).filter((decoded) => decoded !== text)
}

/** The decoded text in a list; no text if an encoding is invalid. */
function decodePercents(text: string): readonly string[] {
  try {
    return [decodeURIComponent(text)]
  } catch {
    return []
  }
}

function createHintOfUrl(): Hint {
  return { fault: 'url-encoded', sentence: 'The code is URL-encoded; decode it once.' }
}

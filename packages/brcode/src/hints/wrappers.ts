import { START } from './fits.ts'
import type { Wrapper } from './hint.ts'

/** Something stands before the code. */
export const TEXT_BEFORE: Wrapper = {
  fault: 'text-before',
  unwrap: removeTextBefore,
  describe: describeTextBefore,
}
/** The code is encoded as a part of a URL. */
export const URL_ENCODED: Wrapper = {
  fault: 'url-encoded',
  unwrap: urlDecoded,
  describe: () => 'The code is URL-encoded; decode it once.',
}

function removeTextBefore(text: string): readonly string[] {
  const start = text.indexOf(START)
  return start > 0 ? [text.slice(start)] : []
}

/** The hint that a byte order mark or a text stands before the code. */
function describeTextBefore(text: string): string {
  const start = text.indexOf(START)
  const isByteOrderMark = text.slice(0, start) === '\ufeff'
  const before = isByteOrderMark ? 'A byte order mark (U+FEFF) stands' : 'Text stands'
  return `${before} before the code, which begins with ${START} (offset ${start}).`
}

function urlDecoded(text: string): readonly string[] {
  const spellings = [text, text.replaceAll('+', ' ')]
  return spellings.flatMap(decodePercents).filter((decoded) => decoded !== text)
}

/** A percent-decoded text, `a%20b` as `['a b']`; an empty list if its encoding is invalid. */
function decodePercents(text: string): readonly string[] {
  try {
    return [decodeURIComponent(text)]
  } catch {
    return []
  }
}

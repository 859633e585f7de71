/**
 * More marks after one letter than any language writes (Unicode Standard Annex #15, section 13). It matches only from
 * the first mark of a row on, so that a long row is read once.
 */
const TOO_MANY_MARKS = /(?<!\p{M})\p{M}{31}/u

/**
 * A text in a normal form of Unicode. One with too many marks in a row stays as it is, because the time to put them in
 * order is quadratic: a million of them would take minutes.
 */
export function normalizeText(text: string, form: 'NFC' | 'NFD'): string {
  return TOO_MANY_MARKS.test(text) ? text : text.normalize(form)
}

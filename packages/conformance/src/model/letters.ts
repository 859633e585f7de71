import { normalizeText } from '../contract/unicode.ts'

/** Whether two texts have the same letters and digits, however they are written. */
export function hasSameLetters(one: string, other: string): boolean {
  const letters = normalizeLetters(one)
  return letters !== '' && letters === normalizeLetters(other)
}

/** Keeps letters and digits, without accents and in lower case: `São-Paulo` is `saopaulo`. */
export function normalizeLetters(text: string): string {
  return normalizeText(text, 'NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

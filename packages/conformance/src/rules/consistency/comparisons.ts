import { isSameKey } from '../../causes/keys.ts'
import { type Comparison, isFilled } from '../../contract/json.ts'
import { centavosOf } from '../../model/amounts.ts'

/** Compares the due dates that two responses show. Unknown if they are written in two notations. */
export function compareDueDates(one = '', other = ''): Comparison {
  if (one === '' || other === '' || !haveSameNotation(one, other)) return 'unknown'
  return one === other ? 'same' : 'different'
}

/** Whether two dates differ in their digits alone, unlike `2026-11-29` and `29/11/2026`. */
function haveSameNotation(one: string, other: string): boolean {
  const hideDigits = (date: string) => date.replaceAll(/\d/g, '0')
  return hideDigits(one) === hideDigits(other)
}

/** Compares the keys that two responses show, in whatever notation. Unknown if one shows no whole key. */
export function compareShownKeys(one = '', other = ''): Comparison {
  if (!isWholeKey(one) || !isWholeKey(other)) return 'unknown'
  return isSameKey(withoutCountry(one), withoutCountry(other)) ? 'same' : 'different'
}

/** Whether a text is a key, without stars in place of what a service hides. */
function isWholeKey(text: string): boolean {
  return isFilled(text) && !text.includes('*')
}

/** Removes the country of a telephone number, which a service may leave out: `+5511…` becomes `11…`. */
function withoutCountry(key: string): string {
  return key.trim().replace(/^\+55/, '')
}

/** So many values are looked at for another amount: the nearest first. */
const MAX_VALUES = 1_000

/**
 * Lists the amounts among the values of some JSON, at any depth, without their signs. A fee may be a number.
 *
 * @param words If given, only amounts count in fields whose name has such a word in it, or inside of them: with `fee`,
 *   that of `{ fees: [{ value: '0.10' }] }`. Default: all.
 */
export function listAmountsIn(object: unknown, words?: readonly string[]): readonly bigint[] {
  const amounts: bigint[] = []
  // What is found inside is added to the end, up to the limit.
  const waiting = [{ value: object, isNamed: words === undefined }]
  for (const { value, isNamed } of waiting) {
    if (typeof value === 'object' && value !== null) {
      const left = Math.max(0, MAX_VALUES - waiting.length)
      for (const [name, inside] of Object.entries(value).slice(0, left))
        waiting.push({ value: inside, isNamed: isNamed || hasWord(name, words) })
      continue
    }
    const centavos = centavosOf(String(value))
    if (isNamed && centavos !== undefined) amounts.push(withoutSign(centavos))
  }
  return amounts
}

/** Whether the name of a field has one of some words in it, in capitals or not: `serviceFee` has `fee`. */
function hasWord(name: string, words: readonly string[] = []): boolean {
  const lowerCaseName = name.toLowerCase()
  return words.some((word) => lowerCaseName.includes(word))
}

/** A service may show what the payer loses as a negative amount. */
export function withoutSign(centavos: bigint): bigint {
  return centavos < 0n ? -centavos : centavos
}

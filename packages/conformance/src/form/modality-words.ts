import { type Json, stringAt, valueAt, withValue } from '../contract/json.ts'
import type { Intent } from '../history.ts'

/** The operation whose requests have modalities. */
export const CREATION_WITH_MODALITIES = 'createDueDateQrCode'

/**
 * The fields of a request that have a modality, each with the number that the contract's example has there. No example
 * has a deduction: its number is that of `optionalFields`.
 */
const NUMBER_OF_EXAMPLE: Readonly<Record<string, string>> = {
  '/amount/deduction/modality': '1',
  '/amount/discount/modality': '1',
  '/amount/fine/modality': '2',
  '/amount/interest/modality': '3',
}

const MODALITY_FIELDS = Object.keys(NUMBER_OF_EXAMPLE)

/** Where 1 means an amount in reais, and 2 a percentage. Of interest, both are for a day: a word for that is another one. */
const ALIKE_FIELDS: readonly string[] = [
  '/amount/deduction/modality',
  '/amount/discount/modality',
  '/amount/fine/modality',
]
const ALIKE_NUMBERS: readonly string[] = ['1', '2']

const NUMBER = /^\d$/

/** A word that a service may have for a number of the contract: `value` for 1 in `/amount/deduction/modality`. */
export interface ModalityWord {
  readonly field: string
  readonly number: string
  readonly word: string
}

/**
 * The service's own words for modalities, for which the contract has numbers. Plans write the numbers, and the words are
 * sent. What a word means to the service is not known, so that rules read it as it was sent.
 *
 * The user names a word for the number of the example: `createDueDateQrCode/amount/discount/modality=value`. It is
 * guessed that the word means the same in another field, such as that of the deduction.
 */
export class ModalityWords {
  /** By field and number: `/amount/deduction/modality 1`. */
  readonly #words = new Map<string, string>()
  readonly #wrongGuesses = new Set<string>()

  /** Remembers the word of a field for the number that the example has there. Any other field or value is ignored. */
  learnOfExample(field: string, word: unknown): void {
    const number = NUMBER_OF_EXAMPLE[field]
    if (number !== undefined && isOwnWord(word)) this.learn({ field, number, word })
  }

  /** Remembers a word, unless one is known for that number. */
  learn({ field, number, word }: ModalityWord): void {
    const key = `${field} ${number}`
    if (!this.#words.has(key)) this.#words.set(key, word)
  }

  /** Remembers that the service does not take a word, so that it is guessed no more. */
  giveUp({ field, number, word }: ModalityWord): void {
    this.#wrongGuesses.add(`${field} ${number} ${word}`)
  }

  /** Writes a body with the words that are known. */
  toServiceBody(body: unknown, intent?: Intent): unknown {
    let written = body
    for (const { field, number } of listNumbers(body, intent)) {
      const word = this.#words.get(`${field} ${number}`)
      if (word !== undefined) written = withValue(written, field, word)
    }
    return written
  }

  /**
   * Guesses words for the numbers of a body for which none is known: one that another field has for the same number,
   * where the number means the same.
   */
  guess(body: unknown, intent?: Intent): ModalityWord[] {
    const guesses: ModalityWord[] = []
    for (const { field, number } of listNumbers(body, intent)) {
      const isKnown = this.#words.has(`${field} ${number}`)
      const isAlike = ALIKE_FIELDS.includes(field) && ALIKE_NUMBERS.includes(number)
      if (isKnown || !isAlike) continue

      const candidates = ALIKE_FIELDS.flatMap(
        (other) => this.#words.get(`${other} ${number}`) ?? [],
      )
      const word = candidates.find(
        (candidate) => !this.#wrongGuesses.has(`${field} ${number} ${candidate}`),
      )
      if (word !== undefined) guesses.push({ field, number, word })
    }
    return guesses
  }
}

/** Whether a value is a word of a service, and not a number of the contract. */
function isOwnWord(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !NUMBER.test(value)
}

/**
 * Lists the modalities of a body that are numbers, with their fields. Leaves out one that a plan has edited, which asks
 * whether the service takes this number.
 */
function listNumbers(
  body: unknown,
  { edit, edits = [] }: Intent = {},
): Omit<ModalityWord, 'word'>[] {
  return MODALITY_FIELDS.flatMap((field) => {
    const isEdited = field === edit || edits.includes(field)
    if (isEdited) return []

    const number = stringAt(body, field)
    return number !== undefined && NUMBER.test(number) ? [{ field, number }] : []
  })
}

/**
 * Learns the words for modalities that the user sets for requests, and those in the example of the contract, which an
 * answered contract has from the service.
 *
 * @returns The values of the user that requests have as they are.
 */
export function takeModalityWords(
  values: Json,
  { example, words }: { readonly example: unknown; readonly words: ModalityWords },
): Json {
  for (const [field, value] of Object.entries(values)) words.learnOfExample(field, value)
  for (const field of MODALITY_FIELDS) words.learnOfExample(field, valueAt(example, field))

  const others = Object.entries(values).filter(([field, value]) => {
    if (!MODALITY_FIELDS.includes(field) || !isOwnWord(value)) return true

    // Where the example has the number, requests have it too, and the word is written when they are sent.
    const isWordInExample = isOwnWord(valueAt(example, field))
    return isWordInExample
  })
  return Object.fromEntries(others)
}

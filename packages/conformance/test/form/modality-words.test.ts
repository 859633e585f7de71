import { expect, test } from 'vitest'
import { readContract } from '../../src/contract/contract.ts'
import { stringAt, withValue } from '../../src/contract/json.ts'
import { ModalityWords, takeModalityWords } from '../../src/form/modality-words.ts'

const DEDUCTION = '/amount/deduction/modality'
const DISCOUNT = '/amount/discount/modality'
const FINE = '/amount/fine/modality'
const INTEREST = '/amount/interest/modality'
const [EXAMPLE] = readContract().examples('createDueDateQrCode')

/** A body with one modality. */
const bodyWith = (field: string, modality: string) => withValue({}, field, modality)

test.each([
  // 1 is an amount in reais, and 2 a percentage.
  { known: [DISCOUNT, '1'], asked: [DEDUCTION, '1'], words: ['value'] },
  { known: [FINE, '2'], asked: [DEDUCTION, '2'], words: ['value'] },
  { known: [DEDUCTION, '1'], asked: [FINE, '1'], words: ['value'] },
  { known: [FINE, '2'], asked: [DEDUCTION, '1'], words: [] },
  // 3 is a discount for each day, and every interest is for a time.
  { known: [DISCOUNT, '3'], asked: [INTEREST, '3'], words: [] },
  { known: [INTEREST, '1'], asked: [DEDUCTION, '1'], words: [] },
  { known: [DEDUCTION, '2'], asked: [INTEREST, '2'], words: [] },
] as const)('it guesses $words for $asked if $known has a word', ({ known, asked, words }) => {
  const modalityWords = new ModalityWords()
  const [field, number] = known
  modalityWords.learn({ field, number, word: 'value' })
  const [askedField, askedNumber] = asked
  const guesses = modalityWords.guess(bodyWith(askedField, askedNumber))
  expect(guesses.map(({ word }) => word)).toEqual(words)
})

test('it guesses the word of another field after one was given up', () => {
  const modalityWords = new ModalityWords()
  modalityWords.learn({ field: DISCOUNT, number: '1', word: 'until_date' })
  modalityWords.learn({ field: FINE, number: '1', word: 'value' })
  const guess = () => modalityWords.guess(bodyWith(DEDUCTION, '1'))
  expect(guess()).toMatchObject([{ word: 'until_date' }])
  for (const wrong of guess()) modalityWords.giveUp(wrong)
  expect(guess()).toMatchObject([{ word: 'value' }])
  for (const wrong of guess()) modalityWords.giveUp(wrong)
  expect(guess()).toEqual([])
})

test('it takes the words of the user for the numbers of the example, and leaves the other values', () => {
  const words = new ModalityWords()
  const values = { [DISCOUNT]: 'value', [DEDUCTION]: 'fixed', [FINE]: '1', '/dict_key': 'key' }
  const others = takeModalityWords(values, { example: EXAMPLE, words })
  expect(others).toEqual({ [FINE]: '1', '/dict_key': 'key' })
  expect(words.toServiceBody(bodyWith(DISCOUNT, '1'))).toEqual(bodyWith(DISCOUNT, 'value'))
  expect(words.toServiceBody(bodyWith(DISCOUNT, '2'))).toEqual(bodyWith(DISCOUNT, '2'))
  expect(words.toServiceBody(bodyWith(DEDUCTION, '1'))).toEqual(bodyWith(DEDUCTION, 'fixed'))
})

test('it takes the words in the example of an answered contract', () => {
  const words = new ModalityWords()
  const example = withValue(EXAMPLE, FINE, 'percentage')
  takeModalityWords({}, { example, words })
  expect(words.toServiceBody(bodyWith(FINE, '2'))).toEqual(bodyWith(FINE, 'percentage'))
})

test.each([DISCOUNT, FINE, INTEREST])('it knows the number of the example for %s', (field) => {
  const words = new ModalityWords()
  words.learnOfExample(field, 'word')
  expect(stringAt(words.toServiceBody(EXAMPLE), field)).toBe('word')
})

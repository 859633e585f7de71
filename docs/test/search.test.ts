import { expect, it, test } from 'vitest'
import { indexedWord, stem, wordsOfIndex, wordsOfSearch } from '../.vitepress/theme/search-words.ts'

test('a search has words as the index has them, and not more than the page can look for', () => {
  expect(wordsOfSearch('pix/out, initiation_id')).toEqual([
    'initiation_id',
    'pix',
    'out',
    'initiation',
    'id',
  ])
  expect(wordsOfSearch('a '.repeat(2_000))).toHaveLength(20)
  expect(wordsOfSearch('payment'.repeat(2_000)).join('').length).toBeLessThanOrEqual(300)
})

it('has the names of a heading as one word, and their parts', () => {
  expect(wordsOfIndex('due_date', 'title')).toEqual(['due_date', 'due', 'date'])
  expect(wordsOfIndex('secrets-hidden', 'title')).toEqual(['secrets-hidden', 'secrets', 'hidden'])
  expect(wordsOfIndex('due_date', 'text')).toEqual(['due', 'date'])
})

it('ignores capitals, accents and words that are in every text', () => {
  expect(indexedWord('Cobrança')).toBe(indexedWord('cobranca'))
  expect(['How', 'do', 'I', 'como', 'um'].map(indexedWord)).toEqual(Array(5).fill(false))
})

it.each([
  { words: ['verify', 'verifies', 'verified', 'verifying'], stemmed: 'verify' },
  { words: ['settle', 'settles', 'settled', 'settling'], stemmed: 'settl' },
  { words: ['cancel', 'cancels', 'cancelled', 'cancelling'], stemmed: 'cancel' },
  { words: ['webhook', 'webhooks'], stemmed: 'webhook' },
  { words: ['address', 'addresses'], stemmed: 'addres' },
  { words: ['status'], stemmed: 'status' },
  { words: ['speed'], stemmed: 'speed' },
  { words: ['use'], stemmed: 'use' },
  { words: ['422'], stemmed: '422' },
])('takes $words as one word', ({ words, stemmed }) => {
  expect(words.map(stem)).toEqual(words.map(() => stemmed))
})

import MiniSearch from 'minisearch'
import { expect, it, test } from 'vitest'
import { openWhereAnswered } from '../.vitepress/theme/search-index.ts'
import { createSpelling } from '../.vitepress/theme/search-spelling.ts'
import { ALIASES } from '../.vitepress/theme/search-vocabulary.ts'
import { indexedWord, stem, wordsOfIndex, wordsOfSearch } from '../.vitepress/theme/search-words.ts'

test('a search has words as the index has them, and not more than the page can look for', () => {
  expect(wordsOfSearch('pix/out, initiation_id')).toEqual([
    'initiation_id',
    'pix',
    'out',
    'initiation',
    'id',
    'pix out',
    'out initiation',
    'initiation id',
  ])
  expect(wordsOfSearch('a '.repeat(2_000))).toHaveLength(20)
  for (const word of wordsOfSearch('payment'.repeat(2_000)))
    expect(word.length).toBeLessThanOrEqual('='.length + 300)
})

it('has the names of a heading as one word, and their parts', () => {
  const parts = ['due', 'date']
  expect(wordsOfIndex('due_date', 'title')).toEqual([...parts, 'due_date', 'due date', '=due_date'])
  expect(wordsOfIndex('secrets-hidden', 'title')).toContain('secrets-hidden')
  expect(wordsOfIndex('due_date', 'text')).toEqual(parts)
  expect(wordsOfIndex('Register a webhook createWebhook', 'title')).toEqual(
    expect.arrayContaining(['createWebhook', 'create', 'create Webhook', '=Register webhook']),
  )
})

it('has what somebody may type as a whole', () => {
  expect(wordsOfIndex('Webhooks', 'title')).toEqual(['Webhooks', '=Webhooks'])
  expect(wordsOfIndex('ngrok, expose localhost', 'keywords')).toEqual([
    'ngrok',
    'expose',
    'localhost',
    '=ngrok',
    'expose localhost',
  ])
  expect(wordsOfSearch('the webhooks')).toContain('=webhooks')
  // In any order.
  expect(indexedWord('localhost exposing')).toBe(indexedWord('expose localhost'))
})

it('counts no word of a text twice', () => {
  expect(wordsOfIndex('pay, then pay', 'text')).toEqual(['pay', 'then'])
})

it('takes words for one idea as one word', () => {
  expect(indexedWord('payee')).toBe(indexedWord('beneficiary'))
  expect(indexedWord('Devolução')).toBe(indexedWord('refunds'))
})

it('reads the name of an error as its words, and a compound in one or two words', () => {
  expect(wordsOfSearch('ReadTimeout')).toEqual(expect.arrayContaining(['Read', 'Timeout']))
  expect(wordsOfSearch('operation timed out')).toContain('timeout')
  expect(wordsOfIndex('Time zone', 'text')).toEqual(['timezone'])
})

const index = new MiniSearch({ fields: ['text'], processTerm: indexedWord })
index.addAll([
  { id: 1, text: 'webhoop, webhook' },
  { id: 2, text: 'webhook signature' },
  { id: 3, text: 'receive, book, authentication, pagination' },
])
const correctSpelling = createSpelling(index.toJSON())

it.each([
  { typed: 'webook', meant: 'webhook' },
  { typed: 'wehbook', meant: 'webhook' },
  // One letter from “webhoop” too, which fewer sections have.
  { typed: 'webhoox', meant: 'webhook' },
  { typed: 'signiture', meant: 'signature' },
  { typed: 'recieve', meant: 'receive' },
  { typed: 'pagnation', meant: 'pagination' },
  { typed: 'wehbook signiture', meant: 'webhook signature' },
])('corrects $typed', ({ typed, meant }) => {
  expect(correctSpelling(typed)).toBe(indexedWord(meant))
})

it.each(['webho', 'bok', '42901', 'laundry'])('leaves %s as it is', (typed) => {
  expect(correctSpelling(typed)).toBe(indexedWord(typed))
})

test('no word stands for two ideas, nor twice for one', () => {
  const words = Object.entries(ALIASES).flatMap(([word, aliases]) => [word, ...aliases.split(' ')])
  const stems = words.map(stem)
  const repeated = words.filter((word, index) => stems.indexOf(stem(word)) < index)
  expect(repeated).toEqual([])
})

it('ignores capitals, accents and words that are in every text', () => {
  expect(indexedWord('Cobrança')).toBe(indexedWord('cobranca'))
  expect(['How', 'do', 'I', 'como', 'um'].map(indexedWord)).toEqual(Array(5).fill(false))
})

it.each([
  { words: ['verify', 'verifies', 'verified', 'verifying'], stemmed: 'verify' },
  { words: ['settle', 'settles', 'settled', 'settling'], stemmed: 'settl' },
  { words: ['cancel', 'cancels', 'cancelled', 'cancelling'], stemmed: 'cancel' },
  { words: ['validate', 'validates', 'validation'], stemmed: 'valid' },
  { words: ['rotate', 'rotation'], stemmed: 'rotat' },
  { words: ['webhook', 'webhooks'], stemmed: 'webhook' },
  { words: ['address', 'addresses'], stemmed: 'addres' },
  { words: ['status'], stemmed: 'status' },
  { words: ['speed'], stemmed: 'speed' },
  { words: ['use'], stemmed: 'use' },
  { words: ['422'], stemmed: '422' },
])('takes $words as one word', ({ words, stemmed }) => {
  expect(words.map(stem)).toEqual(words.map(() => stemmed))
})

/** A result as MiniSearch returns it: only the top of a page has no titles above it. */
function result(id: string, score: number) {
  const titles = id.endsWith('#top') ? [] : ['Page']
  return { id, score, titles, terms: [], queryTerms: [], match: {} }
}

function order(...results: ReturnType<typeof result>[]): string[] {
  return openWhereAnswered(results).map(({ id }) => id)
}

it('opens the section that answers before the top of its page', () => {
  const results = [
    result('/a#top', 9),
    result('/b#top', 8),
    result('/a#one', 7),
    result('/a#two', 6),
  ]
  expect(order(...results)).toEqual(['/a#one', '/a#top', '/b#top', '/a#two'])
})

it('opens the top of a page that says far more than its sections', () => {
  expect(order(result('/a#top', 9), result('/a#one', 1))).toEqual(['/a#top', '/a#one'])
})

it('leaves a section where it is that comes before the top of its page', () => {
  const results = [result('/a#one', 9), result('/b#top', 8), result('/a#top', 7)]
  expect(order(...results)).toEqual(['/a#one', '/b#top', '/a#top'])
})

import { expect, it } from 'vitest'
import {
  describeForm,
  joinForms,
  patternOfForm,
  rewriteExample,
} from '../answer/changes/form-syntax.ts'

it.each([
  {
    title: 'random texts that base64url cuts in different places',
    counts: { 'whs_x{40}': 3, 'whs__x{39}': 1, 'whs_x{5}-x{18}-a{3}_x{11}': 1 },
    joined: { 'whs_u{40}': 5 },
  },
  {
    title: 'random texts that base64 cuts in different places, with their padding',
    counts: { 'whsec_x{43}=': 3, 'whsec_x{12}+x{30}=': 1, 'whsec_b{43}=': 1 },
    joined: { 'whsec_b{43}=': 5 },
  },
  {
    title: 'ids whose letters happen to be of one case',
    counts: { 'A{3}-x{12}': 9, 'A{3}-a{12}': 1, 'A{3}-h{12}': 1 },
    joined: { 'A{3}-x{12}': 11 },
  },
  {
    title: 'hexadecimal digits of which some have no letter',
    counts: { 'rec_h{8}': 9, 'rec_9{8}': 1 },
    joined: { 'rec_h{8}': 10 },
  },
])('joins $title', ({ counts, joined }) => {
  expect(joinForms(counts)).toEqual(joined)
})

it.each([
  { title: 'short ids', counts: { 'A{3}-9{4}': 2, 'x{8}': 1 } },
  { title: 'random texts of different lengths', counts: { 'x{40}': 2, 'x{39}': 1 } },
  { title: 'random texts with different prefixes', counts: { 'a_x{40}': 2, 'b_x{40}': 1 } },
  { title: 'forms with a name', counts: { uuid: 2, 'date-time Z': 1, empty: 1, others: 3 } },
])('keeps $title apart', ({ counts }) => {
  expect(joinForms(counts)).toEqual(counts)
})

const EXAMPLES = [
  'iVBORw0KGgoAAAANSUhEUgAAAKsAAACrAQ',
  'pix.example.com/qr/v2/cobv/8b3da2f39a4140d1a91abd93113bd441',
  '45cb5a75-cc4d-42a6-83c8-868e352756e5',
  'whsec_tLU7HnS+V0cZESf88EAaS/ftQdx98O+XIlqJ0AwYn9k=',
  '2026-11-02T14:30:00Z',
  '2026-11-02',
  '12345678909',
  'x',
]

const FORMS = [
  'uuid',
  'full-date',
  'date-time Z',
  'date-time -03:00',
  'decimal',
  'https URL',
  'http URL',
  'data URL',
  'whs_u{40}',
  'whsec_b{43}=',
  'A{3}-9{4}',
  '***.9{3}.9{3}-**',
]

it.each(FORMS)('writes each example in the form %s, so that its pattern matches', (form) => {
  const pattern = new RegExp(`^${patternOfForm(form)}$`)
  const rewritten = EXAMPLES.map((value) => rewriteExample(value, form))
  expect(rewritten.filter((value) => value === undefined || !pattern.test(value))).toEqual([])
})

it('writes no example in a form that does not say all characters', () => {
  expect(
    ['others', 'empty', `x{${'9'.repeat(80)}}`].map((form) => rewriteExample('x', form)),
  ).toEqual([undefined, undefined, undefined])
})

it.each([
  { form: 'rec_h{32}', words: 'rec_ and 32 hexadecimal digits' },
  { form: 'A{3}-9{1}', words: '3 capitals, - and 1 digit' },
  { form: 'date-time -03:00', words: 'date-time -03:00' },
  { form: 'empty', words: 'an empty string' },
  { form: '***.9{3}.9{3}-**', words: '***.9{3}.9{3}-**' },
])('describes $form as $words', ({ form, words }) => {
  expect(describeForm(form)).toBe(words)
})

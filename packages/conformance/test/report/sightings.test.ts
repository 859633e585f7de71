import { expect, test } from 'vitest'
import { createSightings, describeForm, describeWord } from '../../src/report/sightings.ts'

test.each([
  ['2026-11-02T14:30:00Z', 'date-time Z'],
  ['2026-11-02T11:30:00.123-03:00', 'date-time -03:00'],
  ['2026-12-15', 'full-date'],
  ['45cb5a75-cc4d-42a6-83c8-868e352756e5', 'uuid'],
  ['rec_45cb5a75cc4d42a683c8868e352756e5', 'rec_h{32}'],
  ['ab\n\u0000cd', 'a{2}?a{2}'],
  ['whs_Ab3-de_Gh1jKl2mNo4pQr5sTu6vWx7yZa8bCd9e0', 'whs_u{40}'],
  ['whs__Ab3deGh1jKl2mNo4pQr5sTu6vWx7yZa8bCd9e0f', 'whs_u{40}'],
  ['whsec_tLU7HnS+V0cZESf88EAaS/ftQdx98O+XIlqJ0AwYn9k=', 'whsec_b{43}='],
  ['Recurring-Payment_2026', 'x{9}-x{7}_9{4}'],
  ['12345678909', '9{11}'],
  ['***.444.777-**', '***.9{3}.9{3}-**'],
  ['Beltrana de Tal', 'x{8} a{2} x{3}'],
  ['João', 'x{2}?a{1}'],
  ['', 'empty'],
  ['10.50', 'decimal'],
])('it names the form of %j without its content', (text, form) => {
  expect(describeForm(text)).toBe(form)
})

test('it shows words of programs, and masks what may be of a person', () => {
  expect(['ATIVA', 'transfer.settled', 'Ana de Tal', 7, null].map(describeWord)).toEqual([
    'ATIVA',
    'transfer.settled',
    'x{3} a{2} x{3}',
    '7',
    'null',
  ])
})

test('it counts at most forty different ones at a place', () => {
  const sightings = createSightings()
  const count = sightings.createCounter({ question: 'key-kinds', at: '/a', of: 'value' })
  for (let i = 0; i < 100; i++) count(`k${i}`)
  const [sighting] = sightings.list()
  expect(Object.keys(sighting?.seen ?? {})).toHaveLength(41)
  expect(sighting?.seen.others).toBe(60)
})

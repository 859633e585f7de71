import { expect, test } from 'vitest'
import { type Row, ratioOf, render } from '../table.ts'

const row = (subject: string, value: number, more: Partial<Row> = {}): Row => ({
  figure: 'decode',
  subject,
  value,
  unit: 'ops/s',
  better: 'higher',
  ...more,
})

test('compares with the best peer in either direction', () => {
  expect(ratioOf([row('ours', 400, { ours: true }), row('a', 100), row('b', 200)])).toBe(2)
  const lower = { better: 'lower' } as const
  expect(ratioOf([row('ours', 2, { ...lower, ours: true }), row('a', 8, lower), row('b', 4, lower)])).toBe(2)
})

test('has no ratio without a peer or without our row', () => {
  expect(ratioOf([row('ours', 400, { ours: true })])).toBeUndefined()
  expect(ratioOf([row('a', 100)])).toBeUndefined()
})

test('writes one line per figure', () => {
  const rows = [
    row('a', 100),
    row('ours', 1234.5, { ours: true }),
    row('b', 2.345, { figure: 'size', unit: 'kB' }),
  ]
  expect(render(rows)).toMatchInlineSnapshot(`
    "| figure | ours        | peers       | ratio |
    |--------|-------------|-------------|-------|
    | decode | 1,235 ops/s | a 100 ops/s | 12.3x |
    | size   |             | b 2.35 kB   |       |"
  `)
})

test('writes a count as a plain number', () => {
  expect(render([row('a', 1210, { figure: 'types', unit: '' })])).toContain('| a 1,210 |')
})

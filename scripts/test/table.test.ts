import { expect, test } from 'vitest'
import { type Row, ratioOf, render } from '../bench/table.ts'

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
  expect(render(rows, [{ figure: /decode/, ratio: 0.5 }])).toMatchInlineSnapshot(`
    "| figure | ours        | peers       | ratio | aim   | reached |
    |--------|-------------|-------------|-------|-------|---------|
    | decode | 1,235 ops/s | a 100 ops/s | 12.3x | 0.50x | yes     |
    | size   |             | b 2.35 kB   |       |       |         |"
  `)
})

test('writes a count as a plain number', () => {
  expect(render([row('a', 1210, { figure: 'types', unit: '' })])).toContain('| a 1,210 |')
})

test.each([
  ['a ratio that is reached', { ratio: 2 }, 200, 'yes'],
  ['a ratio that is not reached', { ratio: 3 }, 200, 'no'],
  ['a value that is reached', { value: 200 }, 200, 'yes'],
  ['a value that is not reached', { value: 201 }, 200, 'no'],
])('says whether an aim is reached: %s', (_, aim, value, reached) => {
  const rows = [row('ours', value, { ours: true }), row('a', 100)]
  expect(render(rows, [{ figure: /decode/, ...aim }])).toMatch(new RegExp(`\\| ${reached} +\\|$`))
})

test.each([
  [200, false],
  [400, true],
])('says why an aim is not reached, and only then', (value, isReached) => {
  const rows = [row('ours', value, { ours: true }), row('a', 100)]
  const [, causes = ''] = render(rows, [{ figure: /decode/, ratio: 3, cause: 'the checksum' }]).split('\n\n')
  expect(causes).toBe(isReached ? '' : 'Not reached:\n- decode: the checksum.')
})

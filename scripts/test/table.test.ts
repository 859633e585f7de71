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
const ours = (value: number, more: Partial<Row> = {}) => row('ours', value, { ours: true, ...more })

test('compares with the best peer in either direction, if there are a peer and our row', () => {
  expect(ratioOf([ours(400), row('a', 100), row('b', 200)])).toBe(2)
  const lower = { better: 'lower' } as const
  expect(ratioOf([ours(2, lower), row('a', 8, lower), row('b', 4, lower)])).toBe(2)
  expect(ratioOf([ours(400)])).toBeUndefined()
  expect(ratioOf([row('a', 100)])).toBeUndefined()
})

test('writes one line per figure, whether it reaches its aim, and why not', () => {
  const size = { figure: 'size', unit: 'kB', better: 'lower' } as const
  const types = { figure: 'types', unit: '' }
  const rows = [
    row('a', 100),
    ours(1234.5),
    ours(2.345, size),
    row('b', 1210, types),
    ours(10, types),
  ]
  const aims = [
    { figure: /decode/, ratio: 0.5, cause: 'not printed' },
    { figure: /size/, value: 2, cause: 'the checksum' },
    { figure: /types/, ratio: 3 },
  ]
  expect(render(rows, aims)).toMatchInlineSnapshot(`
    "| figure | ours        | peers       | ratio | aim   | reached |
    |--------|-------------|-------------|-------|-------|---------|
    | decode | 1,235 ops/s | a 100 ops/s | 12.3x | 0.50x | yes     |
    | size   | 2.35 kB     |             |       | 2 kB  | no      |
    | types  | 10          | b 1,210     | 0.01x | 3.00x | no      |

    Not reached:
    - size: the checksum."
  `)
})

import { expect, it } from 'vitest'
import { compareRuns, parseRun, renderComparison } from '../bench/compare.ts'
import type { Row } from '../bench/table.ts'

function ours(figure: string, value: number, better: Row['better'] = 'higher'): Row {
  return { figure, subject: 'ours', value, unit: 'ops/s', better, ours: true }
}

function peer(figure: string, value: number): Row {
  return { figure, subject: 'peer', value, unit: 'ops/s', better: 'higher' }
}

it('names a figure that lost more than 15 %, with both ratios to the best peer', () => {
  const before = [ours('decode', 1000), peer('decode', 500)]
  const after = [ours('decode', 840), peer('decode', 420)]
  expect(compareRuns(before, after).lost).toEqual([
    'decode: 1,000 ops/s -> 840 ops/s, 16 % worse (beside the best peer 2.00x -> 2.00x)',
  ])
})

it('does not name a figure that lost 15 % or less, or became better', () => {
  const before = [ours('decode', 1000), ours('start', 100, 'lower')]
  expect(compareRuns(before, [ours('decode', 850), ours('start', 115, 'lower')]).lost).toEqual([])
  expect(compareRuns(before, [ours('decode', 9000), ours('start', 1, 'lower')]).lost).toEqual([])
})

it('names a figure that should be low and grew, also from zero', () => {
  const before = [ours('start', 100, 'lower'), ours('failures', 0, 'lower')]
  const after = [ours('start', 116, 'lower'), ours('failures', 1, 'lower')]
  expect(compareRuns(before, after).lost).toEqual([
    'start: 100 ops/s -> 116 ops/s, 16 % worse',
    'failures: 0 ops/s -> 1 ops/s, infinitely worse',
  ])
})

it('counts what it compared and names what only the earlier run has', () => {
  const comparison = compareRuns([ours('decode', 1), ours('encode', 1)], [ours('decode', 1)])
  expect(renderComparison(comparison)).toBe(
    '1 figures compared, 0 lost more than 15 %.\nNot measured in this run: encode.',
  )
})

it('refuses a file that is no run', () => {
  expect(() => parseRun('{}')).toThrow('expected an array of rows, as "bench --json" prints them')
  expect(() => parseRun('[{"figure":"decode"}]')).toThrow('row 0 is not a row of "bench --json"')
})

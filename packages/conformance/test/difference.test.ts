import { expect, test } from 'vitest'
import { isSameShown, isSameValue } from '../src/contract/json.ts'
import { classifyDifference } from '../src/rules/difference.ts'

const DIFFERENCES = [
  { expected: '12.35', shown: '12.34', kind: 'rounding' },
  { expected: '12.34', shown: '0.12', kind: 'amount' },
  { expected: '12.00', shown: '0.12', kind: 'scale' },
  { expected: '12.00', shown: '1200.00', kind: 'scale' },
  { expected: 'Almoço', shown: 'ALMOCO', kind: 'letters' },
  { expected: 'Pedido 1001', shown: 'Pedido', kind: 'cut' },
  { expected: 'Pedido 1001', shown: '', kind: 'empty' },
  { expected: 'Pedido 1001', shown: 'Outro', kind: 'text' },
  { expected: 'Pedido 1001', shown: null, kind: 'null' },
  { expected: 'Pedido 1001', shown: undefined, kind: 'missing' },
  { expected: '', shown: '-', kind: 'text' },
]

for (const { expected, shown, kind } of DIFFERENCES) {
  test(`it calls ${JSON.stringify(shown)} in place of ${JSON.stringify(expected)} "${kind}"`, () => {
    expect(classifyDifference(expected, shown)).toBe(kind)
  })
}

const TIMES = [
  { one: '2026-11-02T14:30:00.900Z', other: '2026-11-02T14:30:00Z', isSame: true },
  { one: '2026-11-02T14:30:00.900Z', other: '2026-11-02T14:30:01Z', isSame: true },
  { one: '2026-11-02T14:30:00.900123Z', other: '2026-11-02T11:30:00.900-03:00', isSame: true },
  { one: '2026-11-02T14:30:00Z', other: '2026-11-02T14:30:01Z', isSame: false },
  { one: '2026-11-02T14:30:00.900Z', other: '2026-11-02T14:30:00.901Z', isSame: false },
  { one: '2026-11-02', other: '2026-11-03', isSame: false },
]

for (const { one, other, isSame } of TIMES) {
  test(`it takes ${one} and ${other} for ${isSame ? 'one time' : 'two times'}`, () => {
    expect(isSameShown(one, other)).toBe(isSame)
    expect(isSameValue(one, other)).toBe(isSame)
  })
}

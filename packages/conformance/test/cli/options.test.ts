import { expect, test } from 'vitest'
import { readFlags } from '../../src/cli/flags.ts'
import { optionsOf } from '../../src/cli/options.ts'
import type { CheckOptions } from '../../src/engine/check-options.ts'
import { CREDENTIALS } from './command.ts'

const FLAGS: readonly [readonly string[], Partial<CheckOptions>][] = [
  [['--delivery-within', '500'], { deliveryWithinMs: 500 }],
  [['--response-within', '250'], { responseWithinMs: 250 }],
  [['--time', '0.5'], { timeMs: 500 }],
  [['--rate', '2.5'], { rate: 2.5 }],
  [['--only', 'records, http'], { only: ['records', 'http'] }],
  [['--set', 'a/b=1,2', '--set', 'a/c:=[1]'], { values: { a: { '/b': '1,2', '/c': [1] } } }],
  [['--shard', '2/3'], { shard: { i: 2, n: 3 } }],
  [['--allow-payments', '1.00'], { allowPayments: { maxAmount: '1.00' } }],
]

test.each(FLAGS)('parses %j', (args, expected) => {
  const { flags } = readFlags(['--target', 'http://127.0.0.1:1', ...args], 'check')
  expect(optionsOf(flags, CREDENTIALS, undefined)).toMatchObject(expected)
})

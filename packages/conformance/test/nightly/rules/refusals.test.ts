import type { Behaviour } from '@partner-payments/spec/behaviour'
import declared from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import { expect, it } from 'vitest'
import { alters, type Fault } from '../../rules/broken.ts'
import { resultsOf } from '../../rules/in-process.ts'

const resultOf = resultsOf('refusals', { beside: ['refusals-later'] })
const { refusals = {} } = declared as Behaviour

/** Reports success where the service refuses with one of these codes. */
function accepting(codes: readonly string[]): Fault {
  return alters(undefined, (response) =>
    codes.some((code) => response.text.includes(`"code":"${code}"`))
      ? { ...response, status: 200, text: '{}' }
      : response,
  )
}

const codes = Object.keys(refusals).filter((code) => (refusals[code]?.variants ?? []).length > 0)
// Every second code, so that the run still sees the refusals of the others.
const halves = [0, 1].map((half) => codes.filter((_, i) => i % 2 === half))

it.each(halves)('finds each operation that never refuses with %s, %s, %s, ...', async (...accepted) => {
  const { findings } = await resultOf(accepting(accepted))
  const found = findings.map(
    ({ operation, message }) => `${operation} ${/expected (\w+)\.$/.exec(message)?.[1]}`,
  )
  const expected = accepted.flatMap((code) =>
    (refusals[code]?.variants ?? []).map(({ operation }) => `${operation} ${code}`),
  )
  expect([...new Set(found)].sort()).toEqual([...new Set(expected)].sort())
})

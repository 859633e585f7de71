import { expect, test } from 'vitest'
import { rules } from '../../src/rules.ts'
import { faults } from '../faulty/faults.ts'
import { compareCorrect, type Entry, recordMutant, type Selection, verifyMutant } from './gate.ts'
import type { Mutant } from './mutants.ts'
import { entries } from './named-mutants.ts'
import { subjects } from './subjects.ts'

const mutant: Mutant = {
  id: 'mutant',
  operations: ['getWebhook'],
  isOfDeliveries: false,
  open: () => Promise.reject(new Error('no run opens it')),
}
const entry: Entry = {
  id: 'mutant',
  by: 'own operations',
  named: ['deviation foreign-record-hidden@getWebhook', 'failure response-schema@getWebhook'],
  requests: 1,
  seconds: 1,
}

/** Runs that name these lines, one after the other, and nothing after them. */
function runs(...lines: readonly string[]) {
  const selections: Selection[] = []
  const run = async (selection: Selection) => {
    const line = lines[selections.push(selection) - 1]
    return { named: line ? [line] : [], requests: 1, seconds: 1 }
  }
  return { run, selections, names: () => selections.map(({ name }) => name) }
}

test('it records the first selection that names a mutant at its operation', async () => {
  const { run } = runs('failure copies@checkCode', 'failure copies@getWebhook')
  expect(await recordMutant(mutant, run)).toMatchObject({
    by: 'everything',
    named: ['failure copies@getWebhook'],
  })
})

test('it records a mutant that is named elsewhere only', async () => {
  const { run, names } = runs('', 'failure copies@checkCode')
  expect(await recordMutant(mutant, run)).toMatchObject({
    by: 'everything',
    named: ['failure copies@checkCode'],
  })
  expect(names()).toEqual(['own operations', 'everything'])
})

test('it tries everything twice before a mutant has survived', async () => {
  const { run, names } = runs()
  expect(await recordMutant(mutant, run)).toMatchObject({ tries: 2, named: [] })
  expect(names()).toEqual(['own operations', 'everything', 'everything'])
})

test('it runs only the cheapest recorded rule while that names the mutant', async () => {
  const { run, selections } = runs('deviation foreign-record-hidden@getWebhook')
  expect(await verifyMutant(mutant, entry, run)).toEqual({ outcome: 'same', texts: [] })
  expect(selections).toMatchObject([{ only: ['foreign-record-hidden'], operations: ['getWebhook'] }])
})

test('it reports another rule or kind as a change', async () => {
  const { run, names } = runs('', 'deviation response-schema@getWebhook')
  expect(await verifyMutant(mutant, entry, run)).toMatchObject({ outcome: 'changed' })
  expect(names()).toEqual(['recorded rule', 'own operations'])
})

test('it reports a mutant that nothing names any more as a regression', async () => {
  const { run, names } = runs('', '', 'failure response-schema@listWebhooks')
  expect(await verifyMutant(mutant, entry, run)).toMatchObject({ outcome: 'regression' })
  expect(names()).toEqual(['recorded rule', 'own operations', 'everything', 'everything'])
})

test('it reports a new failure of a correct variation as a regression, and a new deviation as a change', () => {
  const recorded = { ...entry, named: ['deviation refusals@checkKey'] }
  const outcomes = [
    'deviation refusals@checkKey',
    'deviation copies@checkKey',
    'failure copies@checkKey',
  ].map((line) => compareCorrect([line], recorded).outcome)
  expect(outcomes).toEqual(['same', 'changed', 'regression'])
})

test('it records only mutants and variations that exist, each once', () => {
  const known = new Set(subjects.map(({ id }) => id))
  expect(known.size).toBe(subjects.length)
  expect(entries.map(({ id }) => id).filter((id) => !known.has(id))).toEqual([])
})

test('it has only mutants whose rules exist', () => {
  const known = rules.map(({ id }) => id)
  expect(faults.flatMap(({ rule }) => rule).filter((id) => !known.includes(id))).toEqual([])
})

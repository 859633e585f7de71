import { expect, it } from 'vitest'
import { inline, operationsOf, parameterExamples, requireComponent } from '../build/contract.ts'
import { DAY_OF_EXAMPLES, moveDates, withRelativeDates } from '../build/example-dates.ts'
import { createSamples, requestExamples } from '../build/samples.ts'
import { behaviour, contract, whole } from './site.ts'

const operations = operationsOf(inline(whole), behaviour)
const ANY_DATE = /\d{4}-\d{2}-\d{2}/

it('moves the dates of an example, and keeps how far they are apart', () => {
  const example = { discount: [{ date: '2026-12-10' }], due_date: '2026-12-15', tx_id: '2026' }
  expect(moveDates(example, Date.parse('2028-02-01T12:00:00Z'))).toEqual({
    discount: [{ date: '2028-03-10' }],
    due_date: '2028-03-15',
    tx_id: '2026',
  })
})

it('leaves a program without dates as it is', () => {
  expect(withRelativeDates('curl', 'curl "$BASE_URL"\n')).toBe('curl "$BASE_URL"\n')
})

it('counts from the day on which the records of the examples were created', () => {
  const { value } = requireComponent(contract, '#/components/examples/dueDateQrCode')
  const { created_at } = value as { created_at: string }
  expect(created_at.slice(0, 10)).toBe(DAY_OF_EXAMPLES)
})

it.each(operations)('what $id sends has no date of its own', (operation) => {
  const examples = requestExamples(operation)
  const samples = [...createSamples(operation), ...examples.flatMap((example) => example.samples)]
  expect(samples.length).toBeGreaterThan(0)
  const texts = [
    ...samples.map(({ source }) => source),
    ...examples.map(({ summary }) => String(summary)),
    JSON.stringify(parameterExamples(operation)),
  ]
  expect(texts.filter((text) => ANY_DATE.test(text))).toEqual([])
})

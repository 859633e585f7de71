import { expect, it } from 'vitest'
import type { Node } from '../build/contract.ts'
import { drawMarks, shortAssumptions, withLegend } from '../build/marks.ts'
import { statements } from '../build/statements.ts'

const node: Node = {
  description: 'The original amount. Assumed: In reais. Required by a rule.',
  'x-assumed': { currency: 'In reais.', 'due-date-fields': 'Required by a rule.' },
}

it('puts a mark behind each assumed sentence', () => {
  const marks = ['currency', 'due-date-fields'].map((question) => ({
    question,
    keyword: 'meaning',
    pointer: [],
  }))
  expect(statements(node, marks, String)).toBe(
    'The original amount. Assumed: In reais. {{assumption:currency}} Required by a rule. {{assumption:due-date-fields}}',
  )
})

it('tells what was observed from what is assumed, and says each once', () => {
  const observed: Node = {
    ...node,
    description: 'The original amount. Observed: In reais. Assumed: Required by a rule.',
  }
  expect(statements(observed, [], String)).toBe(
    'The original amount. Observed: In reais. {{assumption:currency}} Assumed: Required by a rule. {{assumption:due-date-fields}}',
  )
})

it('marks behind the facts what no sentence states', () => {
  const marks = [{ question: 'bounds', keyword: 'pattern', pointer: [] }]
  expect(statements(node, marks, String)).toMatch(
    /^The original amount\. \{\{assumption:bounds form\}\} Assumed: /,
  )
})

it('shows in the note of a mark what is assumed, as plain text', () => {
  const assumptions = shortAssumptions({ currency: { assumption: 'Reais, <BRL> or **.' } })
  const html = drawMarks(
    'An amount. [standard](open-questions.md#currency "standard: Which currency?")',
    assumptions,
  )
  expect(html).toContain('</b> Which currency? <i>Reais, &lt;BRL> or &#42;&#42;.</i></a>')
})

it('explains below the title the marks that a page has', () => {
  const page =
    '# Keys\n\nA key. [standard](../open-questions.md#key-forms "standard: Which forms?")'
  const legend = withLegend(page, 'guides/keys.md').split('\n')[2]
  expect(legend).toContain('](../guides/what-is-not-known.md#how-to-read-a-mark)')
  expect(legend).toContain('follows a standard, not confirmed')
  expect(legend).not.toContain('our assumption')
})

it('calls what has no mark a fact on the pages of operations alone', () => {
  const page =
    '# Keys\n\nA key. [standard](../open-questions.md#key-forms "standard: Which forms?")'
  expect(withLegend(page, 'operations/checkKey.md')).toContain('no mark: stated by the source')
  expect(withLegend(page, 'guides/keys.md')).not.toContain('no mark')
  expect(withLegend(page, 'behaviour/key.md')).not.toContain('no mark')
})

it('explains no marks where there are none, or where a page is about them', () => {
  const page =
    '# Keys\n\nA key. [standard](../open-questions.md#key-forms "standard: Which forms?")'
  expect(withLegend('# Keys\n\nA key.', 'guides/keys.md')).toBe('# Keys\n\nA key.')
  expect(withLegend(page, 'guides/what-is-not-known.md')).toBe(page)
})

it('shows of a long assumption the first sentences', () => {
  const sentence = `${'word '.repeat(24)}end.`
  const short = { assumption: sentence }
  const long = { assumption: `${sentence} ${sentence} ${sentence}` }
  expect(shortAssumptions({ short, long })).toEqual({ short: sentence, long: `${sentence} …` })
})

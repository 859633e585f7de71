import { expect, test } from 'vitest'
import { renderJsonl } from '../../src/report/jsonl.ts'
import { locateBySources } from '../../src/report/source-location.ts'
import { finding, fullResult, HOSTILE, hostileResult, manyFindings } from './results.ts'

const locate = locateBySources({ '/components/schemas/KeyCheck': 'schemas/keys.yaml:6' })

function linesOf(text: string): Array<Record<string, unknown>> {
  expect(text.endsWith('\n')).toBe(true)
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line))
}

test('one object per line, each with its type, the summary last', () => {
  const lines = linesOf(renderJsonl(fullResult(), { locate }))
  expect(lines.map(({ type }) => type)).toEqual([
    'run',
    ...Array(5).fill('rule'),
    ...Array(3).fill('finding'),
    ...Array(3).fill('verdict'),
    'coverage',
    'summary',
  ])
  expect(lines[6]).toMatchObject({
    ...JSON.parse(JSON.stringify(finding())),
    baselined: false,
    location: { file: 'schemas/keys.yaml', line: 6 },
  })
  expect(lines[8]).toMatchObject({ id: 'f-known1', baselined: true })
  expect(lines.at(-1)).toMatchObject({ failures: 1, deviations: 1, inconclusive: 7, exitCode: 1 })
})

test('omits rules that were not assessed', () => {
  const rule = linesOf(renderJsonl(fullResult())).find((line) => line.rule === 'record-changes')
  expect(rule).toMatchObject({ status: 'not-assessed', inconclusive: 5 })
})

test('hostile text is preserved', () => {
  const text = renderJsonl(hostileResult())
  const line = linesOf(text).find(({ type }) => type === 'finding')
  expect(line?.message).toBe(HOSTILE)
  expect(text).not.toMatch(/[\u202e\ufffe]/)
})

test.each([0, 1000])('has a line for each of %i findings', (amount) => {
  const lines = linesOf(renderJsonl(manyFindings(amount)))
  expect(lines.filter(({ type }) => type === 'finding')).toHaveLength(amount)
})

import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { visible } from '../../src/report/format-text.ts'
import { renderJsonl } from '../../src/report/jsonl.ts'
import { renderRegister } from '../../src/report/register.ts'
import { locateBySources } from '../../src/report/source-location.ts'
import { finding, fullResult, HOSTILE, hostileResult, manyFindings, result, verdict } from './results.ts'

const locate = locateBySources({ '/components/schemas/KeyCheck': 'schemas/keys.yaml:6' })

function linesOf(text: string): Array<Record<string, unknown>> {
  expect(text.endsWith('\n')).toBe(true)
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line))
}

describe('JSON lines', () => {
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
    const rule = linesOf(renderJsonl(fullResult())).find((line) => line.rule === 'gone-after-deletion')
    expect(rule).toMatchObject({ status: 'not-assessed', inconclusive: 5 })
  })

  test('hostile text is preserved', () => {
    const line = linesOf(renderJsonl(hostileResult())).find(({ type }) => type === 'finding')
    expect(line?.message).toBe(HOSTILE)
  })

  test.each([0, 1000])('of %i findings', (amount) => {
    const lines = linesOf(renderJsonl(manyFindings(amount)))
    expect(lines.filter(({ type }) => type === 'finding')).toHaveLength(amount)
  })
})

describe('the register', () => {
  const by = ['invariants']

  test('has the verdict, the observations and the date of each question', () => {
    expect(parse(renderRegister(fullResult()))).toEqual({
      'key-kinds': { verdict: 'confirmed', by, at: '2026-11-21' },
      bounds: {
        verdict: 'contradicted',
        seen: 'An amount of twelve digits was accepted.',
        by,
        at: '2026-11-21',
      },
      versioning: { verdict: 'not-exercised', at: '2026-11-21' },
    })
  })

  test('the date is in UTC', () => {
    const run = result({ startedAt: '2026-11-21T23:30:00-03:00', verdicts: [verdict()] })
    expect(parse(renderRegister(run))).toEqual({
      'key-kinds': { verdict: 'confirmed', by, at: '2026-11-22' },
    })
  })

  test('hostile text stays within comments and values', () => {
    const text = renderRegister(hostileResult())
    const seen = visible(HOSTILE)
    expect(parse(text)).toEqual({ [seen]: { verdict: 'contradicted', seen, by, at: '2026-11-21' } })
    expect(text).not.toContain('\r')
  })

  test('is an empty map without verdicts', () => {
    expect(parse(renderRegister(result()))).toEqual({})
  })
})

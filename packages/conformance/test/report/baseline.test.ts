import { describe, expect, test } from 'vitest'
import { applyBaseline, BaselineError, readBaseline, writeBaseline } from '../../src/report/baseline.ts'
import { finding, HOSTILE } from './results.ts'

const ENTRY = { id: 'f-1', until: '2026-11-21', why: 'Mended in the next release.' }

test.each([
  ['YAML', '- id: f-1\n  until: 2026-11-21\n  why: Mended in the next release.\n'],
  ['JSON', JSON.stringify([ENTRY])],
])('reads %s', (_name, text) => {
  expect(readBaseline(text, 'baseline')).toEqual([ENTRY])
})

test('a file with nothing in it lets nothing pass', () => {
  expect(readBaseline('# none yet\n', 'baseline.yaml')).toEqual([])
})

test.each([
  [{ id: 1 }, 'expected a list of { id, until, why }, got an object'],
  ['text', 'expected a list of { id, until, why }, got a string'],
  [['f-1'], 'entry 1: expected { id, until, why }, got a string'],
  [[null], 'entry 1: expected { id, until, why }, got null'],
  [[ENTRY, { ...ENTRY, id: 2 }], 'entry 2: "id" must be the id of a finding, got 2'],
  [
    [{ ...ENTRY, until: 'soon' }],
    'entry 1 ("f-1"): "until" must be a full-date such as 2026-12-31, got "soon"',
  ],
  [
    [{ ...ENTRY, until: '2026-02-30' }],
    'entry 1 ("f-1"): "until" must be a full-date such as 2026-12-31, got "2026-02-30"',
  ],
  [
    [{ ...ENTRY, until: '2026-13-01' }],
    'entry 1 ("f-1"): "until" must be a full-date such as 2026-12-31, got "2026-13-01"',
  ],
  [[{ id: 'f-1', why: 'x' }], 'entry 1 ("f-1"): "until" must be a full-date such as 2026-12-31, got nothing'],
  [[{ ...ENTRY, why: ' ' }], 'entry 1 ("f-1"): "why" must say why it may stay, got " "'],
  [
    [{ ...ENTRY, util: '2026-12-31' }],
    'entry 1 ("f-1"): expected no members but id, until and why, got "util"',
  ],
  [[ENTRY, ENTRY], 'entry 2 ("f-1"): "id" must not be there twice'],
])('refuses %j', (value, message) => {
  expect(() => readBaseline(JSON.stringify(value), 'known.yaml')).toThrow(
    new BaselineError(`known.yaml: ${message}`),
  )
})

test('refuses what is no YAML, with the place', () => {
  expect(() => readBaseline('- id: "f', 'known.yaml')).toThrow(/^known\.yaml: .*line 1/s)
})

describe('applied', () => {
  const one = finding({ id: 'f-1' })
  const two = finding({ id: 'f-2' })

  test('lets pass until the end of its day', () => {
    expect(applyBaseline([one, two], [ENTRY], '2026-11-21')).toEqual({
      findings: [two],
      baselined: [{ ...one, until: '2026-11-21', why: 'Mended in the next release.' }],
      expired: [],
      unused: [],
    })
  })

  test('shows a finding again whose day is over, and says so', () => {
    const applied = applyBaseline([one, two], [ENTRY], '2026-11-22')
    expect(applied.baselined).toEqual([])
    expect(applied.expired).toEqual([ENTRY])
    expect(applied.findings).toEqual([
      { ...one, message: `${one.message} The baseline let it pass until 2026-11-21.` },
      two,
    ])
  })

  test('names the entries that no finding has', () => {
    const unused = { ...ENTRY, id: 'f-9' }
    expect(applyBaseline([one], [ENTRY, unused], '2027-01-01')).toMatchObject({
      expired: [ENTRY],
      unused: [unused],
    })
  })
})

describe('written', () => {
  test('is read again, once for each id, and lets its findings pass', () => {
    const findings = [
      finding({ id: 'f-1', message: HOSTILE }),
      finding({ id: HOSTILE }),
      finding({ id: 'f-1' }),
    ]
    const entries = readBaseline(writeBaseline(findings, '2026-12-31'), 'known.yaml')
    expect(entries.map(({ id, until }) => [id, until])).toEqual([
      ['f-1', '2026-12-31'],
      [HOSTILE, '2026-12-31'],
    ])
    expect(applyBaseline(findings, entries, '2026-12-31').findings).toEqual([])
  })

  test('keeps the reason of what was known', () => {
    const { baselined } = applyBaseline([finding({ id: 'f-1' })], [ENTRY], '2026-11-21')
    const [entry] = readBaseline(writeBaseline(baselined, '2027-12-31'), 'known.yaml')
    expect(entry).toEqual({ ...ENTRY, until: '2027-12-31' })
  })

  test('of no findings, is an empty list', () => {
    expect(readBaseline(writeBaseline([], '2026-12-31'), 'known.yaml')).toEqual([])
  })

  test('refuses a day that is none', () => {
    expect(() => writeBaseline([], 'tomorrow')).toThrow(
      '"until" must be a full-date such as 2026-12-31, got "tomorrow"',
    )
  })
})

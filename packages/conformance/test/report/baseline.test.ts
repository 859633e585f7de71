import { expect, onTestFinished, test, vi } from 'vitest'
import { parseJson } from '../../src/cli/process.ts'
import {
  applyBaseline,
  BaselineError,
  readBaseline,
  writeBaseline,
} from '../../src/report/baseline.ts'
import { finding, HOSTILE, result } from './results.ts'

const ENTRY = { id: 'f-1', until: '2026-11-21', why: 'Fixed in the next release.' }
const UNTIL = 'entry 1: "until" must be a full-date that exists, such as 2026-12-31, got'

const READABLE = [
  {
    title: 'it reads YAML',
    text: '- id: f-1\n  until: 2026-11-21\n  why: Fixed in the next release.\n',
    entries: [ENTRY],
  },
  { title: 'it reads JSON', text: JSON.stringify([ENTRY]), entries: [ENTRY] },
  { title: 'it reads a file with comments only', text: '# none yet\n', entries: [] },
]

for (const { title, text, entries } of READABLE) {
  test(title, () => {
    expect(readBaseline(text, 'baseline')).toEqual(entries)
  })
}

const INVALID = [
  { value: { id: 1 }, message: 'expected an array of { id, until, why }, got object' },
  {
    value: ['f-1'],
    message: 'entry 1: expected { id, until, why }, got string of length 3',
  },
  { value: [null], message: 'entry 1: expected { id, until, why }, got null' },
  {
    value: [ENTRY, { ...ENTRY, id: 2 }],
    message: 'entry 2: "id" must be the id of a finding, got integer',
  },
  { value: [{ ...ENTRY, until: '2026-02-30' }], message: `${UNTIL} string of length 10` },
  { value: [{ id: 'f-1', why: 'x' }], message: `${UNTIL} nothing` },
  {
    value: [{ ...ENTRY, why: ' ' }],
    message: 'entry 1: "why" must be the reason why it may stay, got string of length 1',
  },
  {
    value: [{ ...ENTRY, util: 1 }],
    message: 'entry 1: unexpected field; an entry has id, until, why and message',
  },
  { value: [ENTRY, ENTRY], message: 'entry 2: "id" occurs twice' },
]

for (const { value, message } of INVALID) {
  test(`it refuses ${JSON.stringify(value)}`, () => {
    expect(() => readBaseline(JSON.stringify(value), 'known.yaml')).toThrow(
      new BaselineError(`known.yaml: ${message}`),
    )
  })
}

test('it refuses invalid YAML with the place', () => {
  expect(() => readBaseline('- id: "f', 'known.yaml')).toThrow(
    'known.yaml is not YAML: line 1, column 9: missing char',
  )
})

/** Files that a parser of YAML would read for seconds or minutes. */
const SLOW = [
  {
    what: 'more than 1,000,000 characters',
    text: '- id: f\n'.repeat(130_000),
    problem: 'more than',
  },
  {
    what: 'an anchor 300,000 times',
    text: `- ${'&a '.repeat(300_000)}x`,
    problem: 'too many anchors',
  },
  { what: 'a tag 300,000 times', text: `- ${'!a '.repeat(300_000)}x`, problem: 'too many anchors' },
  {
    what: 'aliases of aliases',
    text: `a: &a [1]\nb: &b [${'*a,'.repeat(99)}]\nc: &c [${'*b,'.repeat(99)}]`,
    problem: 'the aliases are too many, or too large',
  },
]

for (const { what, text, problem } of SLOW) {
  test(`it refuses YAML with ${what}`, () => {
    const before = process.cpuUsage()
    expect(() => readBaseline(text, 'known.yaml')).toThrow(problem)
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
  })
}

test('it compares the keys of a large object once', () => {
  const keys = Array.from({ length: 40_000 }, (_, i) => `k${i}: 1\n`).join('')
  const before = process.cpuUsage()
  expect(() => readBaseline(keys, 'known.yaml')).toThrow('expected an array')
  expect(process.cpuUsage(before).user).toBeLessThan(5_000_000)
})

test('it refuses a key that occurs twice, with its place', () => {
  expect(() => readBaseline('- id: f\n  id: g\n', 'known.yaml')).toThrow(
    'known.yaml is not YAML: line 2, column 3: duplicate key',
  )
})

/** Files that a user may name by mistake, with a secret in every place of YAML and JSON. */
const OTHER_FILES = [
  'CLIENT_SECRET=hunter22',
  'CLIENT_KEY=partner\nCLIENT_SECRET=hunter22\n',
  'CLIENT_SECRET: hunter22',
  '- CLIENT_SECRET: hunter22',
  '- hunter22',
  '"hunter22',
  '*hunter22',
  '- *hunter22',
  '? {hunter22: 1}\n: 2',
  '{"a": hunter22, }}',
  '{"a": hunter22',
  'a: b: hunter22',
  '%hunter22\n---\n- a',
  '!hunter22 a',
  '- id: hunter22\n  until: hunter22\n  why: hunter22',
]

for (const text of OTHER_FILES) {
  test(`it quotes nothing of ${JSON.stringify(text)}`, () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    onTestFinished(() => warn.mockRestore())
    const messages: string[] = []
    for (const read of [() => readBaseline(text, 'known.yaml'), () => parseJson(text, 'a.har')]) {
      try {
        read()
      } catch (error) {
        messages.push(String(error))
      }
    }
    expect(messages).not.toEqual([])
    expect([...messages, ...warn.mock.calls].join(' ')).not.toContain('hunter22')
  })
}

const one = finding({ id: 'f-1' })
const two = finding({ id: 'f-2' })
const run = result({ findings: [one, two] })

test('it accepts a finding until the end of the day of its entry', () => {
  const entries = [ENTRY, { ...ENTRY, id: 'f-9' }]
  const { result: applied, unused } = applyBaseline(run, entries, '2026-11-21')
  expect(applied).toEqual({ ...run, findings: [two], baselined: [{ ...one, ...ENTRY }] })
  expect(unused.map(({ id }) => id)).toEqual(['f-9'])
})

test('it shows a finding again after the day, and names the entry', () => {
  const { result: applied, expired } = applyBaseline(run, [ENTRY], '2026-11-22')
  expect(applied).toEqual(run)
  expect(expired).toEqual([ENTRY])
})

test('it reads what it wrote, with one entry per id', () => {
  const findings = [finding({ id: 'f-1', message: HOSTILE }), finding({ id: HOSTILE }), one]
  const entries = readBaseline(writeBaseline(findings, '2026-12-31'), 'known.yaml')
  expect(entries.map(({ id }) => id)).toEqual(['f-1', HOSTILE])
  expect(applyBaseline(result({ findings }), entries, '2026-12-31').result.findings).toEqual([])
  expect(readBaseline(writeBaseline([], '2026-12-31'), 'known.yaml')).toEqual([])
})

test('it keeps reasons that were edited', () => {
  const { baselined } = applyBaseline(run, [ENTRY], '2026-11-21').result
  const [entry] = readBaseline(writeBaseline(baselined, '2027-12-31'), 'known.yaml')
  expect(entry).toEqual({ ...ENTRY, until: '2027-12-31', message: one.message })
})

const MESSAGES = [
  {
    title: 'it shows an amount that differs in another way than before',
    before: 'checkCode shows discount as 12.34; expected 12.35.',
    now: 'checkCode shows discount as 0.12; expected 12.35.',
    isShown: true,
  },
  {
    title: 'it shows no message in which only ids, times and counts differ',
    before:
      'listWebhooks leaves out 2 of 12 records since 2026-11-02T14:30:00Z (req_0123456789abcdef).',
    now: 'listWebhooks leaves out 3 of 136 records since 2026-11-29T09:00:00.5Z (req_fedcba9876543210).',
    isShown: false,
  },
]

for (const { title, before, now, isShown } of MESSAGES) {
  test(title, () => {
    const findings = [finding({ id: 'f-1', message: now })]
    const entries = [{ ...ENTRY, message: before }]
    const { baselined } = applyBaseline(result({ findings }), entries, '2026-11-21').result
    expect(baselined.map(({ messageBefore }) => messageBefore)).toEqual([
      isShown ? before : undefined,
    ])
  })
}

test('it refuses to write an invalid day', () => {
  expect(() => writeBaseline([], 'tomorrow')).toThrow('"until" must be a full-date')
})

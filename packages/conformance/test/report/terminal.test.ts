import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { Finding } from '../../src/engine/result.ts'
import { locateBySources } from '../../src/report/source-location.ts'
import { renderTerminal } from '../../src/report/terminal.ts'
import { deviation, finding, fullResult, hostileResult, manyFindings, result } from './results.ts'

test('it has the outcome, the phases, the most severe findings and the next command', () => {
  const text = renderTerminal(fullResult())
  expect(text.split('\n')[0]).toBe(
    'http://127.0.0.1:4020 fails: 1 failure, 1 deviation, 1 more in the baseline; 3 of 5 rules assessed.',
  )
  expect(text).toMatch(/^boundaries +· +1 +· +2 +1$/m)
  expect(text).toContain('Open questions: 1 confirmed, 1 contradicted, 1 not exercised.')
  expect(text).toMatch(/\nAdvice on response-schema: Return every field .*\n$/)
})

test('it ends with the command that checks the rule again, and the page of the rule where the docs are known', () => {
  const repeat = ({ rule, operation }: Finding) => `check --only ${rule} --operation ${operation}`
  const text = renderTerminal(fullResult(), { repeat, docs: 'https://docs.example' })
  expect(text).toMatch(
    /\nNext: check --only response-schema --operation checkKey\nRule: https:\/\/docs.example\/rules\/response-schema.html\n$/,
  )
})

test('it shows request, citation and both sides of a finding in two lines', () => {
  const message = '/ispb: expected string, got nothing.'
  const cites = { statement: 'ispb', section: '4.1' }
  const text = renderTerminal(result({ findings: [finding({ message, cites })] }), { width: 120 })
  expect(text).toMatch(
    /error {5}POST \/mobile-bff\/.* {2}response-schema · fact: statement "ispb", section 4.1\n/,
  )
  expect(text).toMatch(/\n {2}expected: \/ispb: string +actual: nothing\n/)
})

test('it puts critical findings first', () => {
  const text = renderTerminal(result({ findings: [finding(), deviation({ severity: 'critical' })] }))
  expect(text.indexOf('\ncritical')).toBeLessThan(text.indexOf('\nerror'))
  expect(text.indexOf('\ncritical')).toBeGreaterThan(0)
})

test('it fits one screen, whatever was found', () => {
  const run = manyFindings(1000)
  const rules = run.rules.map((it, i) => ({ ...it, phase: `phase ${i}` }))
  const many = run.findings.map((it, i) => ({ ...it, message: `Message ${i}.` }))
  const text = renderTerminal({ ...run, rules, findings: many, verdicts: fullResult().verdicts })
  expect(text.split('\n').length).toBeLessThanOrEqual(45)
  expect(text).toContain('… and 990 more findings (--verbose)')
})

test('it shows everything with verbose', () => {
  const inconclusiveBy = [{ operation: 'createTransfer', status: 422, code: 'insufficient_funds', count: 2 }]
  const rules = fullResult().rules.map((it) => (it.rule === 'limits' ? { ...it, inconclusiveBy } : it))
  const text = renderTerminal(fullResult({ rules, signIn: 'TOKEN=$(x)' }), { verbose: true, html: 'a.html' })
  for (const part of [
    'error (failure)  f-3a91c0',
    'note (deviation)  f-77d2e4',
    finding().advice,
    '  cites     assumption: open question "bounds"',
    '3 cases',
    `\n  ${finding().evidence.curl}\n`,
    'retry-after-500: The mock sends no deliveries.',
    'limits: 2 of 10 cases inconclusive: createTransfer 2 (422 insufficient_funds)',
    'assumption: Ten digits before the decimals.',
    'not exercised: versioning',
    'Set the variables of the commands first:\n  TOKEN=$(x)',
    'Full report: a.html',
  ])
    expect(text).toContain(part)
  expect(text).toMatch(/links +none declared/)
})

test('it shows errors of the contract, and where they are', () => {
  const contractFaults = ['a', 'b', 'c', 'd'].map((name) => {
    const pointer = `/components/schemas/KeyCheck/properties/${name}/minimum`
    return { pointer, message: `"${pointer}" must be a number, got true` }
  })
  const locate = locateBySources({ '/components/schemas/KeyCheck': 'schemas/keys.yaml:6' }, 'spec')
  const text = renderTerminal(result({ contractFaults }), { locate, width: 200 })
  expect(text).toContain(
    '\nErrors in the contract (what they affect was not checked)\n  spec/schemas/keys.yaml:6 "',
  )
  expect(text).toContain('properties/c/minimum" must be a number, got true\n… and 1 more error (--verbose)\n')
  expect(renderTerminal(result({ contractFaults }), { verbose: true })).toContain('properties/d/')
  expect(renderTerminal(result({}))).not.toContain('Errors in the contract')
})

test('it is short without findings', () => {
  const text = renderTerminal(result())
  expect(text).toMatch(/^http:\/\/127.0.0.1:4020 passes: 0 failures, 0 deviations; 1 of 1 rule assessed\./)
  expect(text).not.toMatch(/severe|Next|Open questions/)
})

test('it uses colours only if asked, and for nothing else', () => {
  const plain = renderTerminal(fullResult())
  const coloured = renderTerminal(fullResult(), { color: true })
  expect(plain).toBe(stripVTControlCharacters(plain))
  expect(coloured).not.toBe(plain)
  expect(stripVTControlCharacters(coloured)).toBe(plain)
})

test.each([80, 100, 120])('it keeps to %i columns', (width) => {
  const long = renderTerminal(fullResult(), { width })
    .split('\n')
    .filter((it) => it.length > width)
  expect(long).toEqual([])
})

test.each([false, true])(
  'it escapes what moves the cursor or the direction of reading (verbose: %s)',
  (verbose) => {
    const text = renderTerminal(hostileResult(), { verbose, width: 5000 }).replaceAll('\n', '')
    expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e\ufffe]/u)
    expect(text).toContain('\\u001b[2J')
  },
)

import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { locateBySources } from '../../src/report/locate.ts'
import { renderTerminal } from '../../src/report/terminal.ts'
import { finding, fullResult, hostileResult, manyFindings, result } from './results.ts'

const locate = locateBySources({ '/components/schemas/KeyCheck': 'schemas/keys.yaml:6' }, 'spec')

test('opens with the sentence, then failures, discoveries, laws, questions, coverage', () => {
  const text = renderTerminal(fullResult())
  expect(text.split('\n')[0]).toMatch(/^The sandbox at http:.* breaks the contract in 1 place/)
  const order = [
    'Failures (1)',
    'Discoveries (1)',
    'Laws broken',
    'Not assessed',
    'Masked',
    'Open questions',
    'Coverage',
  ]
  const places = order.map((it) => text.indexOf(`\n${it}\n`))
  expect(places).not.toContain(-1)
  expect(places).toEqual([...places].sort((a, b) => a - b))
})

test('a finding has id, law, operation, place, sentence, advice and a command', () => {
  const text = renderTerminal(result({ findings: [finding()] }), { locate })
  for (const part of [
    'error  f-3a91c0  response-schema  checkKey',
    '"ispb" must be there, and is not.',
    'Answer every member that the contract requires.',
    'spec/schemas/keys.yaml:6',
    '3 cases',
    `  ${finding().evidence.curl}\n`,
  ]) {
    expect(text).toContain(part)
  }
})

test('what is masked or not assessed says so, and never reads as held', () => {
  const text = renderTerminal(fullResult())
  expect(text).toContain('1 law held, 2 broken, 2 not assessed. 7 cases masked: neither passed nor failed.')
  expect(text).toMatch(/retry-after-500 +The mock sends no deliveries\./)
  expect(text).toMatch(/gone-after-deletion +Every case was masked/)
  expect(text).toMatch(/limits +2 of 10 cases/)
})

test('each question has its verdict, and a contradicted one what was seen', () => {
  const text = renderTerminal(fullResult())
  expect(text).toContain(
    'Contradicted: 1\n  bounds\n    answer of ours: Ten digits before the decimals.\n    seen: An amount of twelve',
  )
  expect(text).toContain('Confirmed: 1\n  key-kinds')
  expect(text).toContain('Not exercised: 1\n  versioning')
})

test('coverage rounds down, and says where there is nothing to see', () => {
  const text = renderTerminal(fullResult())
  expect(text).toMatch(/statuses and media types +1 of 3 \(33 %\)/)
  expect(text).toMatch(/links +none to see/)
})

test('a run without findings has no empty sections', () => {
  const text = renderTerminal(result())
  expect(text).not.toMatch(/Failures|Discoveries|Laws broken|Masked|Open questions|baseline/)
})

describe('colours', () => {
  test('are absent unless asked for', () => {
    const plain = renderTerminal(fullResult())
    expect(plain).toBe(stripVTControlCharacters(plain))
  })
  test('change nothing else', () => {
    const coloured = renderTerminal(fullResult(), { color: true })
    expect(coloured).toContain('\u001b[')
    expect(stripVTControlCharacters(coloured)).toBe(renderTerminal(fullResult()))
  })
})

test.each([40, 80, 120])('keeps to %i columns, but for what is to be copied', (width) => {
  const lines = renderTerminal(fullResult(), { width }).split('\n')
  const long = lines.filter((it) => it.length > width && !/curl|\/components/.test(it))
  expect(long).toEqual([])
})

test('a thousand findings are counted, and the first of each kind shown', () => {
  const text = renderTerminal(manyFindings(1000), { limit: 20 })
  expect(text).toContain('Failures (800)')
  expect(text).toContain('780 more findings: the other reports have all of them.')
  expect(text.match(/curl /g)).toHaveLength(40)
})

test('text of a service neither moves the cursor nor turns the direction of reading', () => {
  const text = renderTerminal(hostileResult()).replaceAll('\n', '')
  expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e\ufffe]/u)
  expect(text).toContain('\\u001b[2J')
})

import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { locateBySources } from '../../src/report/locate.ts'
import { renderTerminal } from '../../src/report/terminal.ts'
import { finding, fullResult, hostileResult, manyFindings, result, rule } from './results.ts'

const locate = locateBySources({ '/components/schemas/KeyCheck': 'schemas/keys.yaml:6' }, 'spec')

test('opens with the sentence, then failures, deviations, rules, questions, coverage', () => {
  const text = renderTerminal(fullResult())
  expect(text.split('\n')[0]).toMatch(/^The sandbox at http:.* breaks the contract in 1 place/)
  const order = [
    'Failures (1)',
    'Deviations (1)',
    'Rules broken',
    'Not assessed',
    'Masked',
    'Open questions',
    'Coverage',
    'Begin here',
  ]
  const places = order.map((it) => text.indexOf(`\n${it}\n`))
  expect(places).not.toContain(-1)
  expect(places).toEqual([...places].sort((a, b) => a - b))
})

test('a finding has id, rule, operation, place, sentence, advice and a command', () => {
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

test('what is inconclusive or not assessed says so, and never reads as held', () => {
  const text = renderTerminal(fullResult())
  expect(text).toContain(
    '1 rule held, 2 broken, 2 not assessed. 7 cases inconclusive: neither passed nor failed.',
  )
  expect(text).toMatch(/retry-after-500 +The mock sends no deliveries\./)
  expect(text).toMatch(/gone-after-deletion +every case was inconclusive/)
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
  expect(text).not.toMatch(/Failures|Discoveries|Rules broken|Masked|Open questions|baseline/)
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
  const long = lines.filter((it) => it.length > width && !/curl|\/components|TOKEN/.test(it))
  expect(long).toEqual([])
})

describe('many findings', () => {
  const several = ['listUsers', 'getUser', 'signIn'].map((operation, i) =>
    finding({ id: `f-${i}`, operation }),
  )

  test('that say the same are one, with their operations', () => {
    const text = renderTerminal(result({ findings: several }))
    expect(text).toContain('error  f-0  response-schema  3 operations, 3 findings')
    expect(text).toContain('operations: listUsers, getUser, signIn')
    expect(text).not.toContain('f-2')
    expect(renderTerminal(result({ findings: several }), { verbose: true })).toContain('f-2')
  })

  test('of one rule are ten at most, and the others counted', () => {
    const findings = Array.from({ length: 12 }, (_, i) => finding({ id: `f-${i}`, message: `Message ${i}.` }))
    const text = renderTerminal(result({ findings }))
    expect(text).toContain(
      '2 more findings: response-schema (2); --verbose and the other reports have all of them.',
    )
    expect(text.match(/Message \d+\.\n/g)).toHaveLength(11)
    expect(text.match(/Answer every member/g)).toHaveLength(1)
    expect(renderTerminal(result({ findings }), { verbose: true })).toContain('Message 11.')
  })

  test('of a thousand, no more lines than fit a few screens', () => {
    expect(renderTerminal(manyFindings(1000)).split('\n').length).toBeLessThan(220)
  })

  test('end with the verdict, where to begin, and the page that has more', () => {
    const end = renderTerminal(result({ findings: several, signIn: 'TOKEN=$(x)' }), {
      html: 'reports/check.html',
    }).split('\nBegin here\n')[1]
    expect(end).toBe(
      [
        'The sandbox at http://127.0.0.1:4020 breaks the contract in 3 places.',
        'First response-schema of listUsers: "ispb" must be there, and is not.',
        'After mending: replay f-0',
        'For $TOKEN and $CREDENTIALS of the commands:',
        '  TOKEN=$(x)',
        'All of it as a page: reports/check.html',
        '',
      ].join('\n'),
    )
  })
})

test('a finding shows what was answered, and is replayed where one command cannot show it', () => {
  const evidence = { ...finding().evidence, isRepeatable: false }
  const text = renderTerminal(result({ findings: [finding({ evidence })] }))
  expect(text).toContain('  answered: 200, request id req_1\n  replay f-3a91c0\n')
  expect(text).not.toContain('curl')
})

describe('what was not assessed', () => {
  const skipped = ['one', 'two'].map((name) =>
    rule({ rule: name, status: 'not-assessed', reason: 'not asked for', cases: 0 }),
  )
  const run = fullResult({ rules: [...fullResult().rules, ...skipped] })

  test('is one line for a reason', () => {
    expect(renderTerminal(run)).toMatch(/2 rules +not asked for/)
    expect(renderTerminal(run, { verbose: true })).toMatch(/one +not asked for\n +two +not asked for/)
  })

  test('of a part, is not called not exercised', () => {
    expect(renderTerminal(run, { isPart: true })).not.toContain('Not exercised')
    expect(renderTerminal(run, { isPart: true, verbose: true })).toContain('Not exercised')
  })
})

test('what cases were inconclusive for is told where everything is asked for', () => {
  const inconclusiveBy = [{ operation: 'createTransfer', status: 422, code: 'insufficient_funds', count: 3 }]
  const run = result({ rules: [rule({ rule: 'invalid requests', inconclusive: 3, inconclusiveBy })] })
  expect(renderTerminal(run, { verbose: true })).toMatch(
    /twins +3 of 10 cases: createTransfer 3 \(422 insufficient_funds\)/,
  )
  expect(renderTerminal(run)).not.toContain('insufficient_funds')
})

test('an interrupted run does not look like a success', () => {
  const text = renderTerminal(result({ interrupted: 'Ctrl-C' }), { color: true })
  expect(text.startsWith('\u001b[1m\u001b[33mInterrupted: ')).toBe(true)
})

test('text of a service neither moves the cursor nor turns the direction of reading', () => {
  const text = renderTerminal(hostileResult()).replaceAll('\n', '')
  expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e\ufffe]/u)
  expect(text).toContain('\\u001b[2J')
})

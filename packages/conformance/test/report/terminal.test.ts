import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { describeCitation } from '../../src/report/findings.ts'
import type { Finding } from '../../src/report/result.ts'
import { chooseExitCode } from '../../src/report/summary.ts'
import { renderTerminal } from '../../src/report/terminal.ts'
import {
  deviation,
  finding,
  fullResult,
  hostileResult,
  known,
  manyFindings,
  result,
} from './results.ts'

const repeat = ({ rule, operation }: Finding) => `check --only ${rule} --operation ${operation}`
const docs = 'https://docs.example'

test('it shows the outcome, and of each finding what, where, its source and the command that repeats it', () => {
  const text = renderTerminal(fullResult(), { repeat, docs })
  expect(
    text,
  ).toBe(`http://127.0.0.1:4020/ fails: 1 failure, 1 deviation, 1 more in the baseline; 3 of 5 rules assessed.
Partner payments 0.1.0 · seed 7 · 12,345 cases, 3,000 requests in 8.1 s

Facts that the service contradicts (1)
error     POST /mobile-bff/v1/pix/dict/check/ -> 200
  /ispb: expected string, got nothing. (fact: contract /components/schemas/KeyCheck/properties/ispb)
  check --only responses-shape --operation checkKey

Other choices of the service (1)
note      POST /mobile-bff/v1/pix/dict/check/ -> 200
  An amount of twelve digits was accepted. (assumption: open question "bounds")
  check --only refusals-invalid --operation checkKey

Open questions: 1 confirmed, 0 in part, 1 contradicted, 1 not exercised.
Coverage: 50 % of operations, 50 % of statuses.

Advice on responses-shape: Return every field that the contract requires.
Rule: https://docs.example/rules/responses.html#responses-shape
`)
})

test('it shows what contradicts the service itself before what contradicts an assumption', () => {
  const assumed = { severity: 'warning', question: 'refresh-token' } as const
  const own = { operation: 'getUser', requestId: 'req_1', says: 'getUser shows the balance 10.00' }
  const findings = [
    deviation({ ...assumed, operation: 'getUser', message: 'A refresh token was accepted.' }),
    deviation({ ...assumed, message: 'A refresh token was accepted.' }),
    deviation({ severity: 'warning', question: undefined, cites: { own }, message: 'A fee.' }),
  ]
  const text = renderTerminal({ ...manyFindings(0), findings }, { repeat })
  expect(text.indexOf('A fee.')).toBeGreaterThan(-1)
  expect(text.indexOf('A fee.')).toBeLessThan(text.indexOf('A refresh token was accepted.'))
})

test('it fits one screen of 40 lines, whatever was found, and shows one finding of each chapter', () => {
  const findings = [
    ...manyFindings(1000).findings,
    deviation({ severity: 'critical', question: 'transfer-repeat' }),
    deviation({ severity: 'warning', question: 'refresh-token' }),
  ]
  const text = renderTerminal({ ...manyFindings(0), findings }, { repeat })
  const headings = text.split('\n').filter((line) => /^[A-Z].*\(\d.*\)$/.test(line))
  expect(text.split('\n').length).toBeLessThanOrEqual(40)
  expect(headings).toEqual([
    'Facts that the service contradicts (2 of 10, see --verbose)',
    'Critical, although no fact says so (1)',
    'Money and access: ask the service (1)',
    'Other choices of the service (1 of 10, see --verbose)',
  ])
})

test('it counts the choices in the summary, and those of money and access', () => {
  const findings = [
    deviation({ severity: 'warning', question: 'refresh-token' }),
    deviation({ operation: 'checkKey' }),
    deviation({ operation: 'checkCode' }),
    deviation({ operation: 'listUsers' }),
  ]
  expect(renderTerminal(result({ findings }))).toContain(
    'passes: 0 failures, 4 deviations in 2 choices, 1 of money and access;',
  )
})

test('it shows one finding for a choice, with its operations, statuses and places', () => {
  const ofChoice = (operation: string, status: number, message: string) =>
    deviation({
      id: `${operation}-${message}`,
      operation,
      message,
      evidence: { ...deviation().evidence, status },
    })
  const findings = [
    ofChoice('createTransfer', 400, 'createTransfer refused /amount as "1".'),
    ofChoice('createTransfer', 422, 'createTransfer refused /emv as "000201".'),
    ofChoice('checkKey', 400, 'The key has no entry; expected 404 (not_found).'),
  ]
  const text = renderTerminal(result({ findings }), { repeat })
  expect(text.match(/^note/gm)).toHaveLength(1)
  expect(text).toContain(
    'Seen at createTransfer 400, 422 at /amount, /emv (2 cases); checkKey 400 (1 case)',
  )
  expect(text).toContain('check --only refusals-invalid --operation undefined')
})

test('it shows one finding for a choice that responses and deliveries show', () => {
  const ofRule = (rule: string, question: string) =>
    deviation({ id: rule + question, rule, question })
  const findings = [
    ofRule('responses-shape', 'identifiers'),
    ofRule('deliveries-shaped', 'identifiers'),
    ofRule('responses-media-type', 'errors'),
    ofRule('http-problems', 'errors'),
    ofRule('responses-headers', 'errors'),
    ofRule('http-request-ids', 'errors'),
  ]
  const text = renderTerminal(result({ findings }), { repeat })
  expect(text.match(/^note/gm)).toHaveLength(3)
})

test('it shows once that null is accepted, at whatever place of a request', () => {
  const ofNoQuestion = (words: string) =>
    deviation({
      id: words,
      question: undefined,
      message: `checkKey accepted a request whose ${words}.`,
    })
  const findings = [
    ofNoQuestion('body/message is invalid: expected string, got null'),
    ofNoQuestion('body/payer is invalid: expected object, got null'),
    ofNoQuestion('body/payer is invalid: expected object, got string'),
  ]
  const text = renderTerminal(result({ findings }), { repeat })
  expect(text.match(/got null/g)).toHaveLength(1)
  expect(text).toContain('Seen at checkKey 200 at body/message, body/payer (2 cases)')
  expect(text).toContain('got string')
})

test('it shows findings of one message once, with their operations', () => {
  const findings = ['listUsers', 'getUser'].map((operation) =>
    finding({ operation, message: `${operation} shows a user of another owner.` }),
  )
  const text = renderTerminal(result({ findings }))
  expect(text.match(/of another owner/g)).toHaveLength(1)
  expect(text).toContain('Seen at listUsers 200 (3 cases); getUser 200 (3 cases)')
})

test('it shows findings of one cause once, although their places and values differ', () => {
  const messages = [
    '/created_at: expected string that matches a date, got string of length 20.',
    '/data/0/updated_at: expected string that matches a date, got string of length 27.',
    '/settled_at: expected string that matches a date, got "yesterday".',
  ]
  const findings = messages.map((message, index) => finding({ id: `id-${index}`, message }))
  const others = [finding({ message: '/ispb: expected string, got integer.' })]
  const text = renderTerminal(result({ findings: [...findings.slice(0, 2), ...others] }))
  expect(text.match(/matches a date/g)).toHaveLength(1)
  expect(text).toContain('Seen at checkKey 200 at /created_at, /data/0/updated_at (6 cases)')
  expect(text).toContain('/ispb: expected string, got integer.')
  const verbose = renderTerminal(result({ findings }), { verbose: true, width: 400 })
  expect(verbose).toContain(`alike      ${messages[1]}`)
})

test('it says what of the traffic is unknown', () => {
  const unknown = { ...result().unknown, requestBodies: 4, values: 1, times: 2 }
  const text = renderTerminal(result({ target: 'traffic', unknown }), { width: 200 })
  expect(text).toContain(
    '4 requests without a readable body · 1 redacted value · 2 exchanges without a readable time',
  )
})

test('it says of an observation that it is no assumption', () => {
  const cites = { question: 'bounds', observed: 'at https://pix.example.com on 2026-11-29' }
  expect(describeCitation({ cites }, {})).toBe(
    'observed at https://pix.example.com on 2026-11-29: open question "bounds"',
  )
})

test('it shows everything with verbose', () => {
  const text = renderTerminal(fullResult({ notSent: ['not sent: why'] }), {
    verbose: true,
    html: 'a.html',
    repeat,
  })
  for (const part of [
    'finding    failure responses-shape:checkKey:3a91c0',
    '(assumption: open question "bounds")',
    finding().evidence.curl,
    'check --only refusals-invalid --operation checkKey',
    '1 rule inconclusive: requests were sent, and none gave a case\n  records-gone',
    '1 rule not assessed\n  deliveries-signed',
    'Not sent\n  not sent: why',
    'Observed: An amount of twelve digits was accepted.',
    'Set the variables of the commands\n  CREDENTIALS=',
    'Full report: a.html',
  ])
    expect(text).toContain(part)
})

test.each([{}, { verbose: true }])('it prints no control character of a service, %j', (options) => {
  const text = renderTerminal(hostileResult(), { ...options, repeat, docs })
  expect(text).not.toMatch(/(?!\n)\p{Cc}|[\u202e\ufffe]/u)
})

test.each([
  { width: 20 },
  { width: 100 },
  { width: 20, verbose: true },
  { color: true, verbose: true },
])('it prints no command to the log of a CI job, %j', (options) => {
  const text = renderTerminal(hostileResult(), { ...options, repeat, docs })
  expect(stripVTControlCharacters(text)).not.toMatch(/##\[|^\s*::/m)
  expect(text).toContain('add-mask')
})

test('it uses colours only if it is asked to', () => {
  const text = renderTerminal(fullResult(), { color: true })
  expect(text).toContain('\u001b[')
  expect(stripVTControlCharacters(text)).toBe(renderTerminal(fullResult()))
})

test('it says who else wrote, and what was forgotten', () => {
  const text = renderTerminal(result({ changedElsewhere: 2, forgotten: 30 }), { width: 200 })
  expect(text).toContain(
    '2 records changed by somebody else · 30 of the oldest records, tokens and one-time values forgotten',
  )
})

const critical = deviation({ severity: 'critical' })
const ofMoney = deviation({ severity: 'warning' })
const EXITS = [
  {
    title: 'it exits with 0 after no finding',
    run: result(),
    options: {},
    code: 0,
  },
  {
    title: 'it exits with 0 after a deviation',
    run: result({ findings: [deviation()] }),
    options: {},
    code: 0,
  },
  {
    title: 'it exits with 1 after a deviation, if it fails on one',
    run: result({ findings: [deviation()] }),
    options: { failOn: 'deviation' },
    code: 1,
  },
  {
    title: 'it exits with 0 after a deviation of money',
    run: result({ findings: [ofMoney] }),
    options: {},
    code: 0,
  },
  {
    title: 'it exits with 1 after a deviation of money, if it fails on one',
    run: result({ findings: [ofMoney] }),
    options: { failOn: 'money' },
    code: 1,
  },
  {
    title: 'it exits with 0 after another deviation, if it fails on one of money',
    run: result({ findings: [deviation()] }),
    options: { failOn: 'money' },
    code: 0,
  },
  {
    title: 'it exits with 1 after a failure, if it fails on deviations of money',
    run: result({ findings: [finding()] }),
    options: { failOn: 'money' },
    code: 1,
  },
  {
    title: 'it exits with 1 after a critical deviation',
    run: result({ findings: [critical] }),
    options: {},
    code: 1,
  },
  {
    title: 'it exits with 0 after a failure, if it fails on critical findings',
    run: result({ findings: [finding()] }),
    options: { failOn: 'critical' },
    code: 0,
  },
  {
    title: 'it exits with 1 after a failure',
    run: result({ findings: [finding()] }),
    options: {},
    code: 1,
  },
  {
    title: 'it exits with 0 after a failure that the baseline accepts',
    run: result({ baselined: [known()] }),
    options: {},
    code: 0,
  },
  {
    title: 'it exits with 130 after Ctrl-C',
    run: result({ interrupted: 'Ctrl-C', findings: [finding()] }),
    options: {},
    code: 130,
  },
  {
    title: 'it exits with 143 after SIGTERM',
    run: result({ interrupted: 'SIGTERM' }),
    options: {},
    code: 143,
  },
  {
    title: 'it exits with 2 after another end',
    run: result({ interrupted: 'no response' }),
    options: {},
    code: 2,
  },
  {
    title: 'it exits with 1 after another end, if there was a failure',
    run: result({ interrupted: 'no response', findings: [finding()] }),
    options: {},
    code: 1,
  },
] as const

for (const { title, run, options, code } of EXITS) {
  test(title, () => {
    expect(chooseExitCode(run, options)).toBe(code)
  })
}

import { expect, test } from 'vitest'
import type { Finding } from '../../src/engine/result.ts'
import { citationOf, commandsOf, pageOf, sidesOf, variablesOf } from '../../src/report/finding-details.ts'
import { isFailing } from '../../src/report/options.ts'
import { locateBySources } from '../../src/report/source-location.ts'
import { deviation, finding } from './results.ts'

test.each([
  ['Expected www-authenticate with 401, got none.', 'www-authenticate with 401', 'none'],
  ['/expiration: expected integer, got string of length 4.', '/expiration: integer', 'string of length 4'],
  ['Expected 201, 400, 401, got 200.', '201, 400, 401', '200'],
  [
    'checkCode accepted a wrong checksum (200); expected invalid_code.',
    'invalid_code',
    'checkCode accepted a wrong checksum (200)',
  ],
  [
    'A request whose /a is 0 was accepted (200); the contract does not allow that.',
    'the contract does not allow that',
    'A request whose /a is 0 was accepted (200)',
  ],
  ['Expected a delivery after the payment, and none came.', 'a delivery after the payment', 'none came'],
  ['The image shows the code; but it shows another.', 'The image shows the code', 'it shows another'],
  ['It paid twice.', 'A title.', 'It paid twice.'],
])('it finds both sides of %j', (message, expected, actual) => {
  expect(sidesOf(message, 'A title.')).toEqual({ expected, actual })
})

test.each([
  [{ pointer: '/components/schemas/KeyCheck' }, 'fact: spec/schemas/keys.yaml:6'],
  [{ pointer: '/elsewhere' }, 'fact: contract /elsewhere'],
  [{ statement: 'tx-ids', section: '3.2' }, 'fact: statement "tx-ids", section 3.2'],
  [{ question: 'bounds' }, 'assumption: open question "bounds"'],
  [{ standard: 'RFC 9110, section 15.5.2' }, 'standard: RFC 9110, section 15.5.2'],
])('it cites %j', (cites, text) => {
  const locate = locateBySources({ '/components/schemas/KeyCheck': 'schemas/keys.yaml:6' }, 'spec')
  expect(citationOf(finding({ cites }), { locate })).toBe(text)
})

test('it links to a page only if the address of the docs is known', () => {
  expect(pageOf('refusals', {})).toBeUndefined()
  expect(pageOf('refusals', { docs: 'https://docs.example' })).toBe(
    'https://docs.example/rules/refusals.html',
  )
})

test('it has a curl if one request is enough, and the command that checks the rule again', () => {
  const evidence = { ...finding().evidence, curl: undefined }
  const repeat = ({ rule }: Finding) => `check --only ${rule}`
  expect(commandsOf(finding(), { repeat })).toEqual([finding().evidence.curl, 'check --only response-schema'])
  expect(commandsOf(finding({ evidence }), {})).toEqual([])
})

test('it prints the commands for the variables in use, and for those that they use', () => {
  const signIn = 'CREDENTIALS=$(x)\nTOKEN=$(curl "$CREDENTIALS")\nOTHER_TOKEN=$(y)'
  const variablesFor = (curl: string | undefined) =>
    variablesOf({ signIn, findings: [finding({ evidence: { ...finding().evidence, curl } })] })
  expect(variablesFor('curl "$TOKEN"')).toEqual(signIn.split('\n').slice(0, 2))
  expect(variablesFor(undefined)).toEqual([])
})

test.each([
  ['critical', [true, false, false]],
  ['failure', [true, true, false]],
  ['deviation', [true, true, true]],
] as const)('it fails on %s and what is more severe', (failOn, expected) => {
  const findings = [deviation({ severity: 'critical' }), finding(), deviation()]
  expect(findings.map((it) => isFailing(it, { failOn }))).toEqual(expected)
})

import sources from '@partner-payments/spec/sources.json' with { type: 'json' }
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { renderSarif } from '../../src/report/sarif.ts'
import { locateBySources } from '../../src/report/source-location.ts'
import { deviation, finding, fullResult, hostileResult, manyFindings, result, rule } from './results.ts'
import { SARIF } from './sarif-schema.ts'

const ajv = new Ajv2020({ allErrors: true })
addFormats.default(ajv)
const validate = ajv.compile(SARIF)
const locate = locateBySources(sources, 'spec')

function runOf(...given: Parameters<typeof renderSarif>) {
  const log = JSON.parse(renderSarif(...given))
  validate(log)
  expect(validate.errors).toBeNull()
  return log.runs[0]
}

test.each([
  ['nothing', result()],
  ['something of everything', fullResult()],
  ['hostile text', hostileResult()],
  ['a thousand findings', manyFindings(1000)],
  [
    'an error in the contract',
    result({ contractFaults: [{ pointer: '/info/version', message: '/info/version must be a string.' }] }),
  ],
  ['a finding of no case', result({ findings: [finding({ count: 0 })] })],
])('fits the schema: %s', (_name, run) => {
  for (const options of [{}, { locate, version: '1.2.3' }]) {
    expect(runOf(run, options).results).toHaveLength(run.findings.length + run.baselined.length)
  }
})

test('lists the rules, and each result names its rule', () => {
  const { tool, results } = runOf(fullResult())
  expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(
    fullResult().rules.map(({ rule }) => rule),
  )
  for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId)
  expect(tool.driver.rules[1].help.text).toContain('An response fits its schema.')
})

test('the help of a rule is its advice, without a link', () => {
  const [described] = runOf(result({ rules: [rule({ rule: 'no-server-error' })] })).tool.driver.rules
  expect(described.help.text).toContain('Find the request id in the logs')
  expect(described.helpUri).toBeUndefined()
})

test('an interrupted run was not successful', () => {
  const [invocation] = runOf(result({ interrupted: 'Ctrl-C' })).invocations
  expect(invocation).toMatchObject({
    executionSuccessful: false,
    exitCode: 130,
    exitCodeDescription: 'Ctrl-C',
  })
})

test('a result is located at the violated line', () => {
  const [at] = runOf(result({ findings: [finding()] }), { locate }).results[0].locations
  const [, line] = sources['/components/schemas/KeyCheck/properties/ispb'].split(':')
  expect(at.physicalLocation).toEqual({
    artifactLocation: { uri: 'spec/schemas/keys.yaml' },
    region: { startLine: Number(line) },
  })
})

test('a file name becomes a URI', () => {
  const odd = () => ({ file: 'my spec/a#b:c.yaml', line: 1 })
  const [at] = runOf(result({ findings: [finding()] }), { locate: odd }).results[0].locations
  expect(at.physicalLocation.artifactLocation.uri).toBe('my%20spec/a%23b%3Ac.yaml')
})

test('has a fingerprint from its id, and the level of its severity', () => {
  const findings = [finding(), deviation({ id: 'f-2', severity: 'warning' }), deviation()]
  const { results } = runOf(result({ findings }))
  const shown = results.map((it: { level: string; partialFingerprints: object }) => [
    it.level,
    it.partialFingerprints,
  ])
  expect(shown).toEqual([
    ['error', { 'finding/v1': 'f-3a91c0' }],
    ['warning', { 'finding/v1': 'f-2' }],
    ['note', { 'finding/v1': 'f-77d2e4' }],
  ])
})

test('only findings in the baseline are suppressed', () => {
  const { results } = runOf(fullResult())
  expect(results.map((it: { suppressions?: object[] }) => it.suppressions?.length ?? 0)).toEqual([0, 0, 1])
  expect(results[2].suppressions[0].justification).toBe(
    'Accepted by the baseline until 2099-12-31: Fixed in the next release.',
  )
})

test('rules that were not assessed or inconclusive are notifications', () => {
  const { toolExecutionNotifications, exitCode } = runOf(fullResult()).invocations[0]
  expect(exitCode).toBe(1)
  const texts = toolExecutionNotifications.map(
    (it: { associatedRule: { id: string }; message: { text: string } }) =>
      `${it.associatedRule.id}: ${it.message.text}`,
  )
  expect(texts).toEqual([
    'limits: 2 of 10 cases inconclusive',
    expect.stringMatching(/^record-changes: Not assessed: every case was inconclusive/),
    'record-changes: 5 of 5 cases inconclusive',
    'retry-after-500: Not assessed: The mock sends no deliveries.',
  ])
})

test('text of a service never becomes a placeholder or a link', () => {
  const { text } = runOf(hostileResult()).results[0].message
  expect(text).toContain('{{0}}')
  expect(text).toContain('[link\\](https://elsewhere.example)')
  expect(text).toContain('\\u001b[2J')
})

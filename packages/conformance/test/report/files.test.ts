import sources from '@partner-payments/spec/sources.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { locateBySources, locateInFile, readSpec } from '../../src/cli/spec.ts'
import { RENDERERS } from '../../src/report/formats.ts'
import { renderHtml } from '../../src/report/html.ts'
import { renderJunit } from '../../src/report/junit.ts'
import { renderMarkdown } from '../../src/report/markdown.ts'
import { renderSarif } from '../../src/report/sarif.ts'
import { listShares } from '../../src/report/summary.ts'
import {
  deviation,
  finding,
  fullResult,
  HOSTILE,
  hostileResult,
  known,
  result,
  rule,
} from './results.ts'

const locate = locateBySources(sources)
const docs = 'https://docs.example'

test.each(Object.keys(RENDERERS))(
  '%s has nothing that a terminal or the log of a CI job obeys',
  (format) => {
    const evidence = { ...finding().evidence, curl: HOSTILE }
    const hostile = { ...hostileResult(), findings: [finding({ evidence, message: HOSTILE })] }
    const text = RENDERERS[format]?.(hostile, { evidence: 'run' }) ?? ''
    expect(text).toContain('set-output')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal obeys
    expect(text).not.toMatch(/##\w*\[|^\s*::[a-z]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/m)
  },
)

describe('SARIF', () => {
  const runOf = (...args: Parameters<typeof renderSarif>) =>
    JSON.parse(renderSarif(...args)).runs[0]

  test('it has line, level, fingerprint and rule of a finding, and suppresses what the baseline accepts', () => {
    const { results, tool } = runOf(fullResult(), { locate })
    const [, line] = sources['/components/schemas/KeyCheck/properties/ispb'].split(':')
    const artifactLocation = { uri: 'spec/schemas/keys.yaml' }
    expect(results[0]).toMatchObject({
      level: 'error',
      ruleId: 'responses-shape',
      partialFingerprints: { 'finding/v1': finding().id },
      locations: [{ physicalLocation: { artifactLocation, region: { startLine: Number(line) } } }],
    })
    expect(tool.driver.rules[results[0].ruleIndex].id).toBe('responses-shape')
    expect(results[1].level).toBe('note')
    const areSuppressed = results.map((found: object) => 'suppressions' in found)
    expect(areSuppressed).toEqual([false, false, true])
  })

  test('it has a notification for each rule without a case, and an interrupted run was not successful', () => {
    const [{ toolExecutionNotifications: notes }] = runOf(fullResult()).invocations
    const texts = notes.map((note: { message: { text: string } }) => note.message.text)
    expect(texts).toEqual(['inconclusive', 'not assessed'])
    const [interrupted] = runOf(result({ interrupted: 'Ctrl-C' })).invocations
    expect(interrupted).toMatchObject({ executionSuccessful: false, exitCode: 130 })
  })

  test('it has what GitHub demands of each rule and result, with and without the places of the contract', () => {
    for (const options of [{ locate, docs }, {}]) {
      const { results, tool } = runOf(fullResult(), options)
      for (const { id, shortDescription, fullDescription, help } of tool.driver.rules) {
        expect(id).not.toBe('')
        for (const { text } of [shortDescription, fullDescription, help]) {
          expect(text).not.toBe('')
          expect(text.length).toBeLessThanOrEqual(1024)
        }
      }
      for (const { message, locations, partialFingerprints } of results) {
        expect(message.text).not.toBe('')
        expect(partialFingerprints).toBeDefined()
        expect(locations).toHaveLength(1)
        const { artifactLocation, region } = locations[0].physicalLocation
        expect(artifactLocation.uri).toMatch(/^spec\/.+\.yaml$/)
        expect(region.startLine).toBeGreaterThan(0)
      }
    }
  })

  test('it locates the nodes of the contract, whatever folder it runs in', async () => {
    const { locateAnywhere } = await readSpec(undefined)
    const { results } = runOf(fullResult(), { locateAnywhere })
    const { artifactLocation } = results[0].locations[0].physicalLocation
    expect(artifactLocation.uri).toBe('spec/schemas/keys.yaml')
  })

  test('it makes no placeholder or link of the text of a service', () => {
    const { text } = runOf(hostileResult()).results[0].message
    expect(text).toContain('{{0}}')
    expect(text).toContain('[link\\](https://elsewhere.example)')
  })
})

describe('JUnit', () => {
  /** The case of a rule. */
  const caseOf = (xml: string, id: string) =>
    new RegExp(`<testcase [^>]*name="${id}" time="0.012">.*?</testcase>`, 's').exec(xml)?.[0] ?? ''

  test('it has a suite for each subject, a case for each rule, and consistent totals', () => {
    const xml = renderJunit(fullResult())
    expect(xml).toContain('tests="5" failures="1" skipped="2" time="8.125"')
    const suites = [...xml.matchAll(/<testsuite name="(\w+)" tests="(\d)"/g)]
    const sizes = suites.map(([, name, tests]) => `${name} ${tests}`)
    expect(sizes).toEqual(['responses 2', 'refusals 1', 'records 1', 'deliveries 1'])
  })

  test('it fails a rule with message and command, and skips one that is inconclusive or accepted', () => {
    const xml = renderJunit(fullResult())
    const failed = caseOf(xml, 'responses-shape')
    expect(failed).toContain(
      '<failure message="/ispb: expected string, got nothing." type="failure">',
    )
    expect(failed).toContain('Advice: Return every field that the contract requires.')
    expect(caseOf(xml, 'records-gone')).toContain('<skipped message="inconclusive"/>')
    const accepted = result({ rules: [rule('responses-shape')], baselined: [known()] })
    expect(renderJunit(accepted)).toContain('<skipped message="The baseline accepts 1 finding."/>')
  })

  test('it shows a deviation as output, and as a failure if it fails the run', () => {
    const run = fullResult({ findings: [deviation()] })
    expect(caseOf(renderJunit(run), 'refusals-invalid')).toMatch(/<system-out>.*twelve digits/s)
    expect(caseOf(renderJunit(run, { failOn: 'deviation' }), 'refusals-invalid')).toContain(
      '<failure',
    )
  })

  test('it escapes hostile text', () => {
    const xml = renderJunit(hostileResult())
    expect(xml).not.toMatch(/<script>|\]\]>|(?!\n)\p{Cc}|[\ufffe\ud800-\udfff]/u)
  })
})

describe('Markdown', () => {
  test('it begins with the summary, the figures and a table of findings', () => {
    const text = renderMarkdown(fullResult(), { locate })
    expect(text).toMatch(/^## ❌ http:\/\/127\.0\.0\.1:4020\/ fails: 1 failure/)
    expect(text).toContain('| 0 | 1 | 1 | 0 | 1 | 1 | 2 | 1 | 1 | 12,345 | 8.1 s |')
    expect(text).toContain(
      '| error | <code>responses-shape</code> | /ispb: expected string, got nothing. |',
    )
    expect(text).toContain('| Cites | fact: spec/schemas/keys.yaml:')
    expect(text).toContain(`\`\`\`sh\n${finding().evidence.curl}\n\`\`\``)
    expect(text).toContain('| 2099-12-31 | Fixed in the next release. |')
    expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length)
  })

  test('it stays below the size limit of code hosts', () => {
    const evidence = { ...finding().evidence, curl: 'x'.repeat(50_000) }
    const findings = Array.from({ length: 100 }, (_, index) =>
      finding({
        message: '"'.repeat(50_000),
        evidence,
        operation: `o${index}`,
        rule: `r${index}`,
      }),
    )
    expect(renderMarkdown(result({ findings })).length).toBeLessThan(500_000)
  })

  test('it never makes markup of the text of a service', () => {
    const outside = renderMarkdown(hostileResult()).replace(/^(`{3,})sh\n.*?\n\1$/gms, '')
    const tags = new Set([...outside.matchAll(/<\w[^>]*>/g)].map(([tag]) => tag))
    expect([...tags].sort()).toEqual(['<br>', '<code>', '<details>', '<summary>'])
    expect(outside).not.toMatch(/@someone|\*\*bold|\]\(|\$\{\{/)
  })
})

test('it counts what was observed', () => {
  const shares = listShares(fullResult()).map(({ gate, seen, all }) => `${gate} ${seen}/${all}`)
  expect(shares).toEqual(['operations 1/2', 'rows 1/2', 'rules 3/5', 'questions 2/3'])
})

test('it finds the line of a node in YAML and JSON, or of its nearest ancestor', () => {
  const yaml = 'openapi: 3.1.0\ninfo:\n  title: A\npaths:\n  /a~b:\n    get: {}\n'
  const lineOf = (pointer: string) => locateInFile('a.yaml', yaml)(pointer)?.line
  expect(lineOf('/info/title')).toBe(3)
  expect(lineOf('/paths/~1a~0b/get')).toBe(6)
  expect(lineOf('/info/none')).toBe(2)
  expect(lineOf('')).toBe(1)
  const inSources = locateBySources({ '/info': 'openapi.yaml:2' })
  expect(inSources('/info/none')).toEqual({ file: 'spec/openapi.yaml', line: 2 })
})

test('it escapes hostile text in HTML, and admits its own script alone', () => {
  const html = renderHtml(hostileResult(), { docs })
  expect(html.match(/<script|<img|<iframe|onerror=(?!alert)/g)).toEqual(['<script'])
  expect(html).toContain('&lt;script&gt;alert(1)')
  expect(html).toMatch(
    /default-src &#39;none&#39;; style-src &#39;sha256-\S+&#39;; script-src &#39;sha256-/,
  )
  expect(html).not.toMatch(/(?![\n\t])\p{Cc}/u)
})

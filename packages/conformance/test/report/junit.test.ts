import { type Browser, launch, type Page } from '@partner-payments/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Result } from '../../src/engine/result.ts'
import { renderJunit } from '../../src/report/junit.ts'
import type { ReportOptions } from '../../src/report/options.ts'
import {
  deviation,
  finding,
  fullResult,
  HOSTILE,
  hostileResult,
  known,
  manyFindings,
  result,
  rule,
} from './results.ts'

let browser: Browser
let page: Page

beforeAll(async () => {
  browser = await launch()
  page = await browser.newPage()
})
afterAll(() => browser?.close())

interface Node {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly text: string
  readonly children: readonly Node[]
}

/** Parses with a browser, which refuses malformed XML. */
async function parsed(run: Result, options?: ReportOptions): Promise<Node> {
  const root = JSON.parse(await page.evaluate(`(${READ})(${JSON.stringify(renderJunit(run, options))})`))
  expect(root.name, root.text).toBe('testsuites')
  return root
}

/** A string, because the types of browser code are not available in Node. */
const READ = `(xml) => {
  const read = (it) => ({
    name: it.tagName,
    attributes: Object.fromEntries([...it.attributes].map((at) => [at.name, at.value])),
    text: it.textContent,
    children: [...it.children].map(read),
  })
  return JSON.stringify(read(new DOMParser().parseFromString(xml, 'application/xml').documentElement))
}`

function casesOf(root: Node): Map<string, Node> {
  const cases = root.children.flatMap(({ children }) => children.filter(({ name }) => name === 'testcase'))
  return new Map(cases.map((it) => [it.attributes.name ?? '', it]))
}

function child(node: Node | undefined, name: string): Node | undefined {
  return node?.children.find((it) => it.name === name)
}

test('a suite for each phase, a case for each rule, and consistent totals', async () => {
  const root = await parsed(fullResult())
  expect(root.attributes).toMatchObject({ tests: '5', failures: '1', skipped: '2', time: '8.125' })
  expect(root.children.map(({ attributes }) => [attributes.name, attributes.tests])).toEqual([
    ['examples', '2'],
    ['boundaries', '1'],
    ['records', '1'],
    ['deliveries', '1'],
  ])
  expect([...casesOf(root).keys()]).toHaveLength(5)
})

test('a failure has its message, location and command', async () => {
  const failure = child(casesOf(await parsed(fullResult())).get('response-schema'), 'failure')
  expect(failure?.attributes.message).toBe(finding().message)
  for (const part of [finding().advice, finding().contract, 'Cites: fact: contract', finding().evidence.curl])
    expect(failure?.text).toContain(part)
})

test('rules that were not assessed or only inconclusive are skipped with the reason', async () => {
  const cases = casesOf(await parsed(fullResult()))
  expect(child(cases.get('retry-after-500'), 'skipped')?.attributes.message).toBe(
    'The mock sends no deliveries.',
  )
  expect(child(cases.get('record-changes'), 'skipped')?.attributes.message).toMatch(
    /^every case was inconclusive/,
  )
  expect(child(cases.get('record-changes'), 'system-out')?.text).toContain('5 of 5 cases inconclusive')
})

test('a deviation is output, and a failure only in a strict run', async () => {
  const findings = [deviation()]
  const lax = casesOf(await parsed(fullResult({ findings }))).get('limits')
  expect(child(lax, 'failure')).toBeUndefined()
  expect(child(lax, 'system-out')?.text).toContain('An amount of twelve digits was accepted.')
  const strict = casesOf(await parsed(fullResult({ findings }), { failOn: 'deviation' })).get('limits')
  expect(child(strict, 'failure')?.attributes.type).toBe('deviation')
})

test('a rule whose findings are all in the baseline is skipped', async () => {
  const run = result({ rules: [rule({ rule: 'response-schema', status: 'failed' })], baselined: [known()] })
  expect(child(casesOf(await parsed(run)).get('response-schema'), 'skipped')?.attributes.message).toBe(
    'The baseline accepts 1 finding.',
  )
  const [output] = [child(casesOf(await parsed(run)).get('response-schema'), 'system-out')?.text]
  expect(output).toContain('Accepted by the baseline until 2099-12-31: Fixed in the next release.')
})

test('hostile text stays text', async () => {
  const cases = casesOf(await parsed(hostileResult()))
  const [hostile] = [...cases.values()]
  expect(hostile?.attributes.name).toContain('<script>alert(1)</script>')
  expect(child(hostile, 'failure')?.attributes.message).toContain(HOSTILE.slice(0, 150))
  expect(child(hostile, 'failure')?.text).toContain('"\'>]]>--><!--&amp;</style></pre>')
})

test.each([0, 1000])('of %i findings', async (amount) => {
  const root = await parsed(manyFindings(amount))
  expect(root.attributes.failures).toBe(amount === 0 ? '0' : '10')
})

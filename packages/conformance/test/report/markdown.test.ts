import { describe, expect, test } from 'vitest'
import { renderMarkdown } from '../../src/report/markdown.ts'
import { locateBySources } from '../../src/report/source-location.ts'
import { finding, fullResult, hostileResult, manyFindings, result, rule } from './results.ts'

test('begins with the summary and the numbers; the rest is collapsed', () => {
  const text = renderMarkdown(fullResult())
  expect(text).toMatch(/^## ❌ http:\/\/127\.0\.0\.1:4020 fails: 1 failure/)
  expect(text).toContain('| 0 | 1 | 1 | 1 | 1 | 2 | 2 | 12,345 | 7 | 8.1 s |')
  expect(text.match(/<details>/g)).toHaveLength(7)
  expect(text.match(/<\/details>/g)).toHaveLength(7)
})

test('a finding has its message, advice, location and command', () => {
  const locate = locateBySources({ '/components': 'schemas/keys.yaml:6' })
  const text = renderMarkdown(result({ findings: [finding()] }), { locate })
  expect(text).toContain(
    '<summary>🔴 failure: response-schema, checkKey: "ispb" is required, and is absent.</summary>',
  )
  expect(text).toContain('schemas/keys.yaml:6')
  expect(text).toContain('| Cites | fact: schemas/keys.yaml:6 |')
  expect(text).toContain(`\`\`\`sh\n${finding().evidence.curl}\n\`\`\``)
})

test('begins with a table of rule, message and operations', () => {
  const findings = ['listUsers', 'getUser'].map((operation, i) => finding({ id: `f-${i}`, operation }))
  const text = renderMarkdown(result({ findings }))
  expect(text).toContain(
    '| error | <code>response-schema</code> | "ispb" is required, and is absent. | <code>listUsers</code> <code>getUser</code> | 2 |',
  )
  expect(text.match(/<summary>🔴/g)).toHaveLength(1)
})

test('an interrupted run has no check mark', () => {
  expect(renderMarkdown(result({ interrupted: 'Ctrl-C' }))).toMatch(/^## ⏸️ http:.*interrupted/)
})

test('a finding in the baseline has its date and reason', () => {
  expect(renderMarkdown(fullResult())).toContain('| 2099-12-31 | Fixed in the next release. |')
})

test('shows why cases were inconclusive', () => {
  const inconclusiveBy = [
    { operation: 'createTransfer', status: 422, code: 'insufficient_funds', count: 310 },
  ]
  const text = renderMarkdown(result({ rules: [rule({ inconclusive: 310, inconclusiveBy })] }))
  expect(text).toContain('createTransfer 310 (422 insufficient_funds)')
})

test.each([
  '127.0.0.1:4020/a?b=c',
  'end_to_end_id',
  'Expected "url" (200); it\'s 100 %!',
  '/users/0: a value, got nothing.',
])('leaves %s as it is', (message) => {
  expect(renderMarkdown(result({ findings: [finding({ message })] }))).toContain(`| ${message} |`)
})

test('a run without findings is short', () => {
  const text = renderMarkdown(result())
  expect(text).toMatch(/^## ✅ /)
  expect(text.match(/<details>/g)).toHaveLength(2)
})

test('inconclusive cases have a row', () => {
  expect(renderMarkdown(fullResult())).toContain(
    '| <code>limits</code> | failed<br>2 of 10 cases inconclusive | 10 | 2 |',
  )
})

test('stays below the size limit of code hosts', () => {
  const text = renderMarkdown(manyFindings(1000))
  expect(text.length).toBeLessThan(100_000)
  expect(text).toContain('<code>rule-0</code>')
  const endless = finding({
    message: '"'.repeat(50_000),
    evidence: { ...finding().evidence, curl: 'x'.repeat(50_000) },
  })
  expect(renderMarkdown(result({ findings: Array(100).fill(endless) })).length).toBeLessThan(500_000)
})

describe('text of a service stays text', () => {
  const text = renderMarkdown(hostileResult())
  const outside = text.replace(/^(`{3,})sh\n.*\n\1$/gm, '')

  test('outside of code fences it is never markup', () => {
    const tags = new Set([...outside.matchAll(/<[^>]*>/g)].map(([tag]) => tag))
    expect([...tags].sort()).toEqual([
      '</code>',
      '</details>',
      '</summary>',
      '<br>',
      '<code>',
      '<details>',
      '<summary>',
    ])
    expect(outside).not.toMatch(/[[\]`@*{}~$\\]|^[#+-](?!# )(?!--)/m)
  })

  test('makes no link', () => {
    expect(
      renderMarkdown(hostileResult())
        .split('\n')
        .slice(2)
        .join('\n')
        .replace(/^(`{3,})sh\n.*\n\1$/gm, ''),
    ).not.toMatch(/https?:\/\/|www\./)
  })

  test('a code fence is longer than any inside it, and contains one line', () => {
    expect(text).toMatch(/^````sh\n.*```.*\n````$/m)
  })

  test('rows of a table have as many cells as its head', () => {
    for (const [block] of text.matchAll(/(^\|.*\|\n)+/gm)) {
      const widths = new Set(
        block
          .trim()
          .split('\n')
          .map((row) => row.split('|').length),
      )
      expect(widths.size).toBe(1)
    }
  })
})

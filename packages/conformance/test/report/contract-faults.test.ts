import { describe, expect, test } from 'vitest'
import type { Result } from '../../src/engine/result.ts'
import { renderHtml } from '../../src/report/html.ts'
import { renderJsonl } from '../../src/report/jsonl.ts'
import { renderJunit } from '../../src/report/junit.ts'
import { renderMarkdown } from '../../src/report/markdown.ts'
import type { ReportOptions } from '../../src/report/options.ts'
import { renderSarif } from '../../src/report/sarif.ts'
import { locateBySources } from '../../src/report/source-location.ts'
import { renderTerminal } from '../../src/report/terminal.ts'
import { result } from './results.ts'

const locate = locateBySources({ '/components/schemas/Note': 'schemas/note.yaml:7' })
const contractFaults = ['minLength', 'pattern'].map((keyword) => {
  const pointer = `/components/schemas/Note/properties/text/${keyword}`
  return { pointer, message: `${pointer} must be <valid>.` }
})

type Render = (result: Result, options: ReportOptions) => string

const REPORTS: readonly (readonly [format: string, render: Render, heading: string, line: string])[] = [
  ['terminal', renderTerminal, 'Errors in the contract', 'schemas/note.yaml:7 /components/schemas/Note/'],
  ['JSON lines', renderJsonl, '"contractFaults"', 'text/pattern must be <valid>.'],
  ['HTML', renderHtml, 'Errors in the contract', '<code>schemas/note.yaml:7</code>'],
  ['Markdown', renderMarkdown, 'Errors in the contract', '<code>schemas/note.yaml:7</code>'],
  ['JUnit', renderJunit, '<testsuite name="contract"', 'text/pattern must be &lt;valid&gt;.'],
  ['SARIF', renderSarif, 'toolConfigurationNotifications', 'text/pattern must be <valid>.'],
]

describe.each(REPORTS)('the %s report', (_, render, heading, line) => {
  test('it shows errors in the contract', () => {
    const text = render(result({ contractFaults }), { locate })
    expect(text).toContain(heading)
    expect(text).toContain(line)
  })

  test('it has no part for them if there are none', () => {
    expect(render(result(), { locate })).not.toContain(heading)
  })
})

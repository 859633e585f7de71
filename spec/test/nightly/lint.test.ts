import { expect, it } from 'vitest'
import { checkSpec } from '../../build/build.ts'
import { bundled, check } from '../../build/check.ts'
import { checkRules } from '../../lint/check.ts'
import { breaks, copySpec, problemsOf } from '../broken.ts'

const found = problemsOf(copySpec())

it.each(breaks)('reports when $what', async ({ reports, edits }) => {
  const problems = await found(edits, (spec) => checkBy(reports, spec))
  expect(problems.map(({ rule, file }) => `${rule} ${file}`)).toContain(reports)
  for (const { line } of problems) expect(line).toBeGreaterThan(0)
})

/** Checks with what has the rule, since a check with everything takes longer. */
async function checkBy(reports: string, spec: string) {
  if (!reports.startsWith('contract/')) return check(spec, 'openapi')
  const [openapi, guide] = await Promise.all([bundled(spec, 'openapi'), bundled(spec, 'guide')])
  return { problems: checkRules(spec, { openapi: openapi.contract, guide: guide.contract }) }
}

// For each commit, the build of the contract lints it.
it('finds no problem in the unchanged contract', async () => {
  const edits = [{ file: 'facts.yaml', pattern: '$', to: '\n' }]
  expect(await found(edits, (spec) => checkSpec({ spec }))).toEqual([])
})

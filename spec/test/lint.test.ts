import { expect, it } from 'vitest'
import { lintSpec } from '../lint/lint-spec.ts'
import { breaks, copySpec, problemsOf } from './broken.ts'

const found = problemsOf(copySpec())

/** The first break of each rule. */
const rules = breaks.map(({ reports }) => ruleOf(reports))
const firsts = breaks.filter(({ reports }, index) => rules.indexOf(ruleOf(reports)) === index)

it.each(firsts)('reports when $what', async ({ reports, edits }) => {
  const problems = await found(edits, lintSpec)
  expect(problems.map(({ rule, file }) => `${rule} ${file}`)).toContain(reports)
  for (const { line } of problems) expect(line).toBeGreaterThan(0)
})

function ruleOf(reports: string): string {
  return reports.split(' ', 1)[0] ?? ''
}

import { expect, it } from 'vitest'
import { lintSpec } from '../lint/lint-spec.ts'
import { copySpec, createProblemFinder, mutants } from './broken.ts'

const found = createProblemFinder(copySpec())

/** The first mutant of each rule. */
const rules = mutants.map(({ reports }) => ruleOf(reports))
const firsts = mutants.filter(({ reports }, index) => rules.indexOf(ruleOf(reports)) === index)

it.each(firsts)('reports when $what', async ({ reports, edits }) => {
  const problems = await found(edits, lintSpec)
  expect(problems.map(({ rule, file }) => `${rule} ${file}`)).toContain(reports)
  for (const { line } of problems) expect(line).toBeGreaterThan(0)
})

function ruleOf(reports: string): string {
  return reports.split(' ', 1)[0] ?? ''
}

import { expect, it } from 'vitest'
import { lintSpec } from '../../lint/lint-spec.ts'
import { copySpec, createProblemFinder, mutants } from '../broken.ts'

const found = createProblemFinder(copySpec())

it.each(mutants)('reports when $what', async ({ reports, edits }) => {
  const problems = await found(edits, lintSpec)
  expect(problems.map(({ rule, file }) => `${rule} ${file}`)).toContain(reports)
  for (const { line } of problems) expect(line).toBeGreaterThan(0)
})

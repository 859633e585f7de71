import { expect, it } from 'vitest'
import { readYaml } from '../lint/files.ts'
import { lintSpec } from '../lint/lint-spec.ts'
import { parseFaults } from '../lint/parse.ts'
import { copySpec, createProblemFinder, mutants } from './broken.ts'

const withEdits = copySpec()
const found = createProblemFinder(withEdits)

/** The first mutant of each rule. */
const rules = mutants.map(({ reports }) => ruleOf(reports))
const firsts = mutants.filter(({ reports }, index) => rules.indexOf(ruleOf(reports)) === index)

it.each(firsts)('reports when $what', async ({ reports, edits }) => {
  const problems = await found(edits, lintSpec)
  expect(problems.map(({ rule, file }) => `${rule} ${file}`)).toContain(reports)
  for (const { line } of problems) expect(line).toBeGreaterThan(0)
})

it('takes a file with more than a hundred aliases of something small', async () => {
  const file = 'behaviour/keys.yaml'
  const aliases = Array.from({ length: 101 }, () => '*small').join(', ')
  const to = `\nsmall: &small [1]\nuses: [${aliases}]\n`
  await withEdits([{ file, pattern: '$(?![\\s\\S])', to }], async (spec) => {
    expect(parseFaults(spec)).toEqual([])
    expect(readYaml<{ uses: unknown[] }>(spec, file).value.uses).toHaveLength(101)
  })
})

function ruleOf(reports: string): string {
  return reports.split(' ', 1)[0] ?? ''
}

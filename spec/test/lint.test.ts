import { expect, it } from 'vitest'
import { checkSpec } from '../build/build.ts'
import { breaks, copySpec, problemsOf } from './broken.ts'

const found = problemsOf(copySpec())

/** The first break of each rule. */
const rules = breaks.map(({ reports }) => ruleOf(reports))
const firsts = breaks.filter(({ reports }, index) => rules.indexOf(ruleOf(reports)) === index)

/** A contract that cannot be bundled has no other problems. */
const BUNDLER_RULES: ReadonlySet<string> = new Set(['bundler', 'no-unresolved-refs'])
const isOfBundler = ({ reports }: { reports: string }) => BUNDLER_RULES.has(ruleOf(reports))
const unbundled = firsts.filter(isOfBundler)
const others = firsts.filter((each) => !isOfBundler(each))
const workflow = {
  reports: 'struct workflows/pay-a-key.arazzo.yaml',
  edits: [{ file: 'workflows/pay-a-key.arazzo.yaml', text: 'workflowId:', to: 'workflow:' }],
}

it.each([
  {
    what: 'a break of each rule, in the contract, its behaviour and its workflows',
    all: [...others, workflow],
  },
  { what: 'a contract that cannot be bundled', all: unbundled },
])('reports $what', async ({ all }) => {
  const edits = all.flatMap((each) => each.edits)
  const problems = await found(edits, (spec) => checkSpec({ spec }))
  const reported = problems.map(({ rule, file }) => `${rule} ${file}`)
  expect(reported).toEqual(expect.arrayContaining(all.map(({ reports }) => reports)))
  for (const { line } of problems) expect(line).toBeGreaterThan(0)
})

function ruleOf(reports: string): string {
  return reports.split(' ', 1)[0] ?? ''
}

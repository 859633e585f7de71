import { expect, it } from 'vitest'
import { checkSpec } from '../build/build.ts'
import { breaks, copySpec, problemsOf } from './broken.ts'

const found = problemsOf(copySpec())

const rules = breaks.map(({ reports }) => reports.split(' ', 1)[0])
const firsts = breaks.filter((_, i) => rules.indexOf(rules[i]) === i)
/** A contract that cannot be bundled has no other problems. */
const { unbundled = [], others = [] } = Object.groupBy(firsts, ({ reports }) =>
  /^(bundler|no-unresolved-refs) /.test(reports) ? 'unbundled' : 'others',
)
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
  const edits = all.flatMap((it) => it.edits)
  const problems = await found(edits, (spec) => checkSpec({ spec }))
  const reported = problems.map(({ rule, file }) => `${rule} ${file}`)
  expect(reported).toEqual(expect.arrayContaining(all.map(({ reports }) => reports)))
  for (const { line } of problems) expect(line).toBeGreaterThan(0)
})

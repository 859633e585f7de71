import { expect, it } from 'vitest'
import { checkSpec } from '../build/build.ts'
import { copySpec } from './broken.ts'
import { breaks, problemsOf, testBreaks } from './broken-contracts.ts'

const found = problemsOf(copySpec())

// The first of each rule.
testBreaks(breaks.filter(([, rule], i) => breaks.findIndex(([, other]) => other === rule) === i))

it('collects the problems of all checks', async () => {
  const problems = await found(
    [
      ['schemas/auth.yaml', 'required: [customer_id, user_id]', 'required: [customer_id]'],
      ['guide.yaml', 'x-alias-of: checkKey', 'x-alias-of: findKey'],
      ['behaviour/keys.yaml', '    question: key-forms\n', ''],
      ['workflows/pay-a-key.arazzo.yaml', 'workflowId:', 'workflow:'],
    ],
    (spec) => checkSpec({ spec }),
  )
  const files = new Set(problems.map(({ file }) => file))
  expect([...files].sort()).toEqual([
    'behaviour/keys.yaml',
    'guide.yaml',
    'schemas/auth.yaml',
    'workflows/pay-a-key.arazzo.yaml',
  ])
})

// The last test: also verifies that all edits above were reverted.
it('finds no problem in the unchanged contract', async () => {
  expect(await found([['facts.yaml', /$/, '\n']], (spec) => checkSpec({ spec }))).toEqual([])
})

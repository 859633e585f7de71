import { expect, it } from 'vitest'
import { checkSpec } from '../build/build.ts'
import { breaks, copySpec, problemsOf, testBreaks } from './broken.ts'

const found = problemsOf(copySpec())

// The first of each rule.
const rules = breaks.map(({ reports }) => reports.split(' ', 1)[0])
testBreaks(breaks.filter((_, i) => rules.indexOf(rules[i]) === i))

it('collects the problems of all checks', async () => {
  const problems = await found(
    [
      { file: 'schemas/auth.yaml', text: 'required: [customer_id, user_id]', to: 'required: [customer_id]' },
      { file: 'guide.yaml', text: 'x-alias-of: checkKey', to: 'x-alias-of: findKey' },
      { file: 'behaviour/keys.yaml', text: '    question: key-forms\n', to: '' },
      { file: 'workflows/pay-a-key.arazzo.yaml', text: 'workflowId:', to: 'workflow:' },
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

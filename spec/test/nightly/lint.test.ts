import { expect, it } from 'vitest'
import { checkSpec } from '../../build/build.ts'
import { breaks, copySpec, problemsOf, testBreaks } from '../broken.ts'

testBreaks(breaks)

// For each commit, the build of the contract lints it.
it('finds no problem in the unchanged contract', async () => {
  const found = problemsOf(copySpec())
  const edits = [{ file: 'facts.yaml', pattern: '$', to: '\n' }]
  expect(await found(edits, (spec) => checkSpec({ spec }))).toEqual([])
})

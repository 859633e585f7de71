import { sample } from '@partner-payments/campaign'
import { describe, expect, it } from 'vitest'
import type { Fault } from './broken.ts'
import { type Options, type Outcome, openSandbox, outcomeOf, PASSED } from './in-process.ts'
import { runOf as runOverHttp } from './over-http.ts'

/** A service with a fault, and what a run of the rule then shows. */
export type Case = [title: string, fault: Fault | undefined, expected: Outcome, options?: Options]

/** The cases of rules, after the options of their runs. */
export type Cases = Readonly<Record<string, readonly [Options, ...Case[]]>>

export const onCorrectService: Case = ['passes on the correct service', undefined, PASSED]

/** Tests each case against one sandbox, and returns its run. */
export function testCases(rules: Cases): ReturnType<typeof openSandbox> {
  const run = openSandbox()
  describe.each(Object.entries(rules))('%s', (rule, [options, ...cases]) => {
    it.each(sample(cases, ([title]) => title.split(' ')[0] ?? ''))(
      '%s',
      async (_title, fault, expected, others = {}) => {
        expect(outcomeOf(rule, await run(rule, { ...options, ...others }, fault))).toEqual(expected)
      },
    )
  })
  return run
}

/** Tests over HTTP that rules find mutants. The expected finding is its kind and operation, by the id of the mutant. */
export function testMutants(rules: Readonly<Record<string, Readonly<Record<string, string>>>>): void {
  describe.each(Object.entries(rules))('%s', (rule, mutants) => {
    it.each(sample(Object.entries(mutants)))('finds the mutant %s', async (mutant, expected) => {
      const [kind, operation = ''] = expected.split(' ')
      const runMutant = runOverHttp(rule, { operations: [operation] })
      expect((await runMutant(mutant)).found).toContain(`${kind} ${rule} ${operation}`)
    })
  })
}

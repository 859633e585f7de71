import { describe, expect, it } from 'vitest'
import type { Fault } from './broken.ts'
import { type Options, type Outcome, openSandbox, outcomeOf } from './in-process.ts'

/** A service with a fault, and what a run of the rule then shows. */
export type Case = [title: string, fault: Fault | undefined, expected: Outcome, options?: Options]

/** The cases of rules, after the options of their runs. */
export type Cases = Readonly<Record<string, readonly [Options, ...Case[]]>>

/** Tests each case against one sandbox, and returns its run. */
export function testCases(rules: Cases): ReturnType<typeof openSandbox> {
  const run = openSandbox()
  describe.each(Object.entries(rules))('%s', (rule, [options, ...cases]) => {
    it.each(cases)('%s', async (_title, fault, expected, others = {}) => {
      expect(outcomeOf(rule, await run(rule, { ...options, ...others }, fault))).toEqual(expected)
    })
  })
  return run
}

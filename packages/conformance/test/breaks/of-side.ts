import { behaviourChecker, SPEC } from '@partner-payments/spec/build'
import { type Break, breaks, TAKEN_BY_SANDBOX, withBreaks } from './breaks.ts'
import type { Side } from './broken.ts'

const { entries, findFaults } = await behaviourChecker(SPEC)

/** Whether the lint of the contract refuses a break, since another part of it says otherwise. */
export function isRefusedByLint(broken: Break): boolean {
  return findFaults(withBreaks([broken], entries)).length > 0
}

const built = breaks.filter((one) => !isRefusedByLint(one))

/** The breaks with which the contract builds, by who alone reads them. */
export const OF_SIDE: Readonly<Record<Side, readonly Break[]>> = {
  conformance: built,
  sandbox: built.filter(({ at }) => TAKEN_BY_SANDBOX.some((field) => field.test(at))),
}

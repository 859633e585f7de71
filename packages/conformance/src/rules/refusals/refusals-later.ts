import type { Rule } from '../../engine/rule.ts'
import { refusals } from './refusals.ts'
import { tryRows } from './try-rows.ts'
import { isLater } from './variant-request.ts'

const { waits: _, ...shared } = refusals

/** Sends the variants that need more time than a run waits for. It moves the clock of the sandbox. */
export const refusalsLater: Rule = {
  ...shared,
  id: 'refusals-later',
  phase: 'later',
  needsSandboxControl: true,
  title: 'A request that a declared rule forbids after some time is refused then, and not before.',
  run: (context) => tryRows(context, ({ variant }) => isLater(variant)),
}

import type { Rule } from '../../engine/rule.ts'
import { refusals } from './refusals.ts'
import { tryRows } from './try-rows.ts'
import { isLater } from './variant-request.ts'

const { waits: _, ...atOnce } = refusals

/** The edits that need more time than a run waits for. */
export const refusalsLater: Rule = {
  ...atOnce,
  id: 'refusals-later',
  phase: 'later',
  needsSandboxControl: true,
  title: 'A request that a declared rule forbids after some time is refused then, and not before.',
  run: (context) => tryRows(context, ({ variant }) => isLater(variant)),
}

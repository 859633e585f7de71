import type { Rule } from '../../engine/rule.ts'
import { tryRows } from './try-rows.ts'
import { isLater } from './variant-request.ts'

/** Sends requests that a declared rule forbids: each is an edit of a request that was just accepted. */
export const refusals: Rule = {
  id: 'refusals',
  phase: 'records',
  cites: 'contract',
  stateful: true,
  impact: 'high',
  waits: 'lists',
  title: 'A request that a declared rule forbids is refused, and one at the edge of the rule is accepted.',
  advice: 'Refuse the request before any work, or change the rule in spec/behaviour.',
  run: (context) => tryRows(context, ({ variant }) => !isLater(variant)),
}

import type { Rule } from '../../engine/rule.ts'
import { refusesAs } from './helpers.ts'

export const noAuthRefused: Rule = {
  id: 'no-auth-refused',
  phase: 'authorization',
  cites: { statement: 'authorization-required' },
  isTraffic: true,
  impact: 'high',
  title: 'A request without credentials is refused with 401.',
  advice: 'Check the header authorization before anything else.',
  run: (context) => refusesAs(context, [null], 'a request without authorization'),
}

import type { Law } from '../law.ts'
import { refusesAs } from '../run/authorization.ts'
import type { Scheme } from '../run/contract.ts'

const UNKNOWN = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

export const garbageTokenRefused: Law = {
  id: 'garbage-token-refused',
  phase: 'authorization',
  stateful: true,
  atStake: true,
  title: 'Credentials that the service never gave are refused with 401.',
  advice: 'Look the token up, and refuse one that is unknown.',
  run: (scene) =>
    refusesAs(
      scene,
      ({ scheme }) => (scheme ? GARBAGE[scheme] : []).map((it) => ({ authorization: it })),
      'credentials of nobody',
    ),
}

/** What a service never gave, by the way in which it asks. */
const GARBAGE: Readonly<Record<Scheme, readonly string[]>> = {
  basic: [`Basic ${btoa('nobody:nothing')}`, 'Basic nonsense', 'Basic'],
  bearer: [`Bearer ${UNKNOWN}`, 'Bearer x', 'Bearer', UNKNOWN],
  key: [UNKNOWN, 'x'],
}

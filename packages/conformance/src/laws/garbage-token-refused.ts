import type { Law } from '../law.ts'
import { refusesAs } from '../run/authorization.ts'

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
      (view) =>
        view.scheme === 'basic'
          ? [
              { authorization: `Basic ${btoa('nobody:nothing')}` },
              { authorization: 'Basic nonsense' },
              { authorization: 'Basic' },
            ]
          : [
              { authorization: `Bearer ${UNKNOWN}` },
              { authorization: 'Bearer x' },
              { authorization: 'Bearer' },
              { authorization: UNKNOWN },
            ],
      'credentials of nobody',
    ),
}

import { refusesAs } from '../callers/authorization.ts'
import type { Law } from '../law.ts'

export const noAuthRefused: Law = {
  id: 'no-auth-refused',
  phase: 'authorization',
  isTraffic: true,
  atStake: true,
  title: 'A request without credentials is refused with 401.',
  advice: 'Check the header authorization before anything else.',
  run: (scene) => refusesAs(scene, [null], 'a request without authorization'),
}

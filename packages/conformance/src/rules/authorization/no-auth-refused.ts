import type { Law } from '../../engine/rule.ts'
import { refusesAs } from './helpers.ts'

export const noAuthRefused: Law = {
  id: 'no-auth-refused',
  phase: 'authorization',
  isTraffic: true,
  atStake: true,
  title: 'A request without credentials is refused with 401.',
  advice: 'Check the header authorization before anything else.',
  run: (scene) => refusesAs(scene, [null], 'a request without authorization'),
}

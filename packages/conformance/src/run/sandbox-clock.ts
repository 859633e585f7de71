import { isSuccess, type Scene } from './scene.ts'

const DAY = 86_400

/** Moves the clock of a sandbox on, a day at a time, since what becomes due on the way takes its time; whether it has one. */
export async function moveClock(scene: Scene, seconds: number): Promise<boolean> {
  const headers = { 'content-type': 'application/json' }
  for (let left = seconds; left > 0; left -= DAY) {
    const body = JSON.stringify({ advance_seconds: Math.min(left, DAY) })
    const raw = { method: 'POST', path: '/_sandbox/clock', headers, body }
    if (!isSuccess(await scene.send(undefined, {}, { who: null, raw }))) return false
  }
  return true
}

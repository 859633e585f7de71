import { isSuccess, type Scene } from './scene.ts'

/** Moves the clock of a sandbox on; whether it has one. */
export async function moveClock(scene: Scene, advance_seconds: number): Promise<boolean> {
  const headers = { 'content-type': 'application/json' }
  const raw = { method: 'POST', path: '/_sandbox/clock', headers, body: JSON.stringify({ advance_seconds }) }
  return isSuccess(await scene.send(undefined, {}, { who: null, raw }))
}

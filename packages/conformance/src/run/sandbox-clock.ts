import { nodeOf } from './document.ts'
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

/** The day in Brazil, three hours behind UTC, by the clock of a sandbox; undefined where it shows none. */
export async function dayThere(scene: Scene): Promise<string | undefined> {
  const raw = { method: 'GET', path: '/_sandbox/clock', headers: {}, body: undefined }
  const now = Date.parse(String(nodeOf((await scene.send(undefined, {}, { who: null, raw })).body).now))
  return Number.isNaN(now) ? undefined : new Date(now - 3 * 3_600_000).toISOString().slice(0, 10)
}

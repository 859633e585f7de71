import { headerOf } from './exchange.ts'
import type { Call, Reply } from './wire.ts'

/** Times that a request is sent again, at most, and seconds that are waited for one. */
const MAX_TIMES = 20
const MAX_SECONDS = 60

/**
 * Sends again what a service had no time for: 429 says of a request neither that it is right nor that it is wrong (RFC
 * 6585, section 4). While one waits, all do, since the limit is mostly of the caller.
 */
export function patient(send: (call: Call) => Promise<Reply>): (call: Call) => Promise<Reply> {
  let resume = 0
  return async (call) => {
    let limited: Reply | undefined
    for (let time = 0; ; time++) {
      await until(resume)
      const reply = await send(call)
      const seconds = secondsOf(reply)
      if (seconds === undefined || time >= MAX_TIMES) return limited ? { ...reply, limited } : reply
      limited ??= reply
      resume = Math.max(resume, performance.now() + seconds * 1000)
    }
  }
}

/** Seconds that a service asks to wait, a second where it does not say; undefined where there is nothing to wait for. */
function secondsOf({ status, headers }: Reply): number | undefined {
  if (status !== 429) return undefined
  const said = headerOf(headers, 'retry-after') ?? '1'
  const seconds = /^\d+$/.test(said) ? Number(said) : (Date.parse(said) - Date.now()) / 1000
  if (Number.isNaN(seconds)) return 1
  return seconds <= MAX_SECONDS ? Math.max(0.01, seconds) : undefined
}

async function until(time: number): Promise<void> {
  const left = time - performance.now()
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left))
}

import type { GateLimits } from './gate.ts'

/** The fields of a due delivery that decide whether it may start. */
export interface Due {
  readonly position: bigint
  readonly webhook_id: string
  readonly url: string
}

/** Whether a delivery may start now ('start'), when its host has capacity ('wait'), or when any host has ('full'). */
export type Verdict = 'start' | 'wait' | 'full'

/** The deliveries that an instance has in progress, and the webhooks that wait because their host has the maximum. */
export interface Flights {
  /** Whether nothing can start until a delivery in progress ends. */
  readonly isFull: boolean
  readonly waiting: readonly string[]
  /** Returns a function that judges one delivery after another, and counts those it lets start. */
  plan(): (due: Due) => Verdict
  /** Makes the webhook of a delivery wait until a delivery to the same host has ended. */
  wait(due: Due): void
  /**
   * Counts a delivery: for its host until `posted` settles, and in total until `concluded` settles. Returns
   * `concluded`.
   */
  track(due: Due, posted: Promise<unknown>, concluded: Promise<void>): Promise<void>
}

/** The host of a delivery that was posted but not concluded. */
const NONE = ''
/** Maximum number of waiting webhooks. Their ids are parameters of a statement. */
const WAITING = 4_096

/**
 * Creates the counters for the deliveries of an instance.
 *
 * @param limits.perKey maximum of concurrent deliveries to one host
 * @param limits.total maximum of concurrent deliveries
 *
 * @example
 * const flights = createFlights({ perKey: 4, total: 64 })
 * console.log(flights.plan()({ position: 1n, webhook_id: '', url: 'https://loja.example/pix' })) // 'start'
 */
export function createFlights({ perKey, total }: Pick<GateLimits, 'perKey' | 'total'>): Flights {
  const origins = new Map<bigint, string>()
  const waiting = new Map<string, string>()

  function end(origin: string): void {
    for (const [webhook, its] of waiting) if (its === origin) waiting.delete(webhook)
  }

  return {
    get isFull() {
      return origins.size >= total || waiting.size >= WAITING
    },
    get waiting() {
      return [...waiting.keys()]
    },
    plan() {
      const planned = [...origins.values()]
      return ({ position, url }) => {
        // A delivery whose claim has expired may still be in progress.
        if (origins.has(position) || countOf(planned, originOf(url)) >= perKey) return 'wait'
        if (planned.length >= total) return 'full'
        planned.push(originOf(url))
        return 'start'
      }
    },
    wait({ position, webhook_id, url }) {
      const origin = origins.get(position) ?? originOf(url)
      // If all have ended since the plan, nothing would end the wait.
      if (countOf([...origins.values()], origin) > 0) waiting.set(webhook_id, origin)
    },
    track({ position, url }, posted, concluded) {
      const origin = originOf(url)
      const free = () => {
        origins.set(position, NONE)
        end(origin)
      }
      origins.set(position, origin)
      posted.then(free, free)
      return concluded.finally(() => {
        origins.delete(position)
        end(NONE)
      })
    },
  }
}

/** The origin, which is how the poster groups hosts. */
function originOf(url: string): string {
  return URL.parse(url)?.origin ?? url
}

function countOf(origins: readonly string[], origin: string): number {
  return origins.filter((one) => one === origin).length
}
